/* keeper: a thread that drops in time what is no longer to be kept
 * (db/retention.h): steps of a few milliseconds, one after the other, between
 * which whoever else writes has its turn. It also looks at the disk, and while
 * writes fail tries one now and then, so that all goes on once there is room.
 *
 * Calling order: keeper_start once the writer is open; keeper_stop before
 * writer_close. keeper_state from any thread between them.
 */
#pragma once

#include "api/http/disk.h"
#include "db/retention.h"
#include "db/writer.h"

struct keeper;

struct keeper_spec {
    struct writer *writer;
    const char *database; /* path, for reading */
    struct retention retention;
    struct disk *disk; /* to be looked at; NULL: none is */
};

struct keeper *keeper_start(const struct keeper_spec *spec, struct err *err);
void keeper_stop(struct keeper *keeper);

/* For /metrics, by part. */
struct keeper_state {
    int64_t bytes[PART_COUNT];    /* kept, when it looked last */
    uint64_t dropped[PART_COUNT]; /* matches that lost the part */
};
void keeper_state(const struct keeper *keeper, struct keeper_state *state);
