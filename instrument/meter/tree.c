#include "instrument/meter/tree.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <assert.h>
#include <stdlib.h>

void tree_release(struct tree *tree)
{
    free(tree->edge);
    free(tree->derived);
    free(tree->term);
    free(tree->block_word);
    *tree = (struct tree){0};
}

static uint32_t start_of(uint32_t block)
{
    return 1 + 2 * block;
}

static uint32_t behind(uint32_t block)
{
    return 2 + 2 * block;
}

#define EXIT 0u

/* ---- the graph ------------------------------------------------------------
 */

static struct tree_edge *add_edge(struct tree *tree, enum tree_kind kind,
                                  uint32_t of, uint32_t from, uint32_t to)
{
    if (tree->edge_count == tree->edge_capacity) {
        tree->edge_capacity = tree->edge_capacity * 2 + 64;
        tree->edge =
            mem_realloc(tree->edge, tree->edge_capacity * sizeof *tree->edge);
    }
    struct tree_edge *edge = &tree->edge[tree->edge_count++];
    *edge = (struct tree_edge){
        .kind = kind, .of = of, .from = from, .to = to, .word = FLOW_NONE};
    return edge;
}

static void add_blocks_edges(struct tree *tree, const struct flow *flow,
                             uint32_t number)
{
    const struct flow_block *block = &flow->block[number];
    struct tree_edge *own =
        add_edge(tree, TREE_BLOCK, number, start_of(number), behind(number));

    own->cost = block->cost;
    /* A folded loop's block would count its rounds: never a chord. */
    own->frequency = block->times > 1 ? UINT64_MAX : block->frequency;
    for (uint32_t i = 0; i < block->edge_count && !block->is_setjmp; i++) {
        const struct flow_edge *way = &flow->edge[block->edge + i];
        struct tree_edge *edge = add_edge(tree, TREE_FLOW, block->edge + i,
                                          behind(number), start_of(way->to));

        edge->frequency = flow_edge_price(flow, way);
    }
    if (block->is_entered_again)
        add_edge(tree, TREE_VIRTUAL, number, EXIT, start_of(number));
    if (block->is_pinned || block->is_setjmp ||
        (block->leaves && !block->returns))
        add_edge(tree, TREE_VIRTUAL, number, behind(number), EXIT);
    else if (block->returns)
        add_edge(tree, TREE_RETURN, number, behind(number), EXIT)->frequency =
            block->frequency;
}

bool tree_is_check(const struct flow *flow, const struct tree_edge *edge)
{
    return (edge->kind == TREE_BLOCK && flow->block[edge->of].is_check) ||
           (edge->kind == TREE_FLOW && flow->edge[edge->of].is_check);
}

uint64_t tree_price(const struct flow *flow, const struct tree_edge *edge)
{
    return edge->kind == TREE_BLOCK ? flow->block[edge->of].price
                                    : flow->edge[edge->of].price;
}

static void add_stop(struct tree *tree, uint32_t of, uint32_t from)
{
    add_edge(tree, TREE_STOP, of, from, EXIT)->is_chord = true;
}

static void add_stops(struct tree *tree, const struct flow *flow,
                      const uint32_t *site, uint32_t site_count)
{
    uint32_t count = tree->edge_count;

    for (uint32_t i = 0; i < count; i++)
        if (tree->edge[i].is_chord && tree_is_check(flow, &tree->edge[i]))
            add_stop(tree, i, tree->edge[i].to);
    for (uint32_t i = 0; i < site_count; i++)
        add_stop(tree, i, behind(site[i]));
}

static void add_edges(struct tree *tree, const struct flow *flow)
{
    add_edge(tree, TREE_VIRTUAL, 0, EXIT, start_of(0));
    for (uint32_t i = 0; i < flow->block_count; i++)
        if (flow->block[i].is_reached)
            add_blocks_edges(tree, flow, i);
}

/* ---- the spanning tree ----------------------------------------------------
 */

struct candidate {
    uint64_t frequency;
    uint32_t edge;
};

static int dearest_first(const void *a, const void *b)
{
    const struct candidate *x = a;
    const struct candidate *y = b;

    if (x->frequency != y->frequency)
        return x->frequency > y->frequency ? -1 : 1;
    return x->edge < y->edge ? -1 : x->edge > y->edge;
}

