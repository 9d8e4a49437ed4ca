/* wire: builds, played matches and profiles as parts of a parcel, and back.
 *
 * wire_put_X adds a member to the head and blobs that it refers to by index;
 * wire_get_X checks every field. What a get fills may point into the parcel:
 * keep the parcel as long.
 */
#pragma once

#include "db/bots.h"
#include "db/matches.h"
#include "db/profiles.h"
#include "runner/match/match.h"
#include "runner/work/parcel.h"

/* "build": {...}. The parcel's head must be an object. */
void wire_put_build(struct parcel *parcel, const struct build *build);
void wire_put_build_row(struct parcel *parcel, const struct build_row *row);
/* Copies, for build_row_release. */
int wire_get_build_row(const struct parcel *parcel, struct build_row *row,
                       struct err *err);
/* For build_free. */
struct build *wire_get_build(const struct parcel *parcel, struct err *err);

/* "files": [[path, size], ...], their bytes in one blob. */
void wire_put_files(struct parcel *parcel, const struct bot_files *files);
/* Likewise, of an archive that was unpacked. */
void wire_put_source(struct parcel *parcel, const struct build_source *source);
/* Adds to `source` with its checks: ERR_INPUT and ERR_TOO_BIG are the
 * submission's fault. */
int wire_get_files(const struct parcel *parcel, struct build_source *source,
                   struct err *err);

/* "match": {...}: results, turns and log. */
void wire_put_match(struct parcel *parcel, const struct match *match,
                    const struct match_spec *spec);

struct wire_match {
    /* Complete but for the ids, the fence and the time. */
    struct match_finish finish;
    struct result_row result[MATCH_ROW_MAX_SLOTS];
    struct turn_row *turn; /* owned */
};

/* Texts of "measures", "host" and "facts", as a worker sends them with a match;
 * borrowed where they are texts. */
struct wire_measures {
    char *match; /* JSON object; owned, NULL: none were sent */
    const char *host;
    const char *facts; /* NULL: sent before */
};

int wire_get_measures(const struct parcel *parcel,
                      struct wire_measures *measures, struct err *err);

void wire_match_release(struct wire_match *match);
int wire_get_match(const struct parcel *parcel, struct wire_match *match,
                   struct err *err);

/* "profiles": [[slot, blob], ...], a chunk a blob: the counters of one slot's
 * `turn`s (rows of other slots are passed over) from turn 0 to `last`, `words`
 * a turn. May be called once a slot. */
void wire_put_profile(struct parcel *parcel, const struct match_turn *turn,
                      size_t turn_count, unsigned slot, size_t words,
                      uint32_t last);

struct wire_chunk {
    unsigned slot;
    struct profile_chunk chunk;
};

struct wire_chunks {
    struct wire_chunk *chunk;
    size_t count;
};

void wire_chunks_release(struct wire_chunks *chunks);
/* None is fine. */
int wire_get_profiles(const struct parcel *parcel, struct wire_chunks *chunks,
                      struct err *err);
