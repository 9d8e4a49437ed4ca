#include "db/jobs.h"

#include "db/bots.h"
#include "db/matches.h"
#include "runner/base/cleanup.h"
#include "runner/base/log.h"

#include <jansson.h>
#include <string.h>

/* Contract 2.7: what fails twice in the toolchain is the source's fault. */
#define BUILD_MAX_ATTEMPTS 2

static const char *const kind_text[JOB_KIND_COUNT] = {
#define JOB_KIND_TEXT(name, text) [JOB_##name] = (text),
    JOB_KINDS(JOB_KIND_TEXT)
#undef JOB_KIND_TEXT
};

const char *job_kind_text(enum job_kind kind)
{
    return kind_text[kind];
}

static enum job_kind job_kind_parse(const char *text)
{
    int kind = 0;

    while (kind < JOB_KIND_COUNT && strcmp(kind_text[kind], text) != 0)
        kind++;
    return (enum job_kind)kind;
}

void job_release(struct job *job)
{
    free(job->args);
    *job = (struct job){0};
}

int job_add(struct db *db, const struct job_spec *spec, int64_t *id,
            struct err *err)
{
    const char *kind = job_kind_text(spec->kind);
    const char *args = spec->args ? spec->args : "{}";
    auto_stmt struct stmt *st =
        stmt_open(db, Q_JOB_FIND_LIVE, err, SQL_TEXT(kind),
                  SQL_I64(spec->subject_id), SQL_TEXT(args));
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1)
        *id = stmt_i64(st, 0);
    if (row != 0)
        return row < 0 ? -1 : 0;
    if (db_run(db, Q_JOB_ADD, err, SQL_TEXT(kind), SQL_I64(spec->subject_id),
               SQL_TEXT(args), SQL_I64(spec->priority), SQL_I64(spec->now_ns),
               SQL_I64(spec->user_id)) < 0)
        return -1;
    *id = db_last_id(db);
    return 0;
}

int job_lease(struct db *db, const char *holder, int64_t until_ns,
              struct job *job, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_JOB_LEASE, err, SQL_TEXT(holder), SQL_I64(until_ns));
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1)
        *job = (struct job){
            .id = stmt_i64(st, 0),
            .kind = job_kind_parse(stmt_text(st, 1)),
            .subject_id = stmt_i64(st, 2),
            .args = stmt_take_text(st, 3),
            .fence = stmt_i64(st, 4),
            .attempt = (int)stmt_i64(st, 5),
        };
    return row;
}

int job_set_args(struct db *db, int64_t id, int64_t fence, const char *args,
                 struct err *err)
{
    if (db_run(db, Q_JOB_SET_ARGS, err, SQL_I64(id), SQL_I64(fence),
               SQL_TEXT(args)) < 0)
        return -1;
    return db_changes(db) == 1;
}

int job_extend(struct db *db, int64_t id, int64_t fence, int64_t until_ns,
               struct err *err)
{
    if (db_run(db, Q_JOB_EXTEND, err, SQL_I64(id), SQL_I64(fence),
               SQL_I64(until_ns)) < 0)
        return -1;
    return db_changes(db) == 1;
}

int job_finish(struct db *db, int64_t id, int64_t fence, int64_t now_ns,
               struct err *err)
{
    if (db_run(db, Q_JOB_FINISH, err, SQL_I64(id), SQL_I64(fence),
               SQL_I64(now_ns)) < 0)
        return -1;
    return db_changes(db) == 1;
}

/* ---- leases that end without a result ------------------------------------ */

/* The job of a lease that still stands. 1, 0, -1. */
static int job_find_held(struct db *db, int64_t id, int64_t fence,
                         struct job *job, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_JOB_FIND_HELD, err, SQL_I64(id), SQL_I64(fence));
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1)
        *job = (struct job){
            .id = id,
            .fence = fence,
            .kind = job_kind_parse(stmt_text(st, 0)),
            .subject_id = stmt_i64(st, 1),
            .attempt = (int)stmt_i64(st, 2),
        };
    return row;
}

static int bot_reject_for(struct db *db, int64_t bot_id, const char *reason,
                          int64_t now_ns, struct err *err)
{
    auto_free char *message =
        mem_format("A failure of the service, not of this bot: %s. Its "
                   "organiser finds it in the log; where it names the "
                   "toolchain a simpler form of the code may do.",
                   reason);
    json_t *list = json_pack("[{s:n, s:n, s:s, s:s}]", "file", "line",
                             "severity", "error", "message", message);
    auto_free char *text = list ? json_dumps(list, JSON_COMPACT) : NULL;

    json_decref(list);
    log_line(LOG_ALARM, "db", "bot %lld rejected by a failure of ours: %s",
             (long long)bot_id, reason);
    return bot_reject(db, bot_id, text ? text : "[]", now_ns, err);
}

static int job_fail(struct db *db, const struct job *job, const char *reason,
                    int64_t now_ns, struct err *err)
{
    if (db_run(db, Q_JOB_FAIL, err, SQL_I64(job->id), SQL_TEXT(reason),
               SQL_I64(now_ns)) < 0)
        return -1;
    switch (job->kind) {
    case JOB_BUILD:
        return bot_reject_for(db, job->subject_id, reason, now_ns, err);
    case JOB_MATCH:
        log_line(LOG_ALARM, "db", "match %lld failed: %s",
                 (long long)job->subject_id, reason);
        return match_row_fail(db, job->subject_id, reason, now_ns, err);
    case JOB_VERIFY:
    case JOB_PROFILE:
    case JOB_KIND_COUNT:
        break;
    }
    return 0;
}

