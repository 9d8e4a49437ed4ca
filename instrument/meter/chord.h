/* chord: puts a tree's counters and checks into the code (tree.h, bound.h).
 *
 * A check, of a block or an edge, is
 *     F.f[k] += 1;  if (F.f[k] >= 0) { __bout_check = &S.f[k]; __bout_refuel();
 * } where the runtime stops, or sets F.f[k] so far below zero as there is fuel.
 * A site is
 *     C.f[k] += price;  __bout_allowance -= price;
 *     if (__bout_allowance < 0) { __bout_check = &S.f[k]; __bout_refuel(); }
 * `__bout_refuel` keeps all registers that the target's preserve_all convention
 * names, so that a check costs its function none of them.
 */
#pragma once

#include "instrument/meter/body.h"
#include "instrument/meter/hold.h"
#include "instrument/meter/plan.h"
#include "instrument/meter/tree.h"

struct chord {
    const struct body *body;
    const struct flow *flow;
    const struct tree *tree;
    const struct plan *plan; /* where the tree's words go */
    const struct holds *holds;
};

/* In this order: an edge is found by its two blocks as they were, and what
 * arrives at a block is counted before its check looks. Afterwards the flow is
 * no more that of the function. */
void chord_place_edges(const struct chord *chord);
void chord_place_blocks(const struct chord *chord);

/* *at += amount, or -= if `subtract`, at the builder; the new value. */
LLVMValueRef chord_change(LLVMBuilderRef builder, LLVMValueRef at,
                          LLVMValueRef amount, bool subtract);
