#include "instrument/meter/frequency.h"

#define FREQUENCY_MAX ((uint64_t)1 << 56)

static bool leaves_loop(const struct flow *flow, const struct flow_edge *edge)
{
    uint32_t loop = flow->block[edge->from].loop;
    uint32_t of = flow->block[edge->to].loop;

    while (of != FLOW_NONE && of != loop)
        of = flow->block[of].outer;
    return of != loop;
}

/* Shares a block's frequency among its edges: those out of its loop get at most
 * one in FREQUENCY_LOOP together. */
static void share(struct flow *flow, const struct flow_block *block)
{
    struct flow_edge *edge = flow->edge + block->edge;
    uint64_t stay = 0;
    uint64_t leave = 0;
    uint64_t whole = 0;

    for (uint32_t i = 0; i < block->edge_count; i++) {
        uint64_t *sum = leaves_loop(flow, &edge[i]) ? &leave : &stay;

        edge[i].frequency = edge[i].probability ? edge[i].probability : 1;
        *sum += edge[i].frequency;
    }
    for (uint32_t i = 0; i < block->edge_count; i++) {
        if (stay && leave * (FREQUENCY_LOOP - 1) > stay &&
            leaves_loop(flow, &edge[i]))
            edge[i].frequency =
                edge[i].frequency * stay / (leave * (FREQUENCY_LOOP - 1));
        whole += edge[i].frequency;
    }
    for (uint32_t i = 0; i < block->edge_count && whole; i++)
        edge[i].frequency =
            block->frequency / whole * edge[i].frequency +
            block->frequency % whole * edge[i].frequency / whole;
}

void frequency_find(struct flow *flow)
{
    for (uint32_t i = 0; i < flow->order_count; i++) {
        uint32_t number = flow->order[i];
        struct flow_block *block = &flow->block[number];
        uint64_t sum = number == 0 ? FREQUENCY_ENTRY : 0;
        bool heads = false;

        for (uint32_t k = 0; k < block->in_count; k++) {
            const struct flow_edge *edge = &flow->edge[flow->in[block->in + k]];

            if (edge->is_retreating)
                heads = true;
            else if (flow->block[edge->from].is_reached)
                sum = flow_add(sum, edge->frequency);
        }
        if (heads)
            sum *= FREQUENCY_LOOP;
        block->frequency = sum > FREQUENCY_MAX ? FREQUENCY_MAX : sum;
        share(flow, block);
    }
}
