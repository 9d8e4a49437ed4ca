/* dominator: the immediate dominator of every reached block.
 *
 * Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001).
 */
#pragma once

#include "instrument/meter/flow.h"

/* After flow_close. Fills block.dominator; the entry has none. */
void dominator_find(struct flow *flow);

/* True if every path to `block` passes `by`, or they are the same. */
bool dominator_is(const struct flow *flow, uint32_t by, uint32_t block);
