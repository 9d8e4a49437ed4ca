/* frequency: how often each block and edge is likely to run, in units of
 * 1 / FREQUENCY_ENTRY of the function's calls.
 *
 * A loop runs FREQUENCY_LOOP times. Probabilities are those that the edges were
 * given (frequency_edge_default where the compiler said nothing).
 * They only choose where counters are cheapest: a wrong guess costs time.
 */
#pragma once

#include "instrument/meter/flow.h"

#define FREQUENCY_ENTRY ((uint64_t)1 << 24)
#define FREQUENCY_LOOP 8u
/* An edge to what ends in a trap or the like. */
#define FREQUENCY_COLD (FLOW_ONE / 4096)

/* After loop_find. Fills block.frequency and edge.frequency. */
void frequency_find(struct flow *flow);
