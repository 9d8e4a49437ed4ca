#include "runner/match/replay.h"

#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/match/match_log.h"

#include <sodium.h>
#include <string.h>
#include <zstd.h>

/* ---- the file ---------------------------------------------------------------
 */

static void free_stream(ZSTD_DStream **stream)
{
    ZSTD_freeDStream(*stream);
}

static int decompress(const struct buf *packed, struct buf *plain,
                      struct err *err)
{
    __attribute__((cleanup(free_stream))) ZSTD_DStream *stream =
        ZSTD_createDStream();
    ZSTD_inBuffer in = {packed->data, packed->size, 0};
    size_t left = 1;

    while (left) {
        buf_reserve(plain, 1u << 20);
        ZSTD_outBuffer out = {plain->data + plain->size, 1u << 20, 0};
        size_t taken = in.pos;
        left = ZSTD_decompressStream(stream, &out, &in);
        if (ZSTD_isError(left))
            return err_set(err, ERR_INPUT, "not a match log: %s",
                           ZSTD_getErrorName(left));
        plain->size += out.pos;
        plain->data[plain->size] = '\0';
        if (plain->size > REPLAY_MAX_BYTES)
            return err_set(err, ERR_TOO_BIG, "a match log of over %u bytes",
                           REPLAY_MAX_BYTES);
        if (left && in.pos == taken && !out.pos)
            return err_set(err, ERR_INPUT, "the compressed log is cut short");
    }
    return 0;
}

static int read_file(const char *path, struct buf *plain, struct err *err)
{
    static const unsigned char magic[] = {0x28, 0xb5, 0x2f, 0xfd};
    auto_buf struct buf bytes = {0};

    if (io_read_file(path, REPLAY_MAX_BYTES, &bytes, err) < 0)
        return -1;
    if (bytes.size >= sizeof magic &&
        !memcmp(bytes.data, magic, sizeof magic)) {
        if (decompress(&bytes, plain, err) < 0)
            return err_wrap(err, "%s", path);
        return 0;
    }
    buf_add(plain, bytes.data, bytes.size);
    return 0;
}

/* ---- the lines --------------------------------------------------------------
 */

/* One line on its way through the checks. */
struct line {
    size_t number; /* from 1 */
    const char *bytes;
    size_t size;
    json_t *json;
};

static int line_bad(const struct line *line, struct err *err, const char *what)
{
    return err_set(err, ERR_INPUT, "match log, line %zu: %s", line->number,
                   what);
}

static bool is_hex64(const json_t *value)
{
    const char *text = json_string_value(value);

    return text && strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

/* Checks the line's chain against `chain` and moves that on. */
static int check_chain(const struct line *line, char chain[HASH_HEX_SIZE],
                       struct err *err)
{
    static const char member[] = ",\"chain\":\"";
    const size_t tail = sizeof member - 1 + 64 + 2; /* hex, quote, brace */
    const char *given = json_string_value(json_object_get(line->json, "chain"));

    if (!given || line->size <= tail ||
        memcmp(line->bytes + line->size - tail, member, sizeof member - 1) != 0)
        return line_bad(line, err, "it does not end with its chain");
    size_t kept = line->size - tail;
    auto_free char *bare = mem_dup(line->bytes, kept + 1);
    bare[kept] = '}';
    match_log_chain(chain, bare, kept + 1, chain);
    if (strcmp(given, chain) != 0)
        return line_bad(line, err,
                        "its chain is broken: this line or one "
                        "before it was changed");
    return 0;
}

static int parse_builds(struct replay *replay, const struct line *line,
                        struct err *err)
{
    const json_t *builds = json_object_get(line->json, "builds");

    replay->slots = (unsigned)json_array_size(builds);
    if (!replay->slots || json_array_size(builds) > MATCH_MAX_SLOTS)
        return line_bad(line, err, "\"builds\" is not a list of 1 to 8");
    for (unsigned slot = 0; slot < replay->slots; slot++) {
        if (!is_hex64(json_array_get(builds, slot)))
            return line_bad(line, err, "a build is not a hash");
        replay->build[slot] = json_string_value(json_array_get(builds, slot));
    }
    return 0;
}

static int parse_seed(struct replay *replay, const struct line *line,
                      struct err *err)
{
    auto_free char *text =
        json_dumps(json_object_get(line->json, "seed"), JSON_ENCODE_ANY);
    const char *hex = json_string_value(json_object_get(line->json, "seed"));

    if (!text)
        return line_bad(line, err, "there is no seed");
    if (match_seed_parse(hex ? hex : text, replay->seed, err) < 0)
        return err_wrap(err, "match log, line 1");
    return 0;
}

static int parse_head(struct replay *replay, const struct line *line,
                      struct err *err)
{
    const json_t *head = line->json;
    const json_t *limits = json_object_get(head, "limits");

    if (json_integer_value(json_object_get(head, "bout")) != 1)
        return line_bad(line, err, "not a match log of version 1");
    replay->game = json_string_value(json_object_get(head, "game"));
    if (!replay->game || !is_hex64(json_object_get(head, "game_version")) ||
        !is_hex64(json_object_get(head, "fingerprint")))
        return line_bad(line, err,
                        "game, game_version or fingerprint is "
                        "missing");
    replay->game_version =
        json_string_value(json_object_get(head, "game_version"));
    replay->fingerprint =
        json_string_value(json_object_get(head, "fingerprint"));
    if (parse_builds(replay, line, err) < 0 ||
        parse_seed(replay, line, err) < 0)
        return -1;
    limits_init(&replay->limits, 0, 0, 0);
    if (limits_apply(&replay->limits, limits, false, err) < 0)
        return err_wrap(err, "match log, line 1");
    if (!replay->limits.turns)
        return line_bad(line, err, "limits has no turns");
    return 0;
}

/* One of "KEY", "KEY_base64" and "KEY_sha256" is there, as a string. */
static bool has_text(const json_t *entry, const char *key)
{
    static const char *const form[] = {"", "_base64", "_sha256"};
    char name[32];

    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        snprintf(name, sizeof name, "%s%s", key, form[i]);
        if (json_is_string(json_object_get(entry, name)))
            return true;
    }
    return false;
}

