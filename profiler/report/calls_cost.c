/* calls_cost: costs flow from callees to callers.
 *
 * Functions that call each other in a circle are one group: its strongly
 * connected component (Tarjan, 1972; here without recursion, since a bot may
 * have call chains of any length). Groups are met callees first, so a group's
 * cost is known when its callers want it:
 *   cost of a group = its functions' own + what its edges out of it cost;
 *   an edge into it gets that cost by its share of the calls from outside.
 * Inside a group an edge gets what makes each member cost what the group does.
 */
#include "profiler/report/calls_cost_internal.h"

#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

struct node {
    uint32_t first_edge; /* edges are sorted by caller */
    uint32_t next_edge;  /* not looked at yet */
    uint32_t end_edge;
    uint32_t index; /* order of visit from 1; 0: not visited */
    uint32_t low;
    uint32_t group;
    bool is_open; /* on the stack of open nodes */
    uint64_t own;
};

struct group {
    uint64_t cost;
    uint64_t calls; /* from outside */
    uint64_t given_calls;
};

struct flow {
    const struct profile *profile;
    struct call_graph *graph;
    struct node *node;
    struct group *group;
    uint32_t group_count;
    uint32_t visited;
    uint32_t *open; /* Tarjan's stack */
    size_t open_count;
    uint32_t *path; /* instead of recursion */
    size_t path_count;
    uint32_t *member; /* functions by group, callees' groups first */
    size_t member_count;
};

static uint32_t caller_of(const struct flow *flow, const struct call_edge *edge)
{
    return flow->profile->place[edge->place].owner;
}

static void visit(struct flow *flow, uint32_t function)
{
    struct node *node = &flow->node[function];

    node->index = node->low = ++flow->visited;
    node->is_open = true;
    flow->open[flow->open_count++] = function;
    flow->path[flow->path_count++] = function;
}

static void close_group(struct flow *flow, uint32_t root)
{
    uint32_t function;

    do {
        function = flow->open[--flow->open_count];
        flow->node[function].is_open = false;
        flow->node[function].group = flow->group_count;
        flow->member[flow->member_count++] = function;
    } while (function != root);
    flow->group_count++;
}

static void leave(struct flow *flow, uint32_t function)
{
    const struct node *node = &flow->node[function];

    flow->path_count--;
    if (flow->path_count) {
        struct node *above = &flow->node[flow->path[flow->path_count - 1]];
        if (node->low < above->low)
            above->low = node->low;
    }
    if (node->low == node->index)
        close_group(flow, function);
}

static void find_groups(struct flow *flow, uint32_t start)
{
    visit(flow, start);
    while (flow->path_count) {
        uint32_t function = flow->path[flow->path_count - 1];
        struct node *node = &flow->node[function];

        if (node->next_edge == node->end_edge) {
            leave(flow, function);
            continue;
        }
        uint32_t callee = flow->graph->edge[node->next_edge++].callee;
        const struct node *other = &flow->node[callee];
        if (!other->index)
            visit(flow, callee);
        else if (other->is_open && other->index < node->low)
            node->low = other->index;
    }
}

/* ---- costs --------------------------------------------------------------- */

static void count_outside_calls(struct flow *flow)
{
    const struct call_graph *graph = flow->graph;
    auto_free uint64_t *inside = mem_calloc(flow->group_count + 1, 8);
    auto_free uint64_t *outside = mem_calloc(flow->group_count + 1, 8);

    for (size_t i = 0; i < graph->edge_count; i++) {
        uint32_t to = flow->node[graph->edge[i].callee].group;
        bool is_inside =
            flow->node[caller_of(flow, &graph->edge[i])].group == to;
        (is_inside ? inside : outside)[to] += graph->edge[i].count;
    }
    for (size_t f = 0; f < graph->functions; f++)
        flow->group[flow->node[f].group].calls += graph->entries[f];
    for (uint32_t g = 0; g < flow->group_count; g++) {
        struct group *group = &flow->group[g];
        group->calls -= inside[g] < group->calls ? inside[g] : group->calls;
        if (group->calls < outside[g])
            group->calls = outside[g];
    }
}

