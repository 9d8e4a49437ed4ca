#include "instrument/meter/loop.h"

#include "instrument/meter/dominator.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <stdlib.h>
#include <string.h>

void loop_release(struct loops *loops)
{
    for (uint32_t i = 0; i < loops->count; i++)
        free(loops->at[i].block);
    free(loops->at);
    *loops = (struct loops){0};
}

static bool is_back_edge(const struct flow *flow, const struct flow_edge *edge)
{
    return edge->is_retreating && dominator_is(flow, edge->to, edge->from);
}

/* Marks what reaches `from` without passing the marked header. */
static void mark_body(const struct flow *flow, uint32_t from, uint8_t *mark,
                      uint32_t *stack)
{
    uint32_t depth = 0;

    if (mark[from])
        return;
    mark[from] = 1;
    stack[depth++] = from;
    while (depth) {
        const struct flow_block *block = &flow->block[stack[--depth]];

        for (uint32_t i = 0; i < block->in_count; i++) {
            uint32_t before = flow->edge[flow->in[block->in + i]].from;

            if (!flow->block[before].is_reached || mark[before])
                continue;
            mark[before] = 1;
            stack[depth++] = before;
        }
    }
}

/* The loop of `header`; block_count is 0 if it heads none. */
static struct loop find_one(const struct flow *flow, uint32_t header,
                            uint8_t *mark, uint32_t *stack)
{
    const struct flow_block *block = &flow->block[header];
    struct loop loop = {.header = header};
    bool found = false;

    memset(mark, 0, flow->block_count);
    mark[header] = 1;
    for (uint32_t i = 0; i < block->in_count; i++) {
        const struct flow_edge *edge = &flow->edge[flow->in[block->in + i]];

        if (!is_back_edge(flow, edge))
            continue;
        found = true;
        mark_body(flow, edge->from, mark, stack);
    }
    if (!found)
        return loop;
    loop.block = mem_calloc(flow->order_count, sizeof *loop.block);
    for (uint32_t i = 0; i < flow->order_count; i++)
        if (mark[flow->order[i]])
            loop.block[loop.block_count++] = flow->order[i];
    return loop;
}

static bool has_retreating_in(const struct flow *flow, uint32_t block)
{
    const struct flow_block *of = &flow->block[block];

    for (uint32_t i = 0; i < of->in_count; i++)
        if (flow->edge[flow->in[of->in + i]].is_retreating)
            return true;
    return false;
}

/* Who is first claims a block; whose header is claimed already lies inside. */
static void claim(struct flow *flow, const struct loop *loop)
{
    for (uint32_t i = 0; i < loop->block_count; i++) {
        struct flow_block *block = &flow->block[loop->block[i]];

        if (block->loop == FLOW_NONE)
            block->loop = loop->header;
        else if (block->loop == loop->block[i] && block->outer == FLOW_NONE &&
                 loop->block[i] != loop->header)
            block->outer = loop->header;
    }
}

/* An inner header comes after the outer one in the order, so the loops are
 * found from the last to the first. */
void loop_find(struct flow *flow, struct loops *loops)
{
    auto_free uint8_t *mark = mem_calloc(flow->block_count + 1, 1);
    auto_free uint32_t *stack =
        mem_calloc(flow->block_count + 1, sizeof *stack);

    *loops = (struct loops){0};
    loops->at = mem_calloc(flow->order_count + 1, sizeof *loops->at);
    for (uint32_t i = flow->order_count; i-- > 0;) {
        if (!has_retreating_in(flow, flow->order[i]))
            continue;
        struct loop loop = find_one(flow, flow->order[i], mark, stack);

        if (!loop.block_count)
            continue;
        loops->at[loops->count++] = loop;
        claim(flow, &loop);
    }
}

bool loop_has(const struct flow *flow, uint32_t header, uint32_t block)
{
    uint32_t of = flow->block[block].loop;

    while (of != FLOW_NONE && of != header)
        of = flow->block[of].outer;
    return of == header;
}

uint32_t loop_of_edge(const struct flow *flow, const struct flow_edge *edge)
{
    uint32_t loop = flow->block[edge->from].loop;

    while (loop != FLOW_NONE && !loop_has(flow, loop, edge->to))
        loop = flow->block[loop].outer;
    return loop;
}
