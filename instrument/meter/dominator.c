#include "instrument/meter/dominator.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

/* Where the two chains of dominators meet; a lower rank is nearer the entry. */
static uint32_t meet(const struct flow *flow, const uint32_t *rank, uint32_t a,
                     uint32_t b)
{
    while (a != b) {
        while (rank[a] > rank[b])
            a = flow->block[a].dominator;
        while (rank[b] > rank[a])
            b = flow->block[b].dominator;
    }
    return a;
}

static uint32_t nearest(const struct flow *flow, const uint32_t *rank,
                        uint32_t block)
{
    const struct flow_block *of = &flow->block[block];
    uint32_t found = FLOW_NONE;

    for (uint32_t i = 0; i < of->in_count; i++) {
        uint32_t from = flow->edge[flow->in[of->in + i]].from;

        if (!flow->block[from].is_reached ||
            (from != 0 && flow->block[from].dominator == FLOW_NONE))
            continue;
        found = found == FLOW_NONE ? from : meet(flow, rank, found, from);
    }
    return found;
}

void dominator_find(struct flow *flow)
{
    auto_free uint32_t *rank = mem_calloc(flow->block_count + 1, sizeof *rank);
    bool changed = true;

    for (uint32_t i = 0; i < flow->order_count; i++)
        rank[flow->order[i]] = i;
    while (changed) {
        changed = false;
        for (uint32_t i = 1; i < flow->order_count; i++) {
            struct flow_block *block = &flow->block[flow->order[i]];
            uint32_t found = nearest(flow, rank, flow->order[i]);

            changed |= block->dominator != found;
            block->dominator = found;
        }
    }
}

bool dominator_is(const struct flow *flow, uint32_t by, uint32_t block)
{
    while (block != by && block != FLOW_NONE)
        block = flow->block[block].dominator;
    return block == by;
}
