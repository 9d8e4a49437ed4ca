/* gauge: what matches take of the machine, measured by the worker that plays
 * them.
 *
 * Order: gauge_open once a worker; gauge_begin and gauge_end around a match;
 * gauge_close. Measuring costs some tenths of a millisecond, so a match that is
 * over sooner than GAUGE_LEAST_MS has its times alone; what is measured of the
 * others began at most GAUGE_SPAN_MS before they did.
 */
#pragma once

#include "runner/base/hash.h"

#include <jansson.h>
#include <stdint.h>

#define GAUGE_LEAST_MS 10
#define GAUGE_SPAN_MS 100

struct gauge {
    char *facts; /* of this machine, JSON: does not change */
    char hash[HASH_HEX_SIZE];
    struct measure_tracking *tracking;
    uint64_t tracking_ns; /* since when */
    uint64_t begin_ns;
    int64_t begin_wall_ns;
};

void gauge_open(struct gauge *gauge);
void gauge_close(struct gauge *gauge);

void gauge_begin(struct gauge *gauge);

/* {"TIME_START": ..., ...}: null where the machine has it not, or the match was
 * too short. New reference. */
json_t *gauge_end(struct gauge *gauge);
