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

/* Writes FOLDER/slot-N.txt, .json and .csv over all turns of the slot. */
int match_profile_save(const struct match_spec *spec, const struct match *match,
                       unsigned slot, const char *folder, struct err *err);
