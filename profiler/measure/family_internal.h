/* family: a process and its descendants, summed.
 *
 * The living are read from /proc; what has ended is in its parent's account
 * once it was waited for (wait4(2)). For this process's own children that is
 * getrusage(RUSAGE_CHILDREN), in microseconds; the rest is in clock ticks.
 * A process whose parent ended is found only where this process adopts orphans
 * (PR_SET_CHILD_SUBREAPER): bout measure does.
 */
#pragma once

#include "profiler/measure/measure.h"

#include <stdint.h>

struct family {
    uint64_t user_us;
    uint64_t system_us;
    uint64_t resident_kb; /* of the living */
};

/* Only differences of the times between two calls mean something. */
void family_read(const struct measure_spec *spec, struct family *out);

/* Whether `pid` is measured: one of whose spec speaks. */
bool family_has(const struct measure_spec *spec, pid_t pid);
