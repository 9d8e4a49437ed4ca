/* profile: GET /v1/matches/{id}/profile, where a bot spent its instructions.
 *
 * The counts come from cached chunks (db/profiles.h). Where one is missing, the
 * bot's own turns are played again by a worker: profile_queue asks for that,
 * and the client gets 202, or waits. */
#include "api/http/matches.h"
#include "api/http/quota.h"
#include "api/http/resources.h"
#include "db/bots.h"
#include "db/jobs.h"
#include "db/kept.h"
#include "db/profiles.h"
#include "profiler/report/report.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/log.h"

#include <inttypes.h>
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>

struct profile_order {
    int64_t match_id;
    int64_t bot_id;
    unsigned slot;
    uint32_t first; /* turn */
    uint32_t last;
    enum profile_format format;
    char fingerprint[HASH_HEX_SIZE]; /* of the match's toolchain */
    int64_t replay_dropped_ns;       /* 0: it can be played again */
};

/* ---- what is asked for -------------------------------------------------- */

/* "17" or "3-17", each at most `most`. */
static bool profile_parse_turns(const char *text, int64_t most,
                                struct profile_order *order)
{
    auto_free char *copy = mem_dup_str(text);
    char *dash = strchr(copy, '-');
    int64_t first;
    int64_t last;

    if (dash)
        *dash = '\0';
    if (!uri_parse_count(copy, &first) ||
        !uri_parse_count(dash ? dash + 1 : copy, &last) || first > last ||
        last > most)
        return false;
    order->first = (uint32_t)first;
    order->last = (uint32_t)last;
    return true;
}

static void profile_note_format(struct request *request)
{
    auto_buf struct buf names = {0};

    for (int f = 0; f < PROFILE_FORMAT_COUNT; f++)
        buf_add_format(&names, "%s%s", f ? ", " : "",
                       profile_format_name((enum profile_format)f));
    reply_invalid(&request->reply, "format", "must be one of %s", names.data);
}

/* False: answered. */
static bool profile_read_query(struct request *request, int64_t turns,
                               struct profile_order *order)
{
    const char *format = uri_query(&request->uri, "format");
    const char *turn = uri_query(&request->uri, "turn");
    int found = profile_format_find(format ? format : "json");

    order->last = (uint32_t)turns;
    if (found < 0)
        profile_note_format(request);
    else
        order->format = (enum profile_format)found;
    if (turn && !profile_parse_turns(turn, turns, order))
        reply_invalid(&request->reply, "turn",
                      "must be A or A-B with turns of 0 to %" PRId64, turns);
    if (!request->reply.errors)
        return true;
    reply_invalid_query(&request->reply);
    return false;
}

/* A slot has turns only at the steps at which it was asked. 1; 0: answered. */
static int profile_check_turns(struct request *request, struct db *db,
                               const struct profile_order *order,
                               struct err *err)
{
    const int64_t turns[2] = {order->first, order->last};
    struct turn_span span;

    if (turn_row_span(db, order->match_id, order->slot, turns, &span, err) < 0)
        return -1;
    if (span.count > 0)
        return 1;
    reply_problem(&request->reply, MHD_HTTP_NOT_FOUND, "no_turn",
                  "slot %u was not asked in turn %" PRIu32 "%s: its turns are "
                  "among %" PRId64 " to %" PRId64
                  ", and GET /v1/matches/%" PRId64 "/turns lists them",
                  order->slot, order->first,
                  order->first == order->last ? "" : " or those after it",
                  span.least, span.most, order->match_id);
    return 0;
}

/* 1; 0: answered; -1. */
static int profile_read_order(struct request *request, struct db *db,
                              struct profile_order *order, struct err *err)
{
    struct match_row match = {0};
    int found = matches_get_slot(request, db, &match, &order->slot, err);

    if (found <= 0)
        return found;
    order->match_id = match.id;
    order->replay_dropped_ns = match.dropped_ns[RETAINED_REPLAYS];
    order->bot_id = match.result[order->slot].bot_id;
    int fine =
        profile_read_query(request, match.turns, order)
            ? matches_can_replay(request, db, &match, (int)order->slot, err)
            : 0;
    if (match.fingerprint)
        snprintf(order->fingerprint, sizeof order->fingerprint, "%s",
                 match.fingerprint);
    match_row_release(&match);
    return fine > 0 ? profile_check_turns(request, db, order, err) : fine;
}

/* ---- the report --------------------------------------------------------- */

