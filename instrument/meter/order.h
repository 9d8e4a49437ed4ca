/* order: blocks behind whatever they are reached from without a check: the
 * order in which ways between checks add up (bound.h). */
#pragma once

#include "instrument/meter/flow.h"

/* After fuel_choose, which leaves no cycle without a check. `order` has room
 * for the reached blocks. */
void order_find(const struct flow *flow, uint32_t *order);
