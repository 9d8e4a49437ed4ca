/* dispatch: gives queued work to workers and takes what they bring back.
 *
 * A thread of its own starts the workers (processes, one a core), answers their
 * requests over socketpairs, and stores each result in one transaction with
 * the ratings and the end of the lease. It also ends leases that ran out,
 * restarts workers that died, and lets the ladder queue rated matches.
 *
 * Calling order: dispatch_start once the writer is open; dispatch_kick from any
 * thread, after a commit that queued something; dispatch_stop before
 * writer_close. Stopping kills the workers: their leases are queued again at
 * the next start.
 */
#pragma once

#include "api/http/disk.h"
#include "db/writer.h"

#include <sys/types.h>

struct dispatch;

/* One game that may be played, as `bout games` lists it. */
struct dispatch_game {
    const char *name;
    unsigned min_slots;
    unsigned max_slots;
};

struct dispatch_spec {
    struct writer *writer;
    const char *database;             /* path, for reading */
    const char *worker_path;          /* the bout program; NULL: this one */
    unsigned workers;                 /* 0: one a core */
    const struct dispatch_game *game; /* for the ladder */
    size_t game_count;
    const struct disk *disk;         /* NULL: it has room */
    struct selfprofile *selfprofile; /* NULL: workers do not profile */
    int64_t suspend_after; /* losses in a row by crash or net; 0: never */
    double ladder_per_s;   /* rated matches queued a second at most; 0: none */

    /* Told after a commit that changed a bot or a match (id of either), on the
     * dispatcher's thread; must be quick. For ?wait= and the hot lists. */
    void (*changed)(void *user, const char *what, int64_t id);
    void *user;
};

struct dispatch *dispatch_start(const struct dispatch_spec *spec,
                                struct err *err);
void dispatch_kick(struct dispatch *dispatch);
void dispatch_stop(struct dispatch *dispatch);

/* For /metrics and /readyz. */
struct dispatch_state {
    unsigned workers; /* alive */
    unsigned busy;
    unsigned quarantined; /* workers that failed too often: they rest */
    uint64_t restarts;
    uint64_t failures; /* jobs given up for good */
};
void dispatch_state(struct dispatch *dispatch, struct dispatch_state *state);
