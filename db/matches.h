/* matches: what is to be played, and what was.
 *
 * Life of a match: queued -> running -> finished | failed; queued or running ->
 * cancelled. match_row_add queues its job in the same transaction, and
 * match_row_finish stores results, turns, log and ends the lease in one.
 *
 * The structs are named _row because runner/match has its own struct match.
 * Verdicts and turn statuses are the words of runner/verdict.def. Row structs
 * own what they point to. "Writer" and "Reader" as in db/bots.h.
 */
#pragma once

#include "db/db.h"
#include "db/retention.h"
#include "runner/base/hash.h"

#define MATCH_ROW_MAX_SLOTS 8

#define MATCH_STATUSES(X)   \
    X(QUEUED, "queued")     \
    X(RUNNING, "running")   \
    X(FINISHED, "finished") \
    X(FAILED, "failed")     \
    X(CANCELLED, "cancelled")

enum match_status {
#define MATCH_STATUS_ENUM(name, text) MATCH_##name,
    MATCH_STATUSES(MATCH_STATUS_ENUM)
#undef MATCH_STATUS_ENUM
        MATCH_STATUS_COUNT
};

const char *match_status_text(enum match_status status);
/* MATCH_STATUS_COUNT for an unknown word. */
enum match_status match_status_parse(const char *text);

enum match_verified { MATCH_UNVERIFIED, MATCH_DIFFERS, MATCH_EQUAL };

struct result_row {
    unsigned slot;
    int64_t bot_id;
    char *bot_name;
    int64_t owner_id;
    /* The rest once finished. */
    unsigned rank; /* 1 is best; 0: not finished */
    int64_t score;
    char *verdict;
    char *detail;         /* public */
    char *private_detail; /* for the bot's owner */
    int64_t instructions;
    bool rating_known;
    double rating; /* after the match */
    double deviation;
};

struct match_row {
    int64_t id;
    char *game;
    enum match_status status;
    bool rated;
    bool profile;     /* counters are kept while playing */
    char *seed;       /* as written in the log */
    char *limits;     /* JSON object: what was lowered, "{}" if nothing */
    int64_t owner_id; /* who asked for it; 0: the ladder */
    int64_t created_ns;
    int64_t started_ns;  /* 0: not yet */
    int64_t finished_ns; /* 0: not yet */
    int64_t turns;
    char replay_sha256[HASH_HEX_SIZE]; /* "" until finished */
    enum match_verified verified;
    char *game_version; /* NULL until finished */
    char *fingerprint;  /* NULL until finished */
    char *reason;       /* why it failed, else NULL */
    int64_t batch_id;   /* 0: of none */
    int64_t queue_position;
    int64_t dropped_ns[PART_COUNT]; /* by enum retained; 0: not */
    unsigned slots;
    struct result_row result[MATCH_ROW_MAX_SLOTS];
};

struct match_row_list {
    struct match_row *row;
    size_t count;
    bool more; /* rows are left: the cursor is the last row's id */
};

struct turn_row {
    uint32_t turn;
    uint32_t slot;
    char status[16]; /* a word of verdict.def */
    bool counted;    /* else instructions is null */
    int64_t instructions;
    int64_t wall_ns;
    bool cpu_known; /* else cpu_ns is null */
    int64_t cpu_ns;
    int64_t memory_bytes;
    char *reply; /* bytes as printed */
    size_t reply_size;
    char *log; /* stderr; only for match_row_finish, lists leave it NULL */
    size_t log_size;
};

struct turn_row_list {
    struct turn_row *row;
    size_t count;
    bool more; /* rows are left: the cursor is the last (turn, slot) */
};

void match_row_release(struct match_row *match);
void match_row_list_release(struct match_row_list *list);
void turn_row_list_release(struct turn_row_list *list);

struct match_row_spec {
    const char *game;
    const int64_t *bot_id; /* by slot */
    unsigned slots;
    const char *seed;   /* decimal or 64 hex digits */
    const char *limits; /* JSON object; NULL: none lowered */
    bool rated;
    bool profile;
    int64_t owner_id; /* 0: the ladder */
    int64_t batch_id; /* 0: of none */
    int priority;     /* JOB_PRIORITY_... of db/jobs.h */
    int64_t now_ns;
};

