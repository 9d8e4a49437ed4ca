#include "runner/work/store.h"

#include "db/measures.h"
#include "db/retention.h"
#include "runner/base/cleanup.h"
#include "runner/base/log.h"

#include <inttypes.h>
#include <string.h>

/* ---- sending ------------------------------------------------------------ */

int store_begin(struct db *db, const struct job *job, int64_t now_ns,
                struct err *err)
{
    switch (job->kind) {
    case JOB_BUILD:
        return bot_set_status(db, job->subject_id, BOT_COMPILING, err);
    case JOB_MATCH:
        return match_row_start(db, job->subject_id, now_ns, err);
    case JOB_VERIFY:
    case JOB_PROFILE:
    case JOB_KIND_COUNT:
        break;
    }
    return 0;
}

static int pack_build(struct db *db, const struct job *job,
                      struct parcel *parcel, struct err *err)
{
    struct bot bot = {0};
    struct bot_files files = {0};
    int found = bot_find(db, job->subject_id, &bot, err);

    if (found == 0)
        return err_set(err, ERR_MISSING, "bot %" PRId64 " is gone",
                       job->subject_id);
    if (found < 0)
        return -1;
    json_object_set_new(parcel->head, "bot", json_integer(bot.id));
    json_object_set_new(parcel->head, "game", json_string(bot.game));
    bot_release(&bot);
    if (bot_files(db, job->subject_id, &files, err) < 0)
        return -1;
    wire_put_files(parcel, &files);
    bot_files_release(&files);
    return 0;
}

static int match_row_get(struct db *db, int64_t id, struct match_row *match,
                         struct err *err)
{
    int found = match_row_find(db, id, match, err);

    if (found == 0)
        return err_set(err, ERR_MISSING, "match %" PRId64 " is gone", id);
    return found < 0 ? -1 : 0;
}

static json_t *bots_json(const struct match_row *match)
{
    json_t *ids = json_array();

    for (unsigned i = 0; i < match->slots; i++)
        json_array_append_new(ids, json_integer(match->result[i].bot_id));
    return ids;
}

static int pack_log(struct db *db, int64_t match_id, struct parcel *parcel,
                    struct err *err)
{
    auto_buf struct buf log = {0};
    int found = match_log_find(db, match_id, &log, err);

    if (found == 0)
        return err_set(err, ERR_MISSING, "match %" PRId64 " has no log",
                       match_id);
    if (found < 0)
        return -1;
    parcel_add(parcel, log.data, log.size);
    return 0;
}

static int pack_match(const struct match_row *match, struct parcel *parcel,
                      struct err *err)
{
    json_t *limits = json_loads(match->limits, 0, NULL);

    if (!json_is_object(limits)) {
        json_decref(limits);
        return err_set(err, ERR_SYSTEM, "match %" PRId64 ": damaged limits",
                       match->id);
    }
    json_object_set_new(parcel->head, "seed", json_string(match->seed));
    json_object_set_new(parcel->head, "limits", limits);
    json_object_set_new(parcel->head, "profile", json_boolean(match->profile));
    return 0;
}

/* "slot" and "last" of the job's args; last goes up to the end of its chunk, as
 * the turns before it cost most of the time. */
static int pack_profile(const struct match_row *match, const struct job *job,
                        struct parcel *parcel, struct err *err)
{
    json_t *args = json_loads(job->args, 0, NULL);
    json_int_t slot = -1;
    json_int_t last = -1;

    if (args)
        json_unpack(args, "{s:I, s:I}", "slot", &slot, "last", &last);
    json_decref(args);
    if (slot < 0 || slot >= match->slots || last < 0)
        return err_set(err, ERR_SYSTEM, "match %" PRId64 ": a profile of %s",
                       match->id, job->args);
    last |= PROFILE_CHUNK_TURNS - 1;
    if (last > match->turns)
        last = match->turns;
    json_object_set_new(parcel->head, "slot", json_integer(slot));
    json_object_set_new(parcel->head, "last", json_integer(last));
    json_object_set_new(parcel->head, "bot",
                        json_integer(match->result[slot].bot_id));
    return 0;
}

