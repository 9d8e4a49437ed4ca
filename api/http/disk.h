/* disk: how full the file system of the data is, and what rests for it.
 *
 * From the first level on the ladder rests, from the second batches are
 * refused, from the third whatever stores is (507), and nothing is played that
 * could not be stored. Pages that the database has free count as free room:
 * they are used again. A write that fails for want of room, or because the disk
 * takes none, counts as the last level at once, whatever the file system says,
 * until a write has succeeded again (db/writer.h, writer_trouble).
 *
 * One thread looks (keeper.c); all else is safe from any thread. A NULL disk
 * has room for everything.
 */
#pragma once

#include "db/writer.h"

#include <stdbool.h>

struct disk;
struct request;

enum disk_level { DISK_FINE, DISK_LOW, DISK_TIGHT, DISK_FULL };
#define DISK_LEVELS 3 /* above DISK_FINE */

struct disk_spec {
    const char *folder; /* of the data */
    struct writer *writer;
    unsigned percent[DISK_LEVELS]; /* used, from where a level begins */
};

/* "80,90,95" into percent: rising, 1 to 100. ERR_INPUT. */
int disk_read_levels(unsigned percent[DISK_LEVELS], const char *text,
                     struct err *err);

struct disk *disk_new(const struct disk_spec *spec);
void disk_free(struct disk *disk);

/* Looks at the file system, and logs when the level has changed. */
void disk_look(struct disk *disk, int64_t free_in_database_bytes);

struct disk_state {
    enum disk_level level;
    bool failing;       /* writes fail, or the file system is read-only */
    bool takes_none;    /* and not for want of room */
    double used;        /* 0 to 1 */
    const char *reason; /* a clause for people; NULL where all is well */
};
void disk_state(const struct disk *disk, struct disk_state *state);

bool disk_has_room_for_ladder(const struct disk *disk);
/* To play what waits: its result must find room. */
bool disk_has_room_for_matches(const struct disk *disk);

/* May this request, which writes, go on? Answers 507, or 503 where the disk
 * takes no writes at all, otherwise. What ends or frees something always may.
 */
bool disk_allows(struct request *request);
