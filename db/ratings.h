/* ratings: what the ladder thinks of each version. Glicko-2 itself is in
 * api/ladder; here are only the numbers. "Writer", "Reader" as in db/bots.h.
 */
#pragma once

#include "db/db.h"

struct rating {
    int64_t bot_id;
    double rating;
    double deviation;
    double volatility;
    int64_t games;
    int64_t wins;
    int64_t losses;
    int64_t ties;
};

/* A row of the leaderboard: an active version. */
struct standing {
    int64_t rank; /* 1 is best; equal ratings share one */
    int64_t bot_id;
    char *name;
    uint32_t version;
    int64_t owner_id;
    char *owner;
    struct rating rating;
};

struct standing_list {
    struct standing *row;
    size_t count;
    bool more; /* rows are left: the cursor is the last (rating, bot id) */
};

void standing_list_release(struct standing_list *list);

/* Reader. 1, 0 (never rated), -1. */
int rating_find(struct db *db, int64_t bot_id, struct rating *rating,
                struct err *err);

/* Reader. That of the newest older version of the same name that has one. */
int rating_find_previous(struct db *db, int64_t bot_id, struct rating *rating,
                         struct err *err);

/* Writer. Inserts or replaces. */
int rating_put(struct db *db, const struct rating *rating, struct err *err);

/* Writer. What the match made of the slot's rating, for its page. */
int rating_note(struct db *db, int64_t match_id, unsigned slot,
                const struct rating *after, struct err *err);

/* Reader. Best first, ties by id; from the first after the cursor, which
 * starts as {.bot_id = 0}. */
struct standing_cursor {
    double rating;
    int64_t bot_id;
};
int standing_list(struct db *db, const char *game, struct standing_cursor after,
                  uint32_t limit, struct standing_list *list, struct err *err);

/* Reader. How often each pair met lately, for the choice of opponents: the
 * rated matches of `bot_id` that are queued, running or among its last 100. */
struct meeting {
    int64_t opponent_id;
    int64_t count;
    int64_t as_first; /* of these, bot_id in the lower slot */
};
struct meeting_list {
    struct meeting *row;
    size_t count;
};
void meeting_list_release(struct meeting_list *list);
int meeting_list(struct db *db, int64_t bot_id, struct meeting_list *list,
                 struct err *err);