static uint32_t find_root(uint32_t *parent, uint32_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

static bool join(uint32_t *parent, const struct tree_edge *edge)
{
    uint32_t from = find_root(parent, edge->from);
    uint32_t to = find_root(parent, edge->to);

    parent[from] = to;
    return from != to;
}

static bool must_be_chord(const struct flow *flow, const struct tree_edge *edge)
{
    return (edge->kind == TREE_BLOCK && flow->block[edge->of].is_forced) ||
           (edge->kind == TREE_FLOW && flow->edge[edge->of].is_forced);
}

/* Kruskal: virtual edges first, then by what a counter would cost. */
static void choose_chords(struct tree *tree, const struct flow *flow)
{
    uint32_t nodes = 1 + 2 * flow->block_count;
    auto_free uint32_t *parent = mem_calloc(nodes, sizeof *parent);
    auto_free struct candidate *list =
        mem_calloc(tree->edge_count + 1, sizeof *list);
    uint32_t count = 0;

    for (uint32_t i = 0; i < nodes; i++)
        parent[i] = i;
    for (uint32_t i = 0; i < tree->edge_count; i++) {
        struct tree_edge *edge = &tree->edge[i];

        edge->is_chord = edge->kind != TREE_VIRTUAL;
        if (edge->kind == TREE_VIRTUAL)
            join(parent, edge);
        else if (!must_be_chord(flow, edge))
            list[count++] = (struct candidate){edge->frequency, i};
    }
    qsort(list, count, sizeof *list, dearest_first);
    for (uint32_t i = 0; i < count; i++)
        if (join(parent, &tree->edge[list[i].edge]))
            tree->edge[list[i].edge].is_chord = false;
}

/* Checks' counters first, in the order of their stops. */
static void give_words(struct tree *tree, const struct flow *flow,
                       uint32_t site_count)
{
    uint32_t fuel = 0;
    uint32_t counter = 0;
    uint32_t stop = 0;

    for (uint32_t i = 0; i < tree->edge_count; i++) {
        struct tree_edge *edge = &tree->edge[i];

        if (!edge->is_chord)
            continue;
        if (edge->kind == TREE_STOP)
            edge->word = stop++;
        else if (tree_is_check(flow, edge))
            edge->word = fuel++;
        else
            edge->word = counter++;
    }
    tree->fuel_count = fuel;
    tree->counter_count = counter + site_count;
    tree->stop_count = stop;
    for (uint32_t i = 0; i < tree->edge_count; i++) {
        struct tree_edge *edge = &tree->edge[i];

        if (edge->is_chord && edge->kind == TREE_STOP)
            edge->word += fuel + counter + site_count;
        else if (edge->is_chord && !tree_is_check(flow, edge))
            edge->word += fuel;
    }
}

/* ---- walking the tree -----------------------------------------------------
 */

/* The tree's edges at each node, and a root's way to every node. */
struct walk {
    uint32_t *first; /* of each node, in `edge`; one more at the end */
    uint32_t *edge;
    uint32_t *order; /* nodes, each behind its parent */
    uint32_t *up;    /* the edge to the parent; FLOW_NONE: a root */
    uint32_t node_count;
};

static void release_walk(struct walk *walk)
{
    free(walk->first);
    free(walk->edge);
    free(walk->order);
    free(walk->up);
}

/* All edges at a node, chords too. */
static void gather(struct walk *walk, const struct tree *tree)
{
    walk->first = mem_calloc(walk->node_count + 2, sizeof *walk->first);
    walk->edge = mem_calloc(2 * tree->edge_count + 1, sizeof *walk->edge);
    for (uint32_t i = 0; i < tree->edge_count; i++) {
        walk->first[tree->edge[i].from + 1]++;
        walk->first[tree->edge[i].to + 1]++;
    }
    for (uint32_t i = 0; i < walk->node_count; i++)
        walk->first[i + 1] += walk->first[i];
    auto_free uint32_t *at = mem_calloc(walk->node_count + 1, sizeof *at);
    for (uint32_t i = 0; i < tree->edge_count; i++) {
        uint32_t from = tree->edge[i].from;
        uint32_t to = tree->edge[i].to;

        walk->edge[walk->first[from] + at[from]++] = i;
        walk->edge[walk->first[to] + at[to]++] = i;
    }
}

static void visit_from(struct walk *walk, const struct tree *tree,
                       uint8_t *seen, uint32_t root, uint32_t *count)
{
    uint32_t at = *count;

    seen[root] = 1;
    walk->up[root] = FLOW_NONE;
    walk->order[(*count)++] = root;
    for (; at < *count; at++) {
        uint32_t node = walk->order[at];

        for (uint32_t i = walk->first[node]; i < walk->first[node + 1]; i++) {
            const struct tree_edge *edge = &tree->edge[walk->edge[i]];
            uint32_t other = edge->from == node ? edge->to : edge->from;

            if (edge->is_chord || seen[other])
                continue;
            seen[other] = 1;
            walk->up[other] = walk->edge[i];
            walk->order[(*count)++] = other;
        }
    }
}

static void walk_tree(struct walk *walk, const struct tree *tree,
                      uint32_t node_count)
{
    auto_free uint8_t *seen = mem_calloc(node_count, 1);
    uint32_t count = 0;

    walk->node_count = node_count;
    gather(walk, tree);
    walk->order = mem_calloc(node_count, sizeof *walk->order);
    walk->up = mem_calloc(node_count, sizeof *walk->up);
    for (uint32_t i = 0; i < node_count; i++)
        if (!seen[i])
            visit_from(walk, tree, seen, i, &count);
}

/* ---- weights --------------------------------------------------------------
 */

static void weigh(struct tree *tree, const struct walk *walk)
{
    auto_free int64_t *potential =
        mem_calloc(walk->node_count, sizeof *potential);

    for (uint32_t i = 0; i < walk->node_count; i++) {
        uint32_t node = walk->order[i];

        if (walk->up[node] == FLOW_NONE)
            continue;
        const struct tree_edge *edge = &tree->edge[walk->up[node]];
        if (edge->to == node)
            potential[node] = potential[edge->from] + (int64_t)edge->cost;
        else
            potential[node] = potential[edge->to] - (int64_t)edge->cost;
    }
    for (uint32_t i = 0; i < tree->edge_count; i++) {
        struct tree_edge *edge = &tree->edge[i];

        edge->weight =
            (int64_t)edge->cost + potential[edge->from] - potential[edge->to];
        assert(edge->is_chord || !edge->weight);
    }
}

/* ---- executions -----------------------------------------------------------
 */

static void add_term(struct tree *tree, uint32_t word, int64_t factor)
{
    if (tree->term_count == tree->term_capacity) {
        tree->term_capacity = tree->term_capacity * 2 + 256;
        tree->term =
            mem_realloc(tree->term, tree->term_capacity * sizeof *tree->term);
    }
    tree->term[tree->term_count++] =
        (struct tree_term){.word = word, .factor = factor};
}

/* The edge from a node up to its parent, by all the others of the node. */
static void solve_node(struct tree *tree, const struct walk *walk,
                       uint32_t node)
{
    struct tree_edge *up = &tree->edge[walk->up[node]];
    struct tree_derived *derived = &tree->derived[tree->derived_count];
    int64_t outward = up->from == node ? 1 : -1;

    derived->term = tree->term_count;
    for (uint32_t i = walk->first[node]; i < walk->first[node + 1]; i++) {
        const struct tree_edge *edge = &tree->edge[walk->edge[i]];

        if (edge != up)
            add_term(tree, edge->word, edge->to == node ? outward : -outward);
    }
    derived->term_count = tree->term_count - derived->term;
    up->word = tree_word_count(tree) + tree->derived_count++;
}

/* A folded block runs `times` for each pass. */
static uint32_t executions_of(struct tree *tree, const struct flow *flow,
                              const struct tree_edge *edge)
{
    uint64_t times = flow->block[edge->of].times;

    if (times == 1)
        return edge->word;
    tree->derived[tree->derived_count] =
        (struct tree_derived){.term = tree->term_count, .term_count = 1};
    add_term(tree, edge->word, (int64_t)times);
    return tree_word_count(tree) + tree->derived_count++;
}

static void solve(struct tree *tree, const struct flow *flow,
                  const struct walk *walk)
{
    tree->derived = mem_calloc(walk->node_count + flow->block_count + 1,
                               sizeof *tree->derived);
    for (uint32_t i = walk->node_count; i-- > 0;)
        if (walk->up[walk->order[i]] != FLOW_NONE)
            solve_node(tree, walk, walk->order[i]);
    for (uint32_t i = 0; i < tree->edge_count; i++)
        if (tree->edge[i].kind == TREE_BLOCK)
            tree->block_word[tree->edge[i].of] =
                executions_of(tree, flow, &tree->edge[i]);
}

/* ---- all of it ------------------------------------------------------------
 */

void tree_chords(struct tree *tree, const struct flow *flow)
{
    *tree = (struct tree){0};
    add_edges(tree, flow);
    choose_chords(tree, flow);
}

void tree_finish(struct tree *tree, const struct flow *flow,
                 const uint32_t *site, uint32_t site_count)
{
    __attribute__((cleanup(release_walk))) struct walk walk = {0};

    tree->block_word = mem_calloc(flow->block_count + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < flow->block_count; i++)
        tree->block_word[i] = FLOW_NONE;
    add_stops(tree, flow, site, site_count);
    give_words(tree, flow, site_count);
    walk_tree(&walk, tree, 1 + 2 * flow->block_count);
    weigh(tree, &walk);
    solve(tree, flow, &walk);
}

uint32_t tree_site_word(const struct tree *tree, uint32_t site_count,
                        uint32_t site)
{
    return tree->fuel_count + tree->counter_count - site_count + site;
}

uint32_t tree_word_count(const struct tree *tree)
{
    return tree->fuel_count + tree->counter_count + tree->stop_count;
}

void tree_weights(const struct tree *tree, int64_t *weight)
{
    for (uint32_t i = 0; i < tree_word_count(tree); i++)
        weight[i] = 1;
    for (uint32_t i = 0; i < tree->edge_count; i++)
        if (tree->edge[i].is_chord)
            weight[tree->edge[i].word] = tree->edge[i].weight;
}