/* Writer. Adds and queues. A bot that is missing or of another game is
 * ERR_INPUT, one that is not ready (or suspended and somebody else's, or
 * suspended and rated) ERR_CONFLICT. */
int match_row_add(struct db *db, const struct match_row_spec *spec, int64_t *id,
                  struct err *err);

/* Reader. 1, 0, -1. */
int match_row_find(struct db *db, int64_t id, struct match_row *match,
                   struct err *err);

struct match_filter {
    const char *game;         /* NULL: all */
    int64_t bot_id;           /* 0: all; else matches of this version */
    const char *bot_name;     /* NULL: all; needs game */
    enum match_status status; /* MATCH_STATUS_COUNT: all */
    int rated;                /* -1: all, 0, 1 */
    int64_t batch_id;         /* 0: all; else not together with a bot */
};

/* Reader. Newest first; ids below `before` (0: from the newest). */
int match_row_list(struct db *db, const struct match_filter *filter,
                   int64_t before, uint32_t limit, struct match_row_list *list,
                   struct err *err);

/* Reader. Is there still a build of the bot in that slot (-1: in each)? 1, 0,
 * -1. */
int match_has_builds(struct db *db, int64_t id, int slot, struct err *err);

/* Reader. By (turn, slot), from the first after the cursor; start with
 * {.turn = -1}. */
struct turn_cursor {
    int64_t turn;
    int64_t slot;
};
int turn_row_list(struct db *db, int64_t match_id, struct turn_cursor after,
                  uint32_t limit, struct turn_row_list *list, struct err *err);

/* Reader. How many turns from turns[0] to turns[1] the slot played; *least and
 * *most are the first and last of all that it played, or -1. 0, -1. */
struct turn_span {
    int64_t count;
    int64_t least;
    int64_t most;
};
int turn_row_span(struct db *db, int64_t match_id, unsigned slot,
                  const int64_t turns[2], struct turn_span *span,
                  struct err *err);

/* Reader. The match log's plain bytes, or one turn's stderr (turn -1: all of
 * the slot's, one after the other). 1, 0 (nothing kept), -1. */
int match_log_find(struct db *db, int64_t match_id, struct buf *out,
                   struct err *err);
int turn_log_find(struct db *db, int64_t match_id, unsigned slot, int64_t turn,
                  struct buf *out, struct err *err);

struct match_finish {
    int64_t match_id;
    int64_t job_id;
    int64_t fence;                   /* of the lease */
    const struct result_row *result; /* by slot */
    unsigned slots;
    const struct turn_row *turn;
    size_t turn_count;
    int64_t turns;
    const void *log; /* plain bytes of the match log */
    size_t log_size;
    const char *replay_sha256;
    const char *game_version;
    const char *fingerprint;
    int64_t now_ns;
};

/* Writer. All of a match in the caller's transaction. 1: stored; 0: the lease
 * was lost (somebody else's result counts, or it was cancelled): drop it. */
int match_row_finish(struct db *db, const struct match_finish *finish,
                     struct err *err);

/* Writer. A lease has begun; a match that failed for good. */
int match_row_start(struct db *db, int64_t id, int64_t now_ns, struct err *err);
int match_row_fail(struct db *db, int64_t id, const char *reason,
                   int64_t now_ns, struct err *err);
/* Writer. The match waits again after a failure of ours. */
int match_row_wait(struct db *db, int64_t id, struct err *err);

/* Writer. queued or running -> cancelled; failed or cancelled -> queued, if its
 * bots could play a new match for that user too. ERR_CONFLICT from any other
 * state, ERR_MISSING. */
int match_row_cancel(struct db *db, int64_t id, int64_t now_ns,
                     struct err *err);
int match_row_requeue(struct db *db, int64_t id, int64_t user_id,
                      int64_t now_ns, struct err *err);

/* Writer. The answer of a verify job. */
int match_row_set_verified(struct db *db, int64_t id, bool equal,
                           struct err *err);
