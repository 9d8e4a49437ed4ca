/* The part of wire.h about what was played.
 *
 * A turn is [turn, slot, status, instructions | null, wall_ns, cpu_ns | null,
 * memory_bytes, reply bytes, stderr bytes]; replies and stderr of all turns
 * stand one after the other in a blob each. */
#include "runner/base/cleanup.h"
#include "runner/match/ending.h"
#include "runner/work/wire.h"

#include <stdio.h>
#include <string.h>

/* Numbers above 2^53-1 are shown as that (contract 7). */
static json_int_t capped(uint64_t value)
{
    return (json_int_t)(value < LIMITS_MAX_NUMBER ? value : LIMITS_MAX_NUMBER);
}

/* ---- writing ------------------------------------------------------------ */

/* A text that strangers had a part in: made UTF-8 where it is not. */
static json_t *plain_text(const char *text)
{
    json_t *value = json_string(text);

    if (value)
        return value;
    auto_buf struct buf ascii = {0};
    for (; *text; text++)
        buf_add_char(&ascii, (unsigned char)*text < 128 ? *text : '?');
    return json_string(ascii.data ? ascii.data : "");
}

static json_t *result_json(const struct match_result *result)
{
    char secret[3072];

    return json_pack("{s:I, s:I, s:s, s:o, s:o, s:I}", "rank",
                     (json_int_t)result->rank, "score",
                     (json_int_t)result->score, "verdict",
                     verdict_text(result->verdict), "detail",
                     plain_text(result->detail), "private_detail",
                     plain_text(ending_text(result, secret, sizeof secret)),
                     "instructions", capped(result->instructions));
}

static json_t *turn_json(const struct match_turn *turn)
{
    return json_pack(
        "[I, I, s, o, I, o, I, I, I]", (json_int_t)turn->turn,
        (json_int_t)turn->slot, turn_status_text(turn->status),
        turn->counted ? json_integer(capped(turn->instructions)) : json_null(),
        capped(turn->wall_ns),
        turn->cpu_known ? json_integer(capped(turn->cpu_ns)) : json_null(),
        capped(turn->memory_bytes), (json_int_t)turn->reply_size,
        (json_int_t)turn->log_size);
}

void wire_put_match(struct parcel *parcel, const struct match *match,
                    const struct match_spec *spec)
{
    json_t *results = json_array();
    json_t *turns = json_array();
    auto_buf struct buf replies = {0};
    auto_buf struct buf logs = {0};

    for (unsigned i = 0; i < match->slots; i++)
        json_array_append_new(results, result_json(&match->result[i]));
    for (size_t i = 0; i < match->turn_count; i++) {
        const struct match_turn *turn = &match->turn[i];
        json_array_append_new(turns, turn_json(turn));
        buf_add(&replies, turn->reply, turn->reply_size);
        buf_add(&logs, turn->log, turn->log_size);
    }
    size_t blob = parcel_add(parcel, match->log.data, match->log.size);
    parcel_add(parcel, replies.data, replies.size);
    parcel_add(parcel, logs.data, logs.size);
    json_object_set_new(
        parcel->head, "match",
        json_pack("{s:I, s:s, s:s, s:s, s:I, s:o, s:o}", "turns",
                  (json_int_t)match->turns, "replay_sha256",
                  match->replay_sha256, "game_version", spec->game->hash,
                  "fingerprint", spec->game->fingerprint, "blob",
                  (json_int_t)blob, "results", results, "rows", turns));
}

/* ---- reading ------------------------------------------------------------ */

void wire_match_release(struct wire_match *match)
{
    for (unsigned i = 0; i < match->finish.slots; i++) {
        free(match->result[i].verdict);
        free(match->result[i].detail);
        free(match->result[i].private_detail);
    }
    free(match->turn);
    *match = (struct wire_match){0};
}

static int get_result(const json_t *from, struct result_row *result,
                      struct err *err)
{
    json_int_t rank;
    json_int_t score;
    json_int_t instructions;
    const char *verdict;
    const char *detail;
    const char *private_detail;

    /* The cast is for jansson's missing const only. */
    if (json_unpack((json_t *)(uintptr_t)from, "{s:I, s:I, s:s, s:s, s:s, s:I}",
                    "rank", &rank, "score", &score, "verdict", &verdict,
                    "detail", &detail, "private_detail", &private_detail,
                    "instructions", &instructions) < 0 ||
        rank < 1 || rank > MATCH_ROW_MAX_SLOTS)
        return err_set(err, ERR_SYSTEM, "message: a result is damaged");
    result->rank = (unsigned)rank;
    result->score = score;
    result->verdict = mem_dup_str(verdict);
    result->detail = mem_dup_str(detail);
    result->private_detail = mem_dup_str(private_detail);
    result->instructions = instructions;
    return 0;
}

