/* check: whether what is stored holds together. "Reader" as in db/bots.h.
 *
 * Looks at the file (SQLite's integrity_check), at references between tables,
 * and at what only we know: the invariants of queries.def, CHECK_..., and each
 * finished match's log against its SHA-256.
 */
#pragma once

#include "db/db.h"

struct check_sink {
    /* Called for each fault, with a sentence that is good for the call. */
    void (*fault)(void *user, const char *text);
    /* May be NULL: so many of so many match logs are read. */
    void (*progress)(void *user, int64_t done, int64_t of);
    void *user;
};

/* Reader. How many faults were told, or -1: the database cannot be read. */
int check_run(struct db *db, const struct check_sink *sink, struct err *err);
