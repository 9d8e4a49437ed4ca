/* batches: matches that were asked for together. "Writer", "Reader" as in
 * db/bots.h. */
#pragma once

#include "db/db.h"
#include "db/matches.h"

#define BATCH_MAX_MATCHES 300

struct batch_standing {
    int64_t bot_id;
    char *name;
    int64_t games; /* finished */
    int64_t wins;  /* alone in front */
    int64_t losses;
    int64_t score; /* the game's, added up */
};

struct batch {
    int64_t id;
    int64_t owner_id;
    char *owner;
    int64_t created_ns;
    int64_t count[MATCH_STATUS_COUNT]; /* of its matches, by status */
    int64_t *match;
    size_t matches;
    int64_t open;                    /* one that is not over, 0: all are */
    struct batch_standing *standing; /* most wins first */
    size_t standings;
};

void batch_release(struct batch *batch);

/* Writer. Its matches are added with its id. */
int batch_add(struct db *db, int64_t owner_id, int64_t now_ns, int64_t *id,
              struct err *err);
/* Reader. 1, 0, -1. */
int batch_find(struct db *db, int64_t id, struct batch *batch, struct err *err);