static bool entry_is_sound(const json_t *entry, unsigned slots)
{
    const json_t *slot = json_object_get(entry, "slot");
    const json_t *count = json_object_get(entry, "instructions");

    return json_is_integer(slot) && json_integer_value(slot) >= 0 &&
           json_integer_value(slot) < (json_int_t)slots &&
           has_text(entry, "view") && has_text(entry, "reply") &&
           json_is_string(json_object_get(entry, "status")) &&
           (json_is_integer(count) || json_is_null(count)) &&
           json_is_integer(json_object_get(entry, "memory_bytes"));
}

static int parse_step(struct replay *replay, const struct line *line,
                      struct err *err)
{
    const json_t *turn = json_object_get(line->json, "turn");
    const json_t *slots = json_object_get(line->json, "slots");

    if (!json_is_integer(turn) ||
        json_integer_value(turn) != (json_int_t)replay->step_count)
        return line_bad(line, err, "its turn is not the next one");
    for (size_t i = 0; i < json_array_size(slots); i++)
        if (!entry_is_sound(json_array_get(slots, i), replay->slots))
            return line_bad(line, err, "a slot's entry is not as it should be");
    if (!json_array_size(slots))
        return line_bad(line, err, "nobody played in it");
    replay->step =
        mem_realloc(replay->step, (replay->step_count + 1) * sizeof(json_t *));
    replay->step[replay->step_count++] = json_incref(line->json);
    return 0;
}

static int parse_line(struct replay *replay, const struct line *line,
                      char chain[HASH_HEX_SIZE], struct err *err)
{
    if (line->number == 1) {
        replay->head = json_incref(line->json);
        match_log_chain(NULL, line->bytes, line->size, chain);
        return parse_head(replay, line, err);
    }
    if (replay->end)
        return line_bad(line, err, "something follows the results");
    if (check_chain(line, chain, err) < 0)
        return -1;
    if (json_object_get(line->json, "turn"))
        return parse_step(replay, line, err);
    if (!json_is_array(json_object_get(line->json, "results")))
        return line_bad(line, err, "neither a turn nor the results");
    replay->end = json_incref(line->json);
    return 0;
}

static int parse_all(struct replay *replay, struct err *err)
{
    char chain[HASH_HEX_SIZE];
    const char *at = replay->bytes;
    const char *end = at + replay->size;

    for (size_t number = 1; at < end; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        struct line line = {number, at, newline ? (size_t)(newline - at) : 0,
                            NULL};
        json_error_t why;

        if (!newline)
            return line_bad(&line, err, "it is cut short");
        line.json = json_loadb(at, line.size, JSON_REJECT_DUPLICATES, &why);
        if (!json_is_object(line.json)) {
            json_decref(line.json);
            return line_bad(&line, err, "not a JSON object");
        }
        int status = parse_line(replay, &line, chain, err);
        json_decref(line.json);
        if (status < 0)
            return -1;
        at = newline + 1;
    }
    if (!replay->end)
        return err_set(err, ERR_INPUT, "match log: it ends before the results");
    return 0;
}

