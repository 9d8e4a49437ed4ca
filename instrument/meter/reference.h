/* reference: the plainest placements, block by block.
 *
 * `reference` begins every piece (body.h) with
 *     R.f[k] += 1;  __bout_remaining -= charge;
 *     if (__bout_remaining < 0) { __bout_stop(); trap; }
 * and puts before every site
 *     R.f[k] += price;  __bout_remaining -= price;  (the same check)
 * With `both` the check is left out: the chords' one stops. `one` has no R.f.
 * `classic` calls __bout_increment(charge) before each terminator.
 */
#pragma once

#include "instrument/meter/body.h"
#include "instrument/meter/placement.h"
#include "instrument/meter/plan.h"

/* R.f's words: the pieces' in their order, then the sites'. */
uint32_t reference_count(const struct body *body, enum placement placement);
void reference_place(const struct body *body, enum placement placement,
                     const struct plan *plan);
