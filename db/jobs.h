/* jobs: the queue. The table is the truth; a worker holds a lease on a row.
 *
 * Life of a job: queued -> leased -> done | failed | cancelled; leased ->
 * queued when the lease ends without a result (worker died, hung, or failed):
 * three attempts, then failed. Each lease has a new fence number; whatever a
 * worker sends counts only with the fence of the lease that still stands, so a
 * result is taken once, whoever was slow.
 *
 * Priority first: uploads, then what users ask for, then the ladder. Within a
 * priority users take turns: a job's round is the one after its user's last
 * that waits, or the round that is on, and rounds go in order, the oldest job
 * of a round first. So who queues 300 matches is served one a round, and a
 * newcomer waits for one round at most.
 * "Writer" and "Reader" as in db/bots.h.
 */
#pragma once

#include "db/db.h"

#define JOB_MAX_ATTEMPTS 3

#define JOB_KINDS(X)    \
    X(BUILD, "build")   \
    X(MATCH, "match")   \
    X(VERIFY, "verify") \
    X(PROFILE, "profile")

enum job_kind {
#define JOB_KIND_ENUM(name, text) JOB_##name,
    JOB_KINDS(JOB_KIND_ENUM)
#undef JOB_KIND_ENUM
        JOB_KIND_COUNT
};

const char *job_kind_text(enum job_kind kind);

/* Someone waits for an upload or a profile; the ladder fills what is left. */
enum job_priority {
    JOB_PRIORITY_LADDER = 0,
    JOB_PRIORITY_USER = 10,
    JOB_PRIORITY_BUILD = 20,
};

struct job {
    int64_t id;
    enum job_kind kind;
    int64_t subject_id; /* of a build: the bot; else the match */
    char *args;         /* JSON object; "{}" */
    int64_t fence;
    int attempt; /* 1, 2, 3 */
};

void job_release(struct job *job);

struct job_spec {
    enum job_kind kind;
    int64_t subject_id;
    const char *args; /* NULL: "{}" */
    int priority;
    int64_t user_id; /* whose turn it takes; 0: nobody's, as the ladder's */
    int64_t now_ns;
};

/* Writer. An equal job (kind, subject, args) that is queued or leased is not
 * added again: *id is that one's. */
int job_add(struct db *db, const struct job_spec *spec, int64_t *id,
            struct err *err);

/* Writer. Leases the next job until `until_ns`. One statement, so that no job
 * has two holders. 1: *job is filled; 0: nothing to do; -1. */
int job_lease(struct db *db, const char *holder, int64_t until_ns,
              struct job *job, struct err *err);

/* Writer. The args of a job that is held; its next lease has them. 1, 0, -1. */
int job_set_args(struct db *db, int64_t id, int64_t fence, const char *args,
                 struct err *err);

/* Writer. 1: still held, until then; 0: lost. */
int job_extend(struct db *db, int64_t id, int64_t fence, int64_t until_ns,
               struct err *err);

/* Writer. Ends the lease with success. 1; 0: lost. */
int job_finish(struct db *db, int64_t id, int64_t fence, int64_t now_ns,
               struct err *err);

/* Writer. Ends the lease of *held (its id and fence count) without a result:
 * queued again, or failed for good with `reason` after JOB_MAX_ATTEMPTS, in
 * which case the bot is rejected or the match fails with it (*failed is set).
 * 1; 0: lost. */
int job_give_up(struct db *db, const struct job *held, const char *reason,
                int64_t now_ns, bool *failed, struct err *err);

/* Writer. As job_give_up, but it was nobody's fault: queued again, and the
 * attempt is not counted. 1; 0: lost. */
int job_put_back(struct db *db, const struct job *held, const char *reason,
                 struct err *err);

/* Writer. A lease whose time is over, if there is one: 1, with id and fence
 * for job_give_up; 0; -1. */
int job_find_expired(struct db *db, int64_t now_ns, int64_t *id, int64_t *fence,
                     struct err *err);

/* Writer. At the start of a server: no worker of an earlier one is left, so
 * every leased job is queued again, and the attempt is not counted. */
int job_requeue_leased(struct db *db, int64_t *count, struct err *err);

/* Writer. Queued or leased jobs of this subject end as cancelled. */
int job_cancel(struct db *db, enum job_kind kind, int64_t subject_id,
               int64_t now_ns, struct err *err);

struct job_counts {
    int64_t queued[JOB_KIND_COUNT];
    int64_t leased[JOB_KIND_COUNT];
    int64_t failed[JOB_KIND_COUNT];
};

/* Reader. For /metrics and the ladder. */
int job_count(struct db *db, struct job_counts *counts, struct err *err);

/* Reader. When the oldest job that waits came, by lane; 0: none waits. */
struct job_oldest {
    int64_t build_ns;
    int64_t user_ns;
    int64_t ladder_ns;
};
int job_oldest(struct db *db, struct job_oldest *oldest, struct err *err);

/* Reader. How it stands with the latest job of spec's kind, subject and args:
 * 1: `*text` is "queued", "leased", "done", "failed" or "cancelled" (static),
 * and *reason (to be freed) why it failed, else NULL; 0: there is none. */
int job_state(struct db *db, const struct job_spec *spec, const char **text,
              char **reason, struct err *err);
