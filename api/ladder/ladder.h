/* ladder: rated matches between active versions, and what they do to ratings.
 *
 * All functions run on the writing connection, inside its transaction. Chance
 * (seeds, opponents, seats) comes from the system's generator.
 */
#pragma once

#include "db/db.h"

struct ladder_spec {
    const char *game;
    unsigned slots;       /* bots a match */
    unsigned most;        /* matches to queue at most in this call */
    int64_t most_pending; /* a bot's queued or running rated matches */
    int64_t now_ns;
};

/* Queues up to `most` matches; *queued says how many. */
int ladder_fill(struct db *db, const struct ladder_spec *spec, unsigned *queued,
                struct err *err);

/* A version that became ready: its first rating, from the version before it
 * where there is one. Once rated, nothing changes. */
int ladder_enter(struct db *db, int64_t bot_id, struct err *err);

/* A match that has just finished (in the same transaction): rates it if it is
 * rated. More than two players count as a game against each of the others. */
int ladder_rate(struct db *db, int64_t match_id, struct err *err);
