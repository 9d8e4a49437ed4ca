#include "instrument/meter/order.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

/* The next block that is reached from block `number` without a check and was
 * not seen, which it now is; block_count: there is none left. */
static uint32_t take_unseen(const struct flow *flow, uint32_t number,
                            uint32_t *next, uint8_t *seen)
{
    const struct flow_block *block = &flow->block[number];

    while (next[number] < block->edge_count) {
        const struct flow_edge *edge =
            &flow->edge[block->edge + next[number]++];
        if (edge->is_check || seen[edge->to] || flow->block[edge->to].is_check)
            continue;
        seen[edge->to] = 1;
        return edge->to;
    }
    return flow->block_count;
}

/* Depth first from every block. */
void order_find(const struct flow *flow, uint32_t *order)
{
    uint32_t n = flow->block_count;
    auto_free uint8_t *seen = mem_calloc(n + 1, 1);
    auto_free uint32_t *next = mem_calloc(n + 1, sizeof *next);
    auto_free uint32_t *stack = mem_calloc(n + 1, sizeof *stack);
    uint32_t at = flow->order_count;

    for (uint32_t i = flow->order_count; i-- > 0;) {
        uint32_t depth = 0;

        if (seen[flow->order[i]])
            continue;
        seen[flow->order[i]] = 1;
        stack[depth++] = flow->order[i];
        while (depth) {
            uint32_t to = take_unseen(flow, stack[depth - 1], next, seen);

            if (to < n)
                stack[depth++] = to;
            else
                order[--at] = stack[--depth];
        }
    }
}