/* What the counters mean, and the counts. */
struct profile_parts {
    struct build_row build;
    struct bot_files files;
    json_t *blocks;
    json_t *layout;
    json_t *library; /* NULL: the one that is here */
    struct profile *profile;
};

static void profile_parts_release(struct profile_parts *parts)
{
    profile_free(parts->profile);
    json_decref(parts->blocks);
    json_decref(parts->layout);
    json_decref(parts->library);
    bot_files_release(&parts->files);
    build_row_release(&parts->build);
}
#define auto_parts __attribute__((cleanup(profile_parts_release)))

/* The library's block table as the match's toolchain had it. */
static const json_t *profile_library(const struct service *service,
                                     struct db *db, const char *fingerprint,
                                     struct profile_parts *parts,
                                     struct err *err)
{
    auto_buf struct buf text = {0};

    if (!*service->fingerprint || !strcmp(fingerprint, service->fingerprint))
        return library_blocks(service->library, err);
    int found = kept_library_find(db, fingerprint, &text, err);
    if (found == 1)
        parts->library = json_loadb(text.data, text.size, 0, NULL);
    if (found >= 0 && !parts->library)
        err_set(err, ERR_SYSTEM, "the library of toolchain %.12s is gone",
                fingerprint);
    return parts->library;
}

static int profile_open(const struct service *service, struct db *db,
                        const struct profile_order *order,
                        struct profile_parts *parts, struct err *err)
{
    int64_t bot_id = order->bot_id;
    int found =
        kept_build_find(db, bot_id, order->fingerprint, &parts->build, err);

    if (found < 0)
        return -1;
    if (found == 0)
        return err_set(err, ERR_SYSTEM, "bot %" PRId64 " has no build", bot_id);
    parts->blocks = json_loads(parts->build.blocks, 0, NULL);
    parts->layout = json_loads(parts->build.layout, 0, NULL);
    if (!parts->blocks || !parts->layout)
        return err_set(err, ERR_SYSTEM,
                       "build of bot %" PRId64 ": its tables are damaged",
                       bot_id);
    const json_t *library =
        profile_library(service, db, order->fingerprint, parts, err);
    if (!library)
        return -1;
    parts->profile = profile_new(parts->blocks, library, parts->layout, err);
    if (!parts->profile || bot_files(db, bot_id, &parts->files, err) < 0)
        return err_wrap(err, "profile of bot %" PRId64, bot_id);
    for (size_t i = 0; i < parts->files.count; i++)
        profile_set_source(parts->profile, parts->files.file[i].path,
                           parts->files.file[i].bytes,
                           parts->files.file[i].size);
    return 0;
}

/* Adds the turns that the chunk holds and the client wants. */
static int profile_add_chunk(const struct profile_order *order,
                             const struct profile_chunk *chunk,
                             struct profile *profile, struct err *err)
{
    if (chunk->counters != profile_words(profile))
        return err_set(err, ERR_SYSTEM,
                       "match %" PRId64 ", slot %u: a profile has %" PRIu32
                       " counters, the build has %zu",
                       order->match_id, order->slot, chunk->counters,
                       profile_words(profile));
    for (uint32_t i = 0; i < chunk->turns; i++) {
        uint32_t turn = chunk->first_turn + i;
        if (turn < order->first || turn > order->last)
            continue;
        profile_add_turn(profile, turn, order->slot, NULL,
                         chunk->count + (size_t)i * chunk->counters);
        profile_add_blocks(profile, chunk->blocks[i].data,
                           chunk->blocks[i].size);
    }
    return 0;
}

/* 1: all turns are added; 0: some are not cached; -1. */
static int profile_add_turns(struct db *db, const struct profile_order *order,
                             struct profile *profile, struct err *err)
{
    for (uint32_t turn = order->first; turn <= order->last;) {
        struct profile_chunk chunk = {0};
        uint32_t end = turn / PROFILE_CHUNK_TURNS * PROFILE_CHUNK_TURNS +
                       PROFILE_CHUNK_TURNS;
        uint32_t want = end <= order->last ? end - 1 : order->last;
        int found = profile_chunk_find(db, order->match_id, order->slot, want,
                                       &chunk, err);
        if (found <= 0)
            return found;
        int added = profile_add_chunk(order, &chunk, profile, err);
        profile_chunk_release(&chunk);
        if (added < 0)
            return -1;
        turn = end;
    }
    return 1;
}

