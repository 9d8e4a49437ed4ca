/* profile: the block profile of one slot of a match that kept its counters. */
#pragma once

#include "profiler/report/report.h"
#include "runner/match/match.h"

/* The tables of the build and of the installed library with the sources, and no
 * turn yet. The tables are held by the caller: keep `build` and *library (a new
 * reference) until profile_free. NULL with *err. */
struct profile *match_profile_new(const struct build *build, json_t **library,
                                  struct err *err);

/* Adds the rows of `slot` among `turn`, whose counters were kept. */
void match_profile_add(struct profile *profile, const struct match_turn *turn,
                       size_t count, unsigned slot);

/* Writes FOLDER/slot-N.ENDING over all turns of each slot, in every format of
 * profiler/report/format.def, and FOLDER/match.trace.json with the turns of all
 * slots beside each other. */
int match_profile_save(const struct match_spec *spec, const struct match *match,
                       const char *folder, struct err *err);