static int get_results(const json_t *list, struct wire_match *match,
                       struct err *err)
{
    size_t count = json_array_size(list);

    if (count < 1 || count > MATCH_ROW_MAX_SLOTS)
        return err_set(err, ERR_SYSTEM, "message: %zu results", count);
    for (size_t i = 0; i < count; i++) {
        match->result[i].slot = (unsigned)i;
        if (get_result(json_array_get(list, i), &match->result[i], err) < 0)
            return -1;
        match->finish.slots = (unsigned)i + 1;
    }
    match->finish.result = match->result;
    return 0;
}

/* The next `size` bytes of a blob; NULL if there are fewer. */
static char *blob_next(const struct buf *blob, size_t *used, json_int_t size)
{
    if (size < 0 || (uint64_t)size > blob->size - *used)
        return NULL;
    char *bytes = blob->data + *used;
    *used += (size_t)size;
    return bytes;
}

/* Where the blobs of replies and stderr have been read to. */
struct turn_reader {
    const struct buf *replies;
    const struct buf *logs;
    size_t replies_used;
    size_t logs_used;
};

static int get_turn(const json_t *from, struct turn_reader *reader,
                    struct turn_row *turn, struct err *err)
{
    json_int_t number;
    json_int_t slot;
    const char *status;
    const json_t *instructions;
    json_int_t wall_ns;
    const json_t *cpu_ns;
    json_int_t memory;
    json_int_t reply_size;
    json_int_t log_size;

    if (json_unpack((json_t *)(uintptr_t)from, "[I, I, s, o, I, o, I, I, I!]",
                    &number, &slot, &status, &instructions, &wall_ns, &cpu_ns,
                    &memory, &reply_size, &log_size) < 0 ||
        number < 0 || number > UINT32_MAX || slot < 0 ||
        slot >= MATCH_ROW_MAX_SLOTS)
        return err_set(err, ERR_SYSTEM, "message: a turn is damaged");
    char *reply = blob_next(reader->replies, &reader->replies_used, reply_size);
    char *log = blob_next(reader->logs, &reader->logs_used, log_size);
    if (!reply || !log)
        return err_set(err, ERR_SYSTEM, "message: a turn's bytes are gone");
    *turn = (struct turn_row){
        .turn = (uint32_t)number,
        .slot = (uint32_t)slot,
        .counted = json_is_integer(instructions),
        .instructions = json_integer_value(instructions),
        .wall_ns = wall_ns,
        .cpu_known = json_is_integer(cpu_ns),
        .cpu_ns = json_integer_value(cpu_ns),
        .memory_bytes = memory,
        .reply = reply,
        .reply_size = (size_t)reply_size,
        .log = log,
        .log_size = (size_t)log_size,
    };
    snprintf(turn->status, sizeof turn->status, "%s", status);
    return 0;
}

static int get_turns(const json_t *list, struct turn_reader *reader,
                     struct wire_match *match, struct err *err)
{
    size_t count = json_array_size(list);

    match->turn = mem_calloc(count, sizeof *match->turn);
    for (size_t i = 0; i < count; i++)
        if (get_turn(json_array_get(list, i), reader, &match->turn[i], err) < 0)
            return -1;
    match->finish.turn = match->turn;
    match->finish.turn_count = count;
    return 0;
}

int wire_get_match(const struct parcel *parcel, struct wire_match *match,
                   struct err *err)
{
    const json_t *head = json_object_get(parcel->head, "match");
    struct match_finish *finish = &match->finish;
    json_int_t turns;
    json_int_t blob;
    const json_t *results;
    const json_t *rows;

    *match = (struct wire_match){0};
    if (json_unpack((json_t *)(uintptr_t)head,
                    "{s:I, s:s, s:s, s:s, s:I, s:o, s:o}", "turns", &turns,
                    "replay_sha256", &finish->replay_sha256, "game_version",
                    &finish->game_version, "fingerprint", &finish->fingerprint,
                    "blob", &blob, "results", &results, "rows", &rows) < 0 ||
        blob < 0)
        return err_set(err, ERR_SYSTEM, "message: no match in it");
    const struct buf *log = parcel_blob(parcel, (size_t)blob);
    struct turn_reader reader = {
        .replies = parcel_blob(parcel, (size_t)blob + 1),
        .logs = parcel_blob(parcel, (size_t)blob + 2),
    };
    if (!log || !reader.replies || !reader.logs)
        return err_set(err, ERR_SYSTEM, "message: a match's part is gone");
    finish->turns = turns;
    finish->log = log->data;
    finish->log_size = log->size;
    if (get_results(results, match, err) < 0 ||
        get_turns(rows, &reader, match, err) < 0) {
        wire_match_release(match);
        return -1;
    }
    return 0;
}

