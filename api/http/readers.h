/* readers: reading connections, lent to one thread at a time. As many exist as
 * were ever in use at once, which is the number of HTTP threads. */
#pragma once

#include "db/db.h"

struct readers;

struct readers *readers_new(const char *database);
void readers_free(struct readers *readers);

/* NULL on failure. Hand back with readers_put; NULL is fine there. */
struct db *readers_take(struct readers *readers, struct err *err);
void readers_put(struct readers *readers, struct db *db);
