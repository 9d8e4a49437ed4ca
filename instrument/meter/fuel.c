#include "instrument/meter/fuel.h"

#include "instrument/meter/loop.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <stdlib.h>
#include <string.h>

/* In large functions every chord is a check rather than that each is tried. */
#define FUEL_STEPS_MAX ((uint64_t)1 << 27)

/* A depth-first walk that does not pass checks. */
struct walk {
    uint8_t *state;
    uint32_t *next;
    uint32_t *stack;
};

enum state { STATE_NEW, STATE_OPEN, STATE_DONE };

static bool finds_cycle(const struct flow *flow, struct walk *walk,
                        uint32_t from)
{
    uint32_t depth = 0;

    walk->state[from] = STATE_OPEN;
    walk->stack[depth++] = from;
    while (depth) {
        uint32_t top = walk->stack[depth - 1];
        const struct flow_block *block = &flow->block[top];

        if (walk->next[top] == block->edge_count) {
            walk->state[top] = STATE_DONE;
            depth--;
            continue;
        }
        const struct flow_edge *edge =
            &flow->edge[block->edge + walk->next[top]++];
        if (edge->is_check || flow->block[edge->to].is_check)
            continue;
        if (walk->state[edge->to] == STATE_OPEN)
            return true;
        if (walk->state[edge->to] == STATE_DONE)
            continue;
        walk->state[edge->to] = STATE_OPEN;
        walk->stack[depth++] = edge->to;
    }
    return false;
}

static bool has_cycle(const struct flow *flow, struct walk *walk)
{
    memset(walk->state, STATE_NEW, flow->block_count);
    memset(walk->next, 0, flow->block_count * sizeof *walk->next);
    for (uint32_t i = 0; i < flow->order_count; i++)
        if (walk->state[flow->order[i]] == STATE_NEW &&
            finds_cycle(flow, walk, flow->order[i]))
            return true;
    return false;
}

/* True if the loop can be gone round without passing a check that lies in it
 * and in no loop inside. */
static bool goes_round(const struct flow *flow, struct walk *walk,
                       uint32_t header)
{
    uint32_t depth = 0;

    if (flow->block[header].is_check && flow->block[header].loop == header)
        return false;
    memset(walk->state, STATE_NEW, flow->block_count);
    walk->stack[depth++] = header;
    while (depth) {
        const struct flow_block *block = &flow->block[walk->stack[--depth]];

        for (uint32_t i = 0; i < block->edge_count; i++) {
            const struct flow_edge *edge = &flow->edge[block->edge + i];
            const struct flow_block *to = &flow->block[edge->to];

            if (!loop_has(flow, header, edge->to) ||
                (edge->is_check && loop_of_edge(flow, edge) == header))
                continue;
            if (edge->to == header)
                return true;
            if (walk->state[edge->to] != STATE_NEW ||
                (to->is_check && to->loop == header))
                continue;
            walk->state[edge->to] = STATE_DONE;
            walk->stack[depth++] = edge->to;
        }
    }
    return false;
}

struct candidate {
    uint64_t frequency;
    bool *is_check;
    uint32_t loop; /* the innermost */
    uint32_t edge;
};

static int often_first(const void *a, const void *b)
{
    const struct candidate *x = a;
    const struct candidate *y = b;

    if (x->frequency != y->frequency)
        return x->frequency > y->frequency ? -1 : 1;
    return x->edge < y->edge ? -1 : x->edge > y->edge;
}

static uint32_t collect(struct flow *flow, const struct tree *tree,
                        struct candidate *list)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < tree->edge_count; i++) {
        const struct tree_edge *edge = &tree->edge[i];
        struct candidate candidate = {.frequency = edge->frequency, .edge = i};

        if (!edge->is_chord)
            continue;
        if (edge->kind == TREE_BLOCK && !flow->block[edge->of].is_forced) {
            candidate.is_check = &flow->block[edge->of].is_check;
            candidate.loop = flow->block[edge->of].loop;
        } else if (edge->kind == TREE_FLOW && !flow->edge[edge->of].is_forced) {
            candidate.is_check = &flow->edge[edge->of].is_check;
            candidate.loop = loop_of_edge(flow, &flow->edge[edge->of]);
        } else {
            continue;
        }
        *candidate.is_check = true;
        list[count++] = candidate;
    }
    return count;
}

void fuel_choose(struct flow *flow, const struct tree *tree)
{
    auto_free uint8_t *state = mem_calloc(flow->block_count + 1, 1);
    auto_free uint32_t *next = mem_calloc(flow->block_count + 1, sizeof *next);
    auto_free uint32_t *stack =
        mem_calloc(flow->block_count + 1, sizeof *stack);
    auto_free struct candidate *list =
        mem_calloc(tree->edge_count + 1, sizeof *list);
    struct walk walk = {state, next, stack};

    for (uint32_t i = 0; i < flow->block_count; i++)
        flow->block[i].is_check = flow->block[i].is_forced;
    for (uint32_t i = 0; i < flow->edge_count; i++)
        flow->edge[i].is_check = flow->edge[i].is_forced;
    uint32_t count = collect(flow, tree, list);
    uint64_t step = (uint64_t)flow->block_count + flow->edge_count;
    if (count * step > FUEL_STEPS_MAX)
        return;
    qsort(list, count, sizeof *list, often_first);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t loop = list[i].loop;
        bool was_parted = loop != FLOW_NONE && !goes_round(flow, &walk, loop);

        *list[i].is_check = false;
        *list[i].is_check = (was_parted && goes_round(flow, &walk, loop)) ||
                            has_cycle(flow, &walk);
    }
}
