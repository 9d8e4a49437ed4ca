#include "instrument/meter/flow.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <assert.h>
#include <stdlib.h>

uint64_t flow_add(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

uint64_t flow_edge_price(const struct flow *flow, const struct flow_edge *edge)
{
    bool is_critical = flow->block[edge->from].edge_count > 1 &&
                       flow->block[edge->to].in_count > 1;

    return is_critical ? edge->frequency + edge->frequency / 2
                       : edge->frequency;
}

void flow_open(struct flow *flow, uint32_t block_count)
{
    *flow = (struct flow){.block_count = block_count};
    flow->block = mem_calloc(block_count + 1, sizeof *flow->block);
    for (uint32_t i = 0; i < block_count; i++) {
        flow->block[i].times = 1;
        flow->block[i].dominator = FLOW_NONE;
        flow->block[i].loop = FLOW_NONE;
        flow->block[i].outer = FLOW_NONE;
    }
}

void flow_release(struct flow *flow)
{
    free(flow->block);
    free(flow->edge);
    free(flow->call);
    free(flow->in);
    free(flow->order);
    *flow = (struct flow){0};
}

void flow_add_edge(struct flow *flow, uint32_t from, uint32_t to,
                   uint32_t probability)
{
    struct flow_block *block = &flow->block[from];

    assert(from < flow->block_count && to < flow->block_count);
    if (!block->edge_count)
        block->edge = flow->edge_count;
    assert(block->edge + block->edge_count == flow->edge_count);
    for (uint32_t i = block->edge; i < flow->edge_count; i++) {
        if (flow->edge[i].to == to) {
            flow->edge[i].probability += probability;
            return;
        }
    }
    if (flow->edge_count == flow->edge_capacity) {
        flow->edge_capacity = flow->edge_capacity * 2 + 64;
        flow->edge =
            mem_realloc(flow->edge, flow->edge_capacity * sizeof *flow->edge);
    }
    flow->edge[flow->edge_count++] =
        (struct flow_edge){.from = from, .to = to, .probability = probability};
    block->edge_count++;
}

void flow_add_call(struct flow *flow, uint32_t block,
                   const struct flow_summary *callee)
{
    struct flow_block *of = &flow->block[block];

    if (!of->call_count)
        of->call = flow->call_count;
    assert(of->call + of->call_count == flow->call_count);
    if (flow->call_count == flow->call_capacity) {
        flow->call_capacity = flow->call_capacity * 2 + 64;
        flow->call =
            mem_realloc(flow->call, flow->call_capacity * sizeof *flow->call);
    }
    flow->call[flow->call_count++] =
        (struct flow_call){.callee = *callee, .block = block};
    of->call_count++;
}

/* Numbers of the edges, those of one target together. */
static void gather_in(struct flow *flow)
{
    uint32_t at = 0;

    flow->in = mem_calloc(flow->edge_count + 1, sizeof *flow->in);
    for (uint32_t i = 0; i < flow->edge_count; i++)
        flow->block[flow->edge[i].to].in_count++;
    for (uint32_t b = 0; b < flow->block_count; b++) {
        flow->block[b].in = at;
        at += flow->block[b].in_count;
        flow->block[b].in_count = 0;
    }
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        struct flow_block *to = &flow->block[flow->edge[i].to];

        flow->in[to->in + to->in_count++] = i;
    }
}

enum visit { VISIT_NEW, VISIT_OPEN, VISIT_DONE };

struct walk {
    uint32_t block;
    uint32_t next; /* edge */
};

/* Depth first without recursion: an edge to an open block is retreating. */
static void find_order(struct flow *flow)
{
    uint32_t n = flow->block_count;
    auto_free uint8_t *state = mem_calloc(n + 1, sizeof *state);
    auto_free struct walk *stack = mem_calloc(n + 1, sizeof *stack);
    uint32_t depth = 0;
    uint32_t at = n;

    flow->order = mem_calloc(n + 1, sizeof *flow->order);
    state[0] = VISIT_OPEN;
    stack[depth++] = (struct walk){.block = 0};
    while (depth) {
        struct walk *top = &stack[depth - 1];
        struct flow_block *block = &flow->block[top->block];

        if (top->next == block->edge_count) {
            state[top->block] = VISIT_DONE;
            block->is_reached = true;
            flow->order[--at] = top->block;
            depth--;
            continue;
        }
        struct flow_edge *edge = &flow->edge[block->edge + top->next++];
        edge->is_retreating = state[edge->to] == VISIT_OPEN;
        if (state[edge->to] == VISIT_NEW) {
            state[edge->to] = VISIT_OPEN;
            stack[depth++] = (struct walk){.block = edge->to};
        }
    }
    flow->order_count = n - at;
    for (uint32_t i = 0; i < flow->order_count; i++)
        flow->order[i] = flow->order[at + i];
}

void flow_close(struct flow *flow)
{
    gather_in(flow);
    find_order(flow);
}
