#include "instrument/meter/callgraph.h"

#include "instrument/meter/ir.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <stdlib.h>

void callgraph_release(struct callgraph *graph)
{
    free(graph->node);
    free(graph->callee);
    free(graph->order);
    *graph = (struct callgraph){0};
}

/* By address, for finding alone: no order that shows depends on it. */
static int by_function(const void *a, const void *b)
{
    const struct callgraph_node *x = a;
    const struct callgraph_node *y = b;

    return (uintptr_t)x->function < (uintptr_t)y->function
               ? -1
               : (uintptr_t)x->function > (uintptr_t)y->function;
}

uint32_t callgraph_find(const struct callgraph *graph, LLVMValueRef function)
{
    const struct callgraph_node key = {.function = function};
    const struct callgraph_node *found =
        bsearch(&key, graph->node, graph->count, sizeof key, by_function);

    return found ? (uint32_t)(found - graph->node) : UINT32_MAX;
}

bool callgraph_is_round(const struct callgraph *graph, uint32_t caller,
                        uint32_t callee)
{
    return graph->node[caller].group == graph->node[callee].group;
}

static void add_callees(struct callgraph *graph, struct callgraph_node *node)
{
    auto_ir_list struct ir_list all = {0};

    ir_instructions(node->function, &all);
    node->callee = graph->callee_count;
    for (size_t i = 0; i < all.count; i++) {
        if (!LLVMIsACallInst(all.at[i]))
            continue;
        uint32_t callee = callgraph_find(graph, LLVMGetCalledValue(all.at[i]));
        if (callee == UINT32_MAX)
            continue;
        if (graph->callee_count == graph->callee_capacity) {
            graph->callee_capacity = graph->callee_capacity * 2 + 256;
            graph->callee = mem_realloc(
                graph->callee, graph->callee_capacity * sizeof *graph->callee);
        }
        graph->callee[graph->callee_count++] = callee;
        node->callee_count++;
    }
}

/* ---- groups ---------------------------------------------------------------
 */

struct search {
    struct callgraph *graph;
    uint32_t *open; /* nodes that have no group yet */
    uint32_t open_count;
    uint32_t *path; /* of the depth-first walk */
    uint32_t *next; /* callee to look at, by node */
    uint32_t index, group, done;
};

static void enter(struct search *search, uint32_t number, uint32_t *depth)
{
    struct callgraph_node *node = &search->graph->node[number];

    node->index = node->low = ++search->index;
    search->open[search->open_count++] = number;
    search->path[(*depth)++] = number;
}

/* All its callees are seen: a group is whole when nothing leads further up. */
static void leave(struct search *search, uint32_t number)
{
    struct callgraph *graph = search->graph;

    if (graph->node[number].low != graph->node[number].index)
        return;
    search->group++;
    uint32_t member;
    do {
        member = search->open[--search->open_count];
        graph->node[member].group = search->group;
        graph->order[search->done++] = member;
    } while (member != number);
}

static void lower_low(struct callgraph_node *node, uint32_t low)
{
    if (low < node->low)
        node->low = low;
}

static void walk_from(struct search *search, uint32_t root)
{
    struct callgraph *graph = search->graph;
    uint32_t depth = 0;

    enter(search, root, &depth);
    while (depth) {
        uint32_t number = search->path[depth - 1];
        struct callgraph_node *node = &graph->node[number];

        if (search->next[number] == node->callee_count) {
            leave(search, number);
            if (--depth)
                lower_low(&graph->node[search->path[depth - 1]], node->low);
            continue;
        }
        uint32_t callee = graph->callee[node->callee + search->next[number]++];
        if (!graph->node[callee].index)
            enter(search, callee, &depth);
        else if (!graph->node[callee].group)
            lower_low(node, graph->node[callee].index);
    }
}

void callgraph_open(struct callgraph *graph, LLVMModuleRef module)
{
    auto_ir_list struct ir_list bodies = {0};

    ir_bodies(module, &bodies);
    *graph = (struct callgraph){.count = (uint32_t)bodies.count};
    graph->node = mem_calloc(graph->count + 1, sizeof *graph->node);
    graph->order = mem_calloc(graph->count + 1, sizeof *graph->order);
    for (uint32_t i = 0; i < graph->count; i++)
        graph->node[i].function = bodies.at[i];
    qsort(graph->node, graph->count, sizeof *graph->node, by_function);
    /* In the module's order, so that numbers do not depend on addresses. */
    for (uint32_t i = 0; i < graph->count; i++)
        add_callees(graph, &graph->node[callgraph_find(graph, bodies.at[i])]);

    auto_free uint32_t *open = mem_calloc(graph->count + 1, sizeof *open);
    auto_free uint32_t *path = mem_calloc(graph->count + 1, sizeof *path);
    auto_free uint32_t *next = mem_calloc(graph->count + 1, sizeof *next);
    struct search search = {
        .graph = graph, .open = open, .path = path, .next = next};
    for (uint32_t i = 0; i < graph->count; i++) {
        uint32_t root = callgraph_find(graph, bodies.at[i]);

        if (!graph->node[root].index)
            walk_from(&search, root);
    }
}
