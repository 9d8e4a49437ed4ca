/* tree: which blocks and edges of a function count, and what each is worth.
 *
 * Knuth's placement (Ball and Larus, Optimally Profiling and Tracing Programs,
 * 1994), with the cost of a block as the weight of an edge. The graph has two
 * nodes for a block, its start and what is behind its charge, and EXIT, where a
 * call begins and ends. Edges:
 *   - a block's own, from start to behind, of the block's cost;
 *   - the flow's, from behind one block to the start of another;
 *   - from behind a block that returns to EXIT;
 *   - virtual ones, which no code can count: EXIT to the entry; EXIT to a block
 *     that a longjmp continues at; and from behind a pinned block to EXIT, for
 *     the calls that have not come back (yet);
 *   - a stop for each check and site: from where it stands to EXIT, taken once
 * if execution ends there: counted by the runtime. What is not on the maximum
 * spanning tree by frequency is a chord and has a counter; forced blocks,
 * forced edges and stops always have one, virtual edges never.
 *
 * Each node has a potential p, 0 at EXIT, such that a tree edge u -> v of cost
 * c has c + p(u) - p(v) = 0. A chord's weight is c + p(u) - p(v). So along any
 * path the costs add up to the chords' weights plus the difference of the
 * potentials of its ends, and the sum of weight * counter over all functions is
 * the exact count wherever every running frame stands at a node of potential 0:
 * behind a pinned block, or, with its stop's weight added, at a check or site.
 *
 * Since as much flows into a node as out of it, the executions of every tree
 * edge follow from the counters: each by one equation, from the leaves up.
 */
#pragma once

#include "instrument/meter/flow.h"

enum tree_kind {
    TREE_BLOCK,   /* of: the block */
    TREE_FLOW,    /* of: the flow's edge */
    TREE_RETURN,  /* of: the block */
    TREE_VIRTUAL, /* of: the block */
    TREE_STOP,    /* of: the chord of a check, by its number; or the site */
};

struct tree_edge {
    enum tree_kind kind;
    uint32_t of;
    uint32_t from, to; /* nodes */
    uint64_t cost;
    uint64_t frequency; /* what counting it would cost */
    bool is_chord;
    uint32_t word; /* of a chord: its counter; else FLOW_NONE or a derived */
    int64_t weight;
};

/* Executions of one tree edge: the sum of factor * word. */
struct tree_term {
    uint32_t word;
    int64_t factor;
};

struct tree_derived {
    uint32_t term, term_count; /* in tree.term */
};

/* A function's words: fuel counters, other chords, sites, stops, and then what
 * is derived from them, each from words before it. */
struct tree {
    struct tree_edge *edge;
    uint32_t edge_count, edge_capacity;
    uint32_t fuel_count;    /* words of checks, in the edges' order */
    uint32_t counter_count; /* of other chords, then of sites */
    uint32_t stop_count;    /* of checks, then of sites */
    struct tree_derived *derived;
    uint32_t derived_count;
    struct tree_term *term;
    uint32_t term_count, term_capacity;
    uint32_t *block_word; /* the executions of each block; FLOW_NONE: never */
};

/* Calling order: tree_chords after frequency_find; fuel.h and bound.h, which
 * decide what is a check; tree_finish. */
void tree_chords(struct tree *tree, const struct flow *flow);
/* `site` holds the block of each site, in their order. */
void tree_finish(struct tree *tree, const struct flow *flow,
                 const uint32_t *site, uint32_t site_count);
void tree_release(struct tree *tree);
#define auto_tree __attribute__((cleanup(tree_release)))

/* True for the chord of a check. */
bool tree_is_check(const struct flow *flow, const struct tree_edge *edge);
uint64_t tree_price(const struct flow *flow, const struct tree_edge *edge);

/* Words: the fuel counters, then the counters, then the stops. */
uint32_t tree_site_word(const struct tree *tree, uint32_t site_count,
                        uint32_t site);
uint32_t tree_word_count(const struct tree *tree);
/* The weight of each of them; `weight` has room for tree_word_count. A site's
 * counter holds prices: it weighs 1. */
void tree_weights(const struct tree *tree, int64_t *weight);