static int pack_of_match(struct db *db, const struct job *job,
                         const struct match_row *match, struct parcel *parcel,
                         struct err *err)
{
    json_object_set_new(parcel->head, "match", json_integer(match->id));
    json_object_set_new(parcel->head, "game", json_string(match->game));
    json_object_set_new(parcel->head, "bots", bots_json(match));
    if (job->kind == JOB_MATCH)
        return pack_match(match, parcel, err);
    if (match->fingerprint)
        json_object_set_new(parcel->head, "fingerprint",
                            json_string(match->fingerprint));
    if (job->kind == JOB_PROFILE && pack_profile(match, job, parcel, err) < 0)
        return -1;
    return pack_log(db, match->id, parcel, err);
}

int store_pack(struct db *db, const struct job *job, struct parcel *parcel,
               struct err *err)
{
    struct match_row match = {0};

    parcel->head =
        json_pack("{s:s, s:I, s:I}", "kind", job_kind_text(job->kind), "job",
                  (json_int_t)job->id, "fence", (json_int_t)job->fence);
    if (job->kind == JOB_BUILD)
        return pack_build(db, job, parcel, err);
    if (match_row_get(db, job->subject_id, &match, err) < 0)
        return -1;
    int packed = pack_of_match(db, job, &match, parcel, err);
    match_row_release(&match);
    return packed;
}

/* ---- what comes back ---------------------------------------------------- */

void outcome_release(struct outcome *outcome)
{
    build_row_release(&outcome->build);
    build_source_release(&outcome->source);
    wire_match_release(&outcome->match);
    wire_chunks_release(&outcome->chunks);
    free(outcome->measures.match);
    free(outcome->diagnostics);
    *outcome = (struct outcome){0};
}

static int read_build(const struct parcel *parcel, struct outcome *outcome,
                      struct err *err)
{
    const json_t *list = json_object_get(parcel->head, "diagnostics");
    const json_t *ready = json_object_get(parcel->head, "ready");

    if (!json_is_array(list) || !json_is_boolean(ready))
        return err_set(err, ERR_SYSTEM, "message: no build's end in it");
    outcome->diagnostics = json_dumps(list, JSON_COMPACT);
    outcome->ready = json_is_true(ready);
    if (json_object_get(parcel->head, "files") &&
        wire_get_files(parcel, &outcome->source, err) < 0)
        return err_wrap(err, "message: the unpacked files");
    return outcome->ready ? wire_get_build_row(parcel, &outcome->build, err)
                          : 0;
}

static int read_verify(const struct parcel *parcel, struct outcome *outcome,
                       struct err *err)
{
    const json_t *equal = json_object_get(parcel->head, "equal");

    if (!json_is_boolean(equal))
        return err_set(err, ERR_SYSTEM, "message: no comparison in it");
    outcome->equal = json_is_true(equal);
    return 0;
}

int store_read(const struct job *job, const struct parcel *parcel,
               struct outcome *outcome, struct err *err)
{
    switch (job->kind) {
    case JOB_BUILD:
        return read_build(parcel, outcome, err);
    case JOB_MATCH:
        if (wire_get_match(parcel, &outcome->match, err) < 0 ||
            wire_get_measures(parcel, &outcome->measures, err) < 0)
            return -1;
        return wire_get_profiles(parcel, &outcome->chunks, err);
    case JOB_VERIFY:
        return read_verify(parcel, outcome, err);
    case JOB_PROFILE:
        return wire_get_profiles(parcel, &outcome->chunks, err);
    case JOB_KIND_COUNT:
        break;
    }
    return err_set(err, ERR_SYSTEM, "a job of unknown kind");
}

