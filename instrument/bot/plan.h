/* plan: what the runtime must know of a linked bot's counters; `__bout_plan`,
 * defined by bout-meter (layout.c) in the executable's read-only data.
 *
 * The counters stand in hidden memory at PAGE_HIDDEN_COUNTERS, group by group:
 * fuel, counters, stops, reference (instrument/meter/plan.h, tree.h).
 */
#pragma once

#include <stdint.h>

enum plan_placement {
#define PLACEMENT(NAME, name, text) PLAN_##NAME,
#include "instrument/placement.def"
};

/* The fuel counter of a stop that is a site's. */
#define PLAN_SITE 0xffffffffu

struct bot_plan {
    uint64_t placement; /* enum plan_placement */
    uint64_t fuel, counters, stops, reference;
    /* The weights of fuel, counters and stops; then for each stop its check:
     * price << 32 | fuel counter. */
    uint64_t word[];
};

extern const struct bot_plan __bout_plan;