/* ---- profiles ----------------------------------------------------------- */

static void put_chunk(struct parcel *parcel, unsigned slot,
                      const struct profile_chunk *chunk)
{
    json_t *list = json_object_get(parcel->head, "profiles");
    auto_buf struct buf packed = {0};

    if (!list) {
        list = json_array();
        json_object_set_new(parcel->head, "profiles", list);
    }
    profile_chunk_format(chunk, &packed);
    size_t blob = parcel_add(parcel, packed.data, packed.size);
    json_array_append_new(
        list, json_pack("[I, I]", (json_int_t)slot, (json_int_t)blob));
}

void wire_put_profile(struct parcel *parcel, const struct match_turn *turn,
                      size_t turn_count, unsigned slot, size_t words,
                      uint32_t last)
{
    auto_free uint64_t *count =
        mem_alloc(PROFILE_CHUNK_TURNS * words * sizeof *count);
    const uint64_t *before = NULL; /* counters at the end of the turn before */
    size_t at = 0;

    for (uint64_t first = 0; first <= last; first += PROFILE_CHUNK_TURNS) {
        struct profile_chunk chunk = {
            .first_turn = (uint32_t)first,
            .turns = (uint32_t)(last - first < PROFILE_CHUNK_TURNS
                                    ? last - first + 1
                                    : PROFILE_CHUNK_TURNS),
            .counters = (uint32_t)words,
            .count = count,
        };
        /* A turn at which the slot was not asked has counted nothing. */
        memset(count, 0, PROFILE_CHUNK_TURNS * words * sizeof *count);
        for (; at < turn_count && turn[at].turn < first + chunk.turns; at++) {
            if (turn[at].slot != slot || !turn[at].counters)
                continue;
            uint64_t *row = count + (turn[at].turn - first) * words;
            for (size_t i = 0; i < words; i++)
                row[i] = turn[at].counters[i] - (before ? before[i] : 0);
            before = turn[at].counters;
            /* Borrowed: the chunk is not released. */
            chunk.blocks[turn[at].turn - first] = turn[at].blocks;
        }
        put_chunk(parcel, slot, &chunk);
    }
}

void wire_chunks_release(struct wire_chunks *chunks)
{
    for (size_t i = 0; i < chunks->count; i++)
        profile_chunk_release(&chunks->chunk[i].chunk);
    free(chunks->chunk);
    *chunks = (struct wire_chunks){0};
}

static int get_chunk(const struct parcel *parcel, const json_t *entry,
                     struct wire_chunk *chunk, struct err *err)
{
    const json_t *slot = json_array_get(entry, 0);
    json_int_t blob = json_integer_value(json_array_get(entry, 1));
    const struct buf *bytes =
        blob < 0 ? NULL : parcel_blob(parcel, (size_t)blob);

    if (!json_is_integer(slot) || json_integer_value(slot) < 0 ||
        json_integer_value(slot) >= MATCH_ROW_MAX_SLOTS || !bytes)
        return err_set(err, ERR_SYSTEM, "message: a profile is damaged");
    chunk->slot = (unsigned)json_integer_value(slot);
    return profile_chunk_parse(bytes->data, bytes->size, &chunk->chunk, err);
}

int wire_get_profiles(const struct parcel *parcel, struct wire_chunks *chunks,
                      struct err *err)
{
    const json_t *list = json_object_get(parcel->head, "profiles");
    size_t count = json_array_size(list);
    struct wire_chunks found = {0};

    found.chunk = mem_calloc(count, sizeof *found.chunk);
    for (size_t i = 0; i < count; i++) {
        if (get_chunk(parcel, json_array_get(list, i), &found.chunk[i], err) <
            0) {
            wire_chunks_release(&found);
            return -1;
        }
        found.count = i + 1;
    }
    *chunks = found;
    return 0;
}

int wire_get_measures(const struct parcel *parcel,
                      struct wire_measures *measures, struct err *err)
{
    const json_t *match = json_object_get(parcel->head, "measures");
    const char *host = json_string_value(json_object_get(parcel->head, "host"));

    *measures = (struct wire_measures){0};
    if (!match)
        return 0;
    if (!json_is_object(match) || !host || strlen(host) != HASH_HEX_SIZE - 1)
        return err_set(err, ERR_SYSTEM, "message: the measures are damaged");
    measures->host = host;
    measures->facts = json_string_value(json_object_get(parcel->head, "facts"));
    measures->match = json_dumps(match, JSON_COMPACT);
    return 0;
}
