/* match_document: a match as this client may see it. */
#include "api/http/matches.h"

#include "runner/base/cleanup.h"
#include "runner/match/match.h"

#include <string.h>

#define MATCHES_STDERR_TAIL 1024

static const char *matches_sentence(const char *verdict)
{
    for (int v = 0; verdict && v < VERDICT_COUNT; v++)
        if (!strcmp(verdict_text((enum verdict)v), verdict))
            return verdict_sentence((enum verdict)v);
    return NULL;
}

/* "null pointer" for all, "null pointer: bot.c:17 in search" for the owner. */
static json_t *matches_detail(const struct request *request,
                              const struct result_row *row)
{
    const char *open = row->detail ? row->detail : "";
    const char *secret = row->private_detail ? row->private_detail : "";

    if (!*secret || !request_sees(request, row->owner_id))
        return reply_string(open);
    auto_free char *both =
        mem_format("%s%s%s", open, *open ? ": " : "", secret);
    return reply_string(both);
}

static json_t *matches_result(const struct request *request,
                              const struct result_row *row)
{
    return json_pack(
        "{s:I, s:o, s:i, s:i, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "bot",
        (json_int_t)row->bot_id, "name", reply_string(row->bot_name), "slot",
        (int)row->slot, "rank", (int)row->rank, "score", (json_int_t)row->score,
        "verdict", reply_string(row->verdict), "sentence",
        reply_string(matches_sentence(row->verdict)), "detail",
        matches_detail(request, row), "instructions",
        reply_count((uint64_t)row->instructions), "rating",
        row->rating_known ? json_real(row->rating) : json_null(), "deviation",
        row->rating_known ? json_real(row->deviation) : json_null());
}

static json_t *matches_seed(const char *seed)
{
    int64_t number;

    return uri_parse_count(seed, &number) ? json_integer(number)
                                          : reply_string(seed);
}

/* What is known only once it is final. Until then null, so that a document has
 * the same members all its life. */
static void matches_add_outcome(const struct request *request,
                                const struct match_row *match, json_t *document)
{
    bool final = match->status == MATCH_FINISHED;
    json_t *results = final ? json_array() : json_null();

    for (unsigned i = 0; final && i < match->slots; i++)
        json_array_append_new(results,
                              matches_result(request, &match->result[i]));
    json_object_set_new(document, "results", results);
    json_object_set_new(document, "seed",
                        final ? matches_seed(match->seed) : json_null());
    json_object_set_new(document, "turns",
                        final ? json_integer(match->turns) : json_null());
    json_object_set_new(document, "replay_sha256",
                        final ? reply_string(match->replay_sha256)
                              : json_null());
    json_object_set_new(document, "verified",
                        match->verified == MATCH_UNVERIFIED
                            ? json_null()
                            : json_boolean(match->verified == MATCH_EQUAL));
    json_object_set_new(document, "game_version",
                        reply_string(match->game_version));
    json_object_set_new(document, "fingerprint",
                        reply_string(match->fingerprint));
}

/* What is no longer kept, and since when. */
static json_t *matches_dropped(const struct match_row *match)
{
    json_t *dropped = json_object();

    for (int part = 0; part < PART_COUNT; part++)
        json_object_set_new(dropped, retained_word((enum retained)part),
                            reply_time(match->dropped_ns[part]));
    return dropped;
}

json_t *matches_document(const struct request *request,
                         const struct match_row *match)
{
    json_t *bots = json_array();
    json_t *limits = match->limits ? json_loads(match->limits, 0, NULL) : NULL;

    for (unsigned i = 0; i < match->slots; i++)
        json_array_append_new(bots, json_integer(match->result[i].bot_id));
    json_t *document = json_pack(
        "{s:I, s:o, s:s, s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "id",
        (json_int_t)match->id, "game", reply_string(match->game), "status",
        match_status_text(match->status), "bots", bots, "rated",
        (int)match->rated, "profile", (int)match->profile, "limits",
        limits ? limits : json_object(), "created",
        reply_time(match->created_ns), "started", reply_time(match->started_ns),
        "finished", reply_time(match->finished_ns), "queue_position",
        match->queue_position ? json_integer(match->queue_position)
                              : json_null(),
        "reason", reply_string(match->reason));
    json_object_set_new(document, "queue_age_s",
                        match->queue_position ? reply_age(match->created_ns)
                                              : json_null());
    json_object_set_new(document, "batch",
                        match->batch_id ? json_integer(match->batch_id)
                                        : json_null());
    matches_add_outcome(request, match, document);
    json_object_set_new(document, "dropped", matches_dropped(match));
    return document;
}

int matches_add_stderr(const struct request *request, struct db *db,
                       const struct match_row *match, json_t *document,
                       struct err *err)
{
    json_t *results = json_object_get(document, "results");

    for (unsigned i = 0; i < match->slots; i++) {
        const struct result_row *row = &match->result[i];
        auto_buf struct buf log = {0};
        if (!row->verdict || !strcmp(row->verdict, "ok") ||
            match->dropped_ns[RETAINED_LOGS] ||
            !request_sees(request, row->owner_id))
            continue;
        if (turn_log_find(db, match->id, row->slot, -1, &log, err) < 0)
            return -1;
        size_t cut =
            log.size > MATCHES_STDERR_TAIL ? log.size - MATCHES_STDERR_TAIL : 0;
        json_object_set_new(json_array_get(results, i), "stderr_tail",
                            reply_string(log.data ? log.data + cut : ""));
    }
    return 0;
}

int matches_answer(struct request *request, struct db *db, int64_t id,
                   unsigned status, struct err *err)
{
    struct match_row match = {0};

    if (match_row_find(db, id, &match, err) <= 0)
        return -1;
    request->reply.location = mem_format("/v1/matches/%lld", (long long)id);
    reply_json(&request->reply, status, matches_document(request, &match));
    match_row_release(&match);
    return HANDLED_REPLY;
}
