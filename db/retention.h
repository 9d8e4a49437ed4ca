/* retention: what is dropped in time, so that a disk does not fill for ever.
 *
 * A part of a match (its replay, its stderr, its profiles) is dropped when it
 * is older than its kind is kept, and the oldest of a kind when the kind takes
 * more bytes than it may. Where it was, the match says when it went; record,
 * results, turns and ratings do not depend on it. Rows that came to their end
 * (jobs, deliveries, ...) go by age alone. All that may go stands in
 * retention.def.
 *
 * Dropping is done in steps, each small enough for a transaction that no writer
 * notices. "Writer" and "Reader" as in db/bots.h.
 */
#pragma once

#include "db/db.h"

#include <jansson.h>

enum retained {
#define PART(name, number, word, days, gib, text) RETAINED_##name,
#define ENDED(name, word, days, text) RETAINED_##name,
#include "db/retention.def"
    RETAINED_COUNT
};

/* Parts come first in retention.def: this is the first that is none. */
#define PART_COUNT RETAINED_JOBS

struct retention {
    int64_t age_s[RETAINED_COUNT]; /* 0: for ever */
    int64_t bytes[PART_COUNT];     /* 0: no bound */
};

const char *retained_word(enum retained retained);
const char *retained_sentence(enum retained retained);

/* The defaults, as `--keep` and `--disk` take them, a space before each:
 * " replays=365d ...". */
extern const char retention_ages[];
extern const char retention_sizes[];

void retention_init(struct retention *retention);
/* "replays=90d,logs=12h,profiles=forever": s, m, h and d. ERR_INPUT. */
int retention_read_ages(struct retention *retention, const char *text,
                        struct err *err);
/* "replays=10G,logs=none": K, M, G and T of 1,024. ERR_INPUT. */
int retention_read_sizes(struct retention *retention, const char *text,
                         struct err *err);

/* {"replays": {"seconds", "bytes"}, ...} of the parts, null where there is no
 * bound: what users are told. A new reference. */
json_t *retention_json(const struct retention *retention);

/* Writer. So many bytes of this part of the match are stored since then; what
 * was said before of that part is replaced. */
int part_note(struct db *db, int64_t match_id, enum retained part,
              int64_t since_ns, int64_t bytes, struct err *err);
/* Writer. The same of its stderr (nothing, if there is none; once a match) and
 * of its profiles, added up from what is stored. */
int part_note_logs(struct db *db, int64_t match_id, int64_t since_ns,
                   struct err *err);
int part_note_profiles(struct db *db, int64_t match_id, int64_t since_ns,
                       struct err *err);

/* Reader. Bytes of all parts of that kind. Reads an index of them all. */
int part_bytes(struct db *db, enum retained part, int64_t *bytes,
               struct err *err);
/* Reader. Is there a part of the kind from before then? 1, 0, -1. */
int part_is_due(struct db *db, enum retained part, int64_t before_ns,
                struct err *err);

/* Reader. What the file holds and does not use: it is filled before it grows.
 */
int db_free_bytes(struct db *db, int64_t *bytes, struct err *err);

struct part_drop {
    enum retained part;
    int64_t before_ns;  /* these go in any case */
    int64_t over_bytes; /* and as many more, oldest first */
    int64_t now_ns;
    int64_t dropped_bytes; /* by this step */
};

/* Writer. One step; how many matches lost the part, 0 when nothing is left to
 * drop. A match that is about to be played again keeps its replay. */
int part_drop(struct db *db, struct part_drop *drop, struct err *err);

/* Writer. One step for rows that ended before then; how many went. */
int ended_drop(struct db *db, enum retained ended, int64_t before_ns,
               struct err *err);
