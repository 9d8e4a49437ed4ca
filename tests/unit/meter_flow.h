/* meter_flow: flow graphs for the placement's unit tests. */
#pragma once

#include "instrument/meter/bound.h"
#include "instrument/meter/dominator.h"
#include "instrument/meter/flow.h"
#include "instrument/meter/frequency.h"
#include "instrument/meter/loop.h"

#include <string.h>

/* Edges as "0>1 1>2 1>1": equal probabilities for each block's. */
static inline void flow_text(struct flow *flow, uint32_t blocks,
                             const char *edges)
{
    uint32_t count[64] = {0};
    unsigned from, to;

    flow_open(flow, blocks);
    for (const char *at = edges; sscanf(at, "%u>%u", &from, &to) == 2;) {
        count[from]++;
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    for (uint32_t b = 0; b < blocks; b++) {
        flow->block[b].cost = 10 + b;
        flow->block[b].leaves = flow->block[b].returns = !count[b];
        for (const char *at = edges; sscanf(at, "%u>%u", &from, &to) == 2;) {
            if (from == b)
                flow_add_edge(flow, from, to, FLOW_ONE / count[b]);
            at += strcspn(at, " ");
            at += strspn(at, " ");
        }
    }
}

/* A pseudo-random sequence that is the same everywhere. */
static inline uint32_t flow_random(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % below);
}

/* A random function of up to 24 blocks, every block reachable from the entry
 * and able to return. */
static inline void flow_random_open(struct flow *flow, uint64_t *state)
{
    uint32_t n = 2 + flow_random(state, 23);

    flow_open(flow, n);
    for (uint32_t b = 0; b < n; b++) {
        flow->block[b].cost = 1 + flow_random(state, 40);
        if (flow_random(state, 12) == 0)
            flow->block[b].cost = 100 + flow_random(state, 3000);
        if (b + 1 == n || flow_random(state, 9) == 0) {
            flow->block[b].leaves = flow->block[b].returns = true;
            if (b + 1 == n)
                continue;
        }
        if (flow->block[b].returns)
            continue;
        flow_add_edge(flow, b, b + 1, FLOW_ONE / 2);
        for (uint32_t k = flow_random(state, 3); k > 0; k--)
            flow_add_edge(flow, b, 1 + flow_random(state, n - 1), FLOW_ONE / 4);
    }
}
