/* measures: what a match took of the machine that played it. Texts are JSON
 * objects, by names of profiler/measure/measure.def. "Writer", "Reader" as in
 * db/bots.h. */
#pragma once

#include "db/db.h"

struct measures_row {
    char *host;  /* facts of the machine; NULL: not known */
    char *match; /* what was measured */
};

void measures_row_release(struct measures_row *row);

/* Writer. Facts of a machine are kept once; `facts` may be NULL where they are
 * known. Replaces what is there of the match. */
int host_put(struct db *db, const char *hash, const char *facts,
             struct err *err);
int measures_put(struct db *db, int64_t match_id, const char *host,
                 const char *match, struct err *err);

/* Reader. 1, 0 (never measured), -1. */
int measures_find(struct db *db, int64_t match_id, struct measures_row *row,
                  struct err *err);
