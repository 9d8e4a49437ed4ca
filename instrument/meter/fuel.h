/* fuel: which chords are checks, so that no cycle runs without one.
 *
 * What is not a chord is a tree, which has no cycle; so every cycle of the flow
 * passes a chord. Of those, as few are checks as still part every cycle, the
 * rarest kept; and each loop has its own, outside of the loops in it, so that
 * the prices of an inner loop's checks need not cover the outer loop's body.
 */
#pragma once

#include "instrument/meter/tree.h"

/* After loop_find and tree_chords. Sets is_check of blocks and edges; forced
 * ones are. */
void fuel_choose(struct flow *flow, const struct tree *tree);
