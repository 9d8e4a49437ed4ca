/* loop: the natural loops of a function.
 *
 * A retreating edge to a block that dominates its source makes that block a
 * loop's header; the loop is what reaches the source without passing it. A
 * cycle that is entered in two places has no header: its blocks count to the
 * loop around it.
 */
#pragma once

#include "instrument/meter/flow.h"

struct loop {
    uint32_t header;
    uint32_t *block; /* of its body, inner loops included, in flow's order */
    uint32_t block_count;
};

struct loops {
    struct loop *at; /* inner loops before outer ones */
    uint32_t count;
};

/* After dominator_find. Fills block.loop and block.outer. */
void loop_find(struct flow *flow, struct loops *loops);
/* True if `block` belongs to the loop, or to one inside of it. */
bool loop_has(const struct flow *flow, uint32_t header, uint32_t block);
/* The header of the innermost loop that an edge does not leave or enter. */
uint32_t loop_of_edge(const struct flow *flow, const struct flow_edge *edge);
void loop_release(struct loops *loops);
#define auto_loops __attribute__((cleanup(loop_release)))
