/* match_order: a match that is asked for, alone or in a batch. */
#pragma once

#include "api/http/fields.h"
#include "api/http/games.h"
#include "db/matches.h"

struct matches_order {
    const struct games_row *game;
    int64_t bot[MATCH_ROW_MAX_SLOTS];
    size_t bots;
    char *seed; /* owned; NULL: drawn when it is queued */
    char *limits;
    bool rated;
    bool profile;
};

/* A seed of the system generator, as 64 hex digits; to be freed. */
char *matches_random_seed(void);

void matches_order_release(struct matches_order *order);

/* Takes the order's members; what is wrong is noted. */
void matches_order_read(struct fields *fields, struct matches_order *order);

/* May this client have it, of bots that can play? 1; 0: answered; -1. `prefix`
 * as in fields.h. */
int matches_order_check(struct request *request, struct db *db,
                        const struct matches_order *order, const char *prefix,
                        struct err *err);

/* Writer. Queues it, of a batch or (0) of none. */
int matches_order_queue(struct request *request, struct db *db,
                        const struct matches_order *order, int64_t batch_id,
                        int64_t *id, struct err *err);