/* 1: answered; 0: some turns are not cached; -1. */
static int profile_answer(struct request *request, struct db *db,
                          const struct profile_order *order, struct err *err)
{
    auto_parts struct profile_parts parts = {0};
    auto_buf struct buf out = {0};

    if (profile_open(request->service, db, order, &parts, err) < 0)
        return -1;
    int found = profile_add_turns(db, order, parts.profile, err);
    if (found <= 0)
        return found;
    if (profile_write(parts.profile, order->format, &out, err) < 0)
        return -1;
    request->reply.cache = REPLY_IMMUTABLE_PRIVATE;
    reply_bytes(&request->reply, profile_format_media_type(order->format),
                &out);
    return 1;
}

/* ---- the request -------------------------------------------------------- */

/* What the worker is asked for: the bot's turns up to the last one wanted. */
static char *profile_job_args(const struct profile_order *order)
{
    return mem_format("{\"slot\":%u,\"last\":%" PRIu32 "}", order->slot,
                      order->last);
}

static int profile_answer_queued(struct request *request, const char *state)
{
    request->reply.location = mem_dup_str(request->target);
    request->reply.retry_after_s = 1;
    return reply_json(&request->reply, MHD_HTTP_ACCEPTED,
                      json_pack("{s:s}", "status", state));
}

static int profile_fail(struct request *request,
                        const struct profile_order *order, const char *reason)
{
    log_line(LOG_ALARM, "http", "profile of match %" PRId64 ", slot %u: %s",
             order->match_id, order->slot, reason);
    return reply_problem(&request->reply, MHD_HTTP_INTERNAL_SERVER_ERROR,
                         "profile_failed",
                         "the turns could not be played again; it was logged "
                         "for the service's operator");
}

static struct job_spec profile_job(const struct profile_order *order,
                                   const char *args)
{
    return (struct job_spec){
        .kind = JOB_PROFILE,
        .subject_id = order->match_id,
        .args = args,
        .priority = JOB_PRIORITY_USER,
        .now_ns = clock_wall_ns(),
    };
}

/* What is not cached cannot be taken again. */
static int profile_say_gone(struct request *request,
                            const struct profile_order *order)
{
    const struct match_row match = {
        .id = order->match_id,
        .dropped_ns = {[RETAINED_REPLAYS] = order->replay_dropped_ns}};

    matches_must_keep(request, &match, RETAINED_REPLAYS);
    return HANDLED_REPLY;
}

/* Some turns are not cached: how does it stand with the job for them? */
static int profile_wait(struct request *request, struct db *db,
                        const struct profile_order *order, struct err *err)
{
    auto_free char *args = profile_job_args(order);
    auto_free char *reason = NULL;
    const char *state = "";
    struct job_spec spec = profile_job(order, args);

    if (order->replay_dropped_ns)
        return profile_say_gone(request, order);
    int found = job_state(db, &spec, &state, &reason, err);

    if (found < 0)
        return -1;
    if (!strcmp(state, "queued") || !strcmp(state, "leased")) {
        profile_answer_queued(request, "queued");
        return request_wait(request, order->match_id);
    }
    if (!strcmp(state, "done")) { /* perhaps since we looked */
        int answered = profile_answer(request, db, order, err);
        if (answered != 0)
            return answered < 0 ? -1 : HANDLED_REPLY;
    }
    if (request->wrote)
        return profile_fail(request, order, reason ? reason : state);
    return HANDLED_WRITE; /* never asked for, or dropped since */
}

int profile_show(struct request *request, struct db *db, struct err *err)
{
    struct profile_order order = {0};
    int fine = profile_read_order(request, db, &order, err);

    if (fine <= 0)
        return fine;
    int answered = profile_answer(request, db, &order, err);
    if (answered < 0)
        return -1;
    return answered ? HANDLED_REPLY : profile_wait(request, db, &order, err);
}

int profile_queue(struct request *request, struct db *db, struct err *err)
{
    struct profile_order order = {0};
    int64_t job;
    int fine = profile_read_order(request, db, &order, err);

    if (fine <= 0)
        return fine;
    if (order.replay_dropped_ns)
        return profile_say_gone(request, &order);
    fine = quota_must(request, db, QUOTA_REPLAYS, 1, err);
    if (fine <= 0)
        return fine;
    auto_free char *args = profile_job_args(&order);
    struct job_spec spec = profile_job(&order, args);
    spec.user_id = request->user.id;
    if (job_add(db, &spec, &job, err) < 0)
        return -1;
    request->wrote = true;
    profile_answer_queued(request, "queued");
    return request_wait(request, order.match_id);
}