int replay_parse(struct replay *replay, const void *bytes, size_t size,
                 struct err *err)
{
    struct replay got = {.bytes = bytes, .size = size};

    if (parse_all(&got, err) < 0) {
        replay_release(&got);
        return -1;
    }
    *replay = got;
    return 0;
}

int replay_open(struct replay *replay, const char *path, struct err *err)
{
    auto_buf struct buf file = {0};

    if (read_file(path, &file, err) < 0 ||
        replay_parse(replay, file.data ? file.data : "", file.size, err) < 0)
        return -1;
    replay->file = file;
    file = (struct buf){0};
    return 0;
}

void replay_release(struct replay *replay)
{
    buf_release(&replay->file);
    json_decref(replay->head);
    json_decref(replay->end);
    for (size_t i = 0; i < replay->step_count; i++)
        json_decref(replay->step[i]);
    free(replay->step);
    *replay = (struct replay){0};
}

/* ---- what is in it ----------------------------------------------------------
 */

const json_t *replay_entry(const struct replay *replay, uint32_t turn,
                           unsigned slot)
{
    if (turn >= replay->step_count)
        return NULL;
    const json_t *slots = json_object_get(replay->step[turn], "slots");
    for (size_t i = 0; i < json_array_size(slots); i++) {
        const json_t *entry = json_array_get(slots, i);
        if (json_integer_value(json_object_get(entry, "slot")) ==
            (json_int_t)slot)
            return entry;
    }
    return NULL;
}

int replay_text(const json_t *entry, const char *key, struct buf *to)
{
    char name[32];
    const json_t *plain = json_object_get(entry, key);

    if (plain) {
        buf_add(to, json_string_value(plain), json_string_length(plain));
        return 1;
    }
    snprintf(name, sizeof name, "%s_base64", key);
    const json_t *coded = json_object_get(entry, name);
    if (!coded)
        return 0;
    size_t size = json_string_length(coded);
    size_t got = 0;
    buf_reserve(to, size);
    if (sodium_base642bin((unsigned char *)to->data + to->size, size,
                          json_string_value(coded), size, NULL, &got, NULL,
                          sodium_base64_VARIANT_ORIGINAL) == 0)
        to->size += got;
    to->data[to->size] = '\0';
    return 1;
}

bool replay_is_build(const struct replay *replay, unsigned slot,
                     const struct build *build)
{
    char hex[HASH_HEX_SIZE];

    match_log_build(replay->seed, build->hash, hex);
    return !strcmp(hex, replay->build[slot]);
}

/* ---- again ------------------------------------------------------------------
 */

/* Says in which line the two differ. */
static int differs(const struct replay *replay, const struct buf *again,
                   struct err *why)
{
    size_t line = 1;
    size_t i = 0;

    for (; i < replay->size && i < again->size &&
           replay->bytes[i] == again->data[i];
         i++)
        line += replay->bytes[i] == '\n';
    err_set(why, ERR_INPUT,
            "the match played again differs from the log in line %zu%s", line,
            line == 1 ? " (its head)" : "");
    return 0;
}

/* 1: the same; 0; -1. *match is filled unless -1. */
static int play_again(struct zygote *zygote, const struct replay *replay,
                      const struct replay_cast *cast, bool profile,
                      struct match *match, struct err *err)
{
    struct match_spec spec = {
        .profile = profile,
        .game_name = replay->game,
        .game = cast->game,
        .slots = replay->slots,
        .seed = replay->seed,
        .limits = replay->limits,
    };

    for (unsigned slot = 0; slot < replay->slots; slot++)
        spec.bot[slot] = cast->bot[slot];
    if (match_play(zygote, &spec, match, err) < 0)
        return -1;
    return match->log.size == replay->size &&
           !memcmp(match->log.data, replay->bytes, replay->size);
}

int replay_profile(struct zygote *zygote, const struct replay *replay,
                   const struct replay_cast *cast, struct match *match,
                   struct err *why, struct err *err)
{
    struct match again = {0};
    int same = play_again(zygote, replay, cast, true, &again, err);

    if (same == 1) {
        *match = again;
        return 1;
    }
    if (same == 0)
        differs(replay, &again.log, why);
    match_release(&again);
    return same;
}

int replay_verify(struct zygote *zygote, const struct replay *replay,
                  const struct replay_cast *cast, struct err *why,
                  struct err *err)
{
    struct match again = {0};
    int same = play_again(zygote, replay, cast, false, &again, err);

    if (same == 0)
        differs(replay, &again.log, why);
    match_release(&again);
    return same;
}