/* Job and subject are where they were before the lease. `query` says whether
 * the attempt counts. */
static int job_wait(struct db *db, enum query query, const struct job *job,
                    const char *reason, struct err *err)
{
    if (db_run(db, query, err, SQL_I64(job->id), SQL_TEXT(reason)) < 0)
        return -1;
    switch (job->kind) {
    case JOB_BUILD:
        return bot_set_status(db, job->subject_id, BOT_QUEUED, err);
    case JOB_MATCH:
        return match_row_wait(db, job->subject_id, err);
    case JOB_VERIFY:
    case JOB_PROFILE:
    case JOB_KIND_COUNT:
        break;
    }
    return 0;
}

int job_give_up(struct db *db, const struct job *held, const char *reason,
                int64_t now_ns, bool *failed, struct err *err)
{
    struct job job;
    int found = job_find_held(db, held->id, held->fence, &job, err);

    if (found != 1)
        return found;
    int most = job.kind == JOB_BUILD ? BUILD_MAX_ATTEMPTS : JOB_MAX_ATTEMPTS;
    *failed = job.attempt >= most;
    int result = *failed ? job_fail(db, &job, reason, now_ns, err)
                         : job_wait(db, Q_JOB_WAIT, &job, reason, err);
    return result < 0 ? -1 : 1;
}

int job_put_back(struct db *db, const struct job *held, const char *reason,
                 struct err *err)
{
    struct job job;
    int found = job_find_held(db, held->id, held->fence, &job, err);

    if (found != 1)
        return found;
    return job_wait(db, Q_JOB_PUT_BACK, &job, reason, err) < 0 ? -1 : 1;
}

int job_find_expired(struct db *db, int64_t now_ns, int64_t *id, int64_t *fence,
                     struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_JOB_FIND_EXPIRED, err, SQL_I64(now_ns));
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1) {
        *id = stmt_i64(st, 0);
        *fence = stmt_i64(st, 1);
    }
    return row;
}

int job_requeue_leased(struct db *db, int64_t *count, struct err *err)
{
    if (db_run_values(db, Q_BOT_WAIT_LEASED, NULL, 0, err) < 0 ||
        db_run_values(db, Q_MATCH_WAIT_LEASED, NULL, 0, err) < 0 ||
        db_run_values(db, Q_JOB_WAIT_LEASED, NULL, 0, err) < 0)
        return -1;
    *count = db_changes(db);
    return 0;
}

int job_cancel(struct db *db, enum job_kind kind, int64_t subject_id,
               int64_t now_ns, struct err *err)
{
    return db_run(db, Q_JOB_CANCEL, err, SQL_TEXT(job_kind_text(kind)),
                  SQL_I64(subject_id), SQL_I64(now_ns));
}

/* ---- looking ------------------------------------------------------------- */

int job_count(struct db *db, struct job_counts *counts, struct err *err)
{
    auto_stmt struct stmt *st = stmt_prepare(db, Q_JOB_COUNT, err);
    int row = st ? stmt_step(st, err) : -1;

    *counts = (struct job_counts){0};
    for (; row == 1; row = stmt_step(st, err)) {
        enum job_kind kind = job_kind_parse(stmt_text(st, 0));
        const char *status = stmt_text(st, 1);
        int64_t count = stmt_i64(st, 2);
        if (kind == JOB_KIND_COUNT)
            continue;
        if (!strcmp(status, "queued"))
            counts->queued[kind] = count;
        else if (!strcmp(status, "leased"))
            counts->leased[kind] = count;
        else if (!strcmp(status, "failed"))
            counts->failed[kind] = count;
    }
    return row;
}

int job_oldest(struct db *db, struct job_oldest *oldest, struct err *err)
{
    auto_stmt struct stmt *st = stmt_prepare(db, Q_JOB_OLDEST, err);
    int row = st ? stmt_step(st, err) : -1;

    *oldest = (struct job_oldest){0};
    for (; row == 1; row = stmt_step(st, err)) {
        int64_t since = stmt_i64(st, 1);
        if (stmt_i64(st, 0) == JOB_PRIORITY_BUILD)
            oldest->build_ns = since;
        else if (stmt_i64(st, 0) == JOB_PRIORITY_USER)
            oldest->user_ns = since;
        else
            oldest->ladder_ns = since;
    }
    return row;
}

int job_state(struct db *db, const struct job_spec *spec, const char **text,
              char **reason, struct err *err)
{
    static const char *const word[] = {"queued", "leased", "done", "failed",
                                       "cancelled"};
    auto_stmt struct stmt *st = stmt_open(
        db, Q_JOB_STATE, err, SQL_TEXT(job_kind_text(spec->kind)),
        SQL_I64(spec->subject_id), SQL_TEXT(spec->args ? spec->args : "{}"));
    int row = st ? stmt_step(st, err) : -1;

    if (row != 1)
        return row;
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) {
        if (strcmp(word[i], stmt_text(st, 0)) != 0)
            continue;
        *text = word[i];
        *reason = stmt_take_text(st, 1);
        return 1;
    }
    return err_set(err, ERR_SYSTEM, "job of %s %lld: unknown status %s",
                   job_kind_text(spec->kind), (long long)spec->subject_id,
                   stmt_text(st, 0));
}