/* The function's own cost and that of its calls to other groups. */
static uint64_t cost_outward(struct flow *flow, uint32_t function)
{
    const struct node *node = &flow->node[function];
    uint64_t cost = node->own;

    for (uint32_t e = node->first_edge; e < node->end_edge; e++) {
        struct call_edge *edge = &flow->graph->edge[e];
        struct group *group = &flow->group[flow->node[edge->callee].group];

        if (group == &flow->group[node->group])
            continue;
        edge->inclusive = share_between(group->cost, group->given_calls,
                                        edge->count, group->calls);
        group->given_calls += edge->count;
        cost += edge->inclusive;
    }
    return cost;
}

/* How often a function calls members of its own group. */
static uint64_t count_inward(const struct flow *flow, const struct node *node)
{
    uint64_t count = 0;

    for (uint32_t e = node->first_edge; e < node->end_edge; e++) {
        const struct call_edge *edge = &flow->graph->edge[e];
        if (flow->node[edge->callee].group == node->group)
            count += edge->count;
    }
    return count;
}

/* `rest` is what the function lacks to the group's cost. */
static void cost_inward(struct flow *flow, uint32_t function, uint64_t rest)
{
    const struct node *node = &flow->node[function];
    uint64_t whole = count_inward(flow, node);
    uint64_t before = 0;

    for (uint32_t e = node->first_edge; e < node->end_edge; e++) {
        struct call_edge *edge = &flow->graph->edge[e];
        if (flow->node[edge->callee].group != node->group)
            continue;
        edge->inclusive = share_between(rest, before, edge->count, whole);
        before += edge->count;
    }
}

static void cost_groups(struct flow *flow)
{
    auto_free uint64_t *outward = mem_calloc(flow->graph->functions + 1, 8);

    for (size_t i = 0; i < flow->member_count;) {
        uint32_t number = flow->node[flow->member[i]].group;
        struct group *group = &flow->group[number];
        size_t end = i;

        for (; end < flow->member_count &&
               flow->node[flow->member[end]].group == number;
             end++) {
            uint32_t function = flow->member[end];
            outward[function] = cost_outward(flow, function);
            group->cost += outward[function];
        }
        for (; i < end; i++)
            cost_inward(flow, flow->member[i],
                        group->cost - outward[flow->member[i]]);
    }
}

static void set_up_nodes(struct flow *flow, const uint64_t *words)
{
    const struct profile *profile = flow->profile;
    const struct call_graph *graph = flow->graph;

    for (size_t i = 0; i < profile->share_count; i++) {
        const struct share *share = &profile->share[i];
        flow->node[profile->place[share->place].owner].own +=
            words[share->word] * share->instructions;
    }
    for (size_t e = 0; e < graph->edge_count; e++) {
        struct node *node = &flow->node[caller_of(flow, &graph->edge[e])];
        if (!node->end_edge)
            node->first_edge = node->next_edge = (uint32_t)e;
        node->end_edge = (uint32_t)e + 1;
    }
}

void calls_cost(const struct profile *profile, const uint64_t *words,
                struct call_graph *graph)
{
    size_t count = graph->functions;
    auto_free struct node *node = mem_calloc(count + 1, sizeof *node);
    auto_free struct group *group = mem_calloc(count + 1, sizeof *group);
    auto_free uint32_t *stacks = mem_calloc(3 * count + 1, sizeof *stacks);
    struct flow flow = {
        .profile = profile,
        .graph = graph,
        .node = node,
        .group = group,
        .open = stacks,
        .path = stacks + count,
        .member = stacks + 2 * count,
    };

    set_up_nodes(&flow, words);
    for (uint32_t f = 0; f < count; f++)
        if (!node[f].index)
            find_groups(&flow, f);
    count_outside_calls(&flow);
    cost_groups(&flow);
}