/* Profiles and the owner see the files, not the archive that they came in. */
static int apply_source(struct db *db, int64_t bot_id,
                        const struct build_source *source, struct err *err)
{
    auto_free struct bot_file *file = mem_calloc(source->count, sizeof *file);

    for (size_t i = 0; i < source->count; i++)
        file[i] = (struct bot_file){source->file[i].path, source->file[i].bytes,
                                    source->file[i].size};
    const struct bot_files files = {.file = file, .count = source->count};
    return bot_replace_files(db, bot_id, &files, err);
}

static int apply_build(struct db *db, const struct job *job,
                       const struct outcome *outcome, int64_t now_ns,
                       struct err *err)
{
    if (outcome->source.count > 0 &&
        apply_source(db, job->subject_id, &outcome->source, err) < 0)
        return -1;
    if (!outcome->ready)
        return bot_reject(db, job->subject_id, outcome->diagnostics, now_ns,
                          err);
    if (!strcmp(job->args, BOT_AGAIN))
        return bot_accept_again(db, job->subject_id, &outcome->build,
                                outcome->diagnostics, now_ns, err);
    return bot_accept(db, job->subject_id, &outcome->build,
                      outcome->diagnostics, now_ns, err);
}

static int apply_chunks(struct db *db, const struct job *job,
                        const struct outcome *outcome, int64_t now_ns,
                        struct err *err)
{
    for (size_t i = 0; i < outcome->chunks.count; i++) {
        const struct wire_chunk *chunk = &outcome->chunks.chunk[i];
        if (profile_chunk_put(db, job->subject_id, chunk->slot, &chunk->chunk,
                              err) < 0)
            return -1;
    }
    return outcome->chunks.count
               ? part_note_profiles(db, job->subject_id, now_ns, err)
               : 0;
}

static int apply_measures(struct db *db, const struct job *job,
                          const struct outcome *outcome, struct err *err)
{
    const struct wire_measures *measures = &outcome->measures;

    if (!measures->match)
        return 0;
    if (host_put(db, measures->host, measures->facts, err) < 0)
        return -1;
    return measures_put(db, job->subject_id, measures->host, measures->match,
                        err);
}

static int apply_verify(struct db *db, const struct job *job,
                        const struct outcome *outcome, struct err *err)
{
    if (!outcome->equal)
        log_line(LOG_ALARM, "work",
                 "match %" PRId64 " played again differs from its log",
                 job->subject_id);
    return match_row_set_verified(db, job->subject_id, outcome->equal, err);
}

/* A match ends its lease by itself, with the rest. */
static int apply_match(struct db *db, const struct job *job,
                       struct outcome *outcome, int64_t now_ns, struct err *err)
{
    struct match_finish *finish = &outcome->match.finish;

    finish->match_id = job->subject_id;
    finish->job_id = job->id;
    finish->fence = job->fence;
    finish->now_ns = now_ns;
    int stored = match_row_finish(db, finish, err);
    if (stored == 1 && (apply_chunks(db, job, outcome, now_ns, err) < 0 ||
                        apply_measures(db, job, outcome, err) < 0))
        return -1;
    return stored;
}

int store_apply(struct db *db, const struct job *job, struct outcome *outcome,
                int64_t now_ns, struct err *err)
{
    int done = 0;

    if (job->kind == JOB_MATCH)
        return apply_match(db, job, outcome, now_ns, err);
    int held = job_finish(db, job->id, job->fence, now_ns, err);
    if (held != 1)
        return held;
    switch (job->kind) {
    case JOB_BUILD:
        done = apply_build(db, job, outcome, now_ns, err);
        break;
    case JOB_VERIFY:
        done = apply_verify(db, job, outcome, err);
        break;
    case JOB_PROFILE:
        done = apply_chunks(db, job, outcome, now_ns, err);
        break;
    case JOB_MATCH:
    case JOB_KIND_COUNT:
        break;
    }
    return done < 0 ? -1 : 1;
}
