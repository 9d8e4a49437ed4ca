/* flow: a function's control flow as numbers, for the placement of counters.
 *
 * No LLVM in here: flow_ir.h reads a function into one, tests write them by
 * hand. Block 0 is the entry. Calling order: flow_open, flow_add_edge and the
 * blocks' fields, flow_close; then dominator.h, loop.h, frequency.h, bound.h
 * and tree.h, each of which fills in the fields that it owns.
 *
 * All numbers are integers, so that every host places alike.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLOW_NONE UINT32_MAX
#define FLOW_ONE 65536u /* a certain edge's probability */

/* What calling a function means for the instructions that are executed between
 * two checks (bound.h). Weights are charges; -1: no such path. */
struct flow_summary {
    int64_t through;   /* heaviest path from entry to return with no check */
    int64_t tail;      /* from a check to return */
    int64_t head;      /* from entry to a check */
    int64_t tolerance; /* what may be unpaid when it is entered */
    bool checks;       /* it, or what it calls, has a check */
    bool stops;        /* the count is read, or execution ends, in it */
};

struct flow_call {
    struct flow_summary callee;
    uint32_t block;
};

struct flow_edge {
    uint32_t from, to;
    uint32_t probability; /* of FLOW_ONE */
    uint64_t frequency;   /* frequency.h */
    uint64_t price;       /* bound.h: of a check */
    bool is_retreating;   /* against the depth-first order: closes a cycle */
    bool is_forced;       /* bound.h: it has to be a check */
    bool is_check;        /* fuel.h, bound.h: its counter carries fuel */
};

struct flow_block {
    uint64_t cost;      /* of one pass, all executions together */
    uint64_t times;     /* executions for one pass: more than 1 when folded */
    uint64_t frequency; /* frequency.h */
    uint32_t edge, edge_count; /* leaving it, in flow.edge */
    uint32_t in, in_count;     /* arriving, in flow.in */
    uint32_t call, call_count; /* in flow.call, in the order of execution */
    uint32_t dominator;        /* dominator.h; FLOW_NONE: none, or unreached */
    uint32_t loop;             /* loop.h: the header of the innermost */
    uint32_t outer;            /* of a header: that of the loop around */
    uint64_t price;            /* bound.h: of a check */
    bool leaves;               /* ends in return, or in nothing that goes on */
    bool returns;              /* ends in return */
    bool is_pinned;        /* what it calls may read the count or not return */
    bool is_entered_again; /* behind a setjmp: a longjmp continues here */
    bool is_setjmp;        /* its one edge leads to such a block */
    bool is_forced;        /* it has to be a check: bound.h, or a cut */
    bool is_check;         /* fuel.h, bound.h: its counter carries fuel */
    bool is_reached;
};

struct flow {
    struct flow_block *block;
    uint32_t block_count;
    struct flow_edge *edge;
    uint32_t edge_count, edge_capacity;
    struct flow_call *call;
    uint32_t call_count, call_capacity;
    uint32_t *in;    /* numbers of edges, by their target */
    uint32_t *order; /* reached blocks in reverse post-order */
    uint32_t order_count;
};

void flow_open(struct flow *flow, uint32_t block_count);
/* Edges and calls are added in the order of their blocks. A second edge between
 * the same blocks adds its probability to the first. */
void flow_add_edge(struct flow *flow, uint32_t from, uint32_t to,
                   uint32_t probability);
void flow_add_call(struct flow *flow, uint32_t block,
                   const struct flow_summary *callee);
/* Orders the blocks, finds the retreating edges. */
void flow_close(struct flow *flow);
void flow_release(struct flow *flow);
#define auto_flow __attribute__((cleanup(flow_release)))

uint64_t flow_add(uint64_t a, uint64_t b); /* saturates */
/* What counting on an edge costs, in frequencies: where both its ends have
 * other edges too, a counter needs a block of its own, and often a jump. */
uint64_t flow_edge_price(const struct flow *flow, const struct flow_edge *edge);
