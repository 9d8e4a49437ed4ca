/* hold: counters that loops keep in registers.
 *
 * A counter in memory makes a chain of its loop's rounds: each reads what the
 * one before has written, which takes some five cycles even where the loop does
 * less. So the hot counters of an innermost loop are read on the ways into it
 * and written on the ways out of it. The runtime adds up what is in memory: it
 * must not be asked meanwhile. So a loop that calls what may stop or check
 * holds nothing, and a check in the loop writes before it calls the runtime,
 * and reads its fuel again behind (chord.h).
 *
 * A counter that is held is a slot on the stack while code is put in; the pass
 * mem2reg, which place.h runs at the end, makes registers of slots.
 */
#pragma once

#include "instrument/meter/body.h"
#include "instrument/meter/loop.h"
#include "instrument/meter/plan.h"
#include "instrument/meter/tree.h"

struct hold {
    uint32_t word;
    uint32_t loop; /* its header */
    LLVMValueRef slot;
};

/* Of a function; what is not its own is borrowed as long as it lives. */
struct holds {
    struct hold *at; /* by word */
    uint32_t count;
    const struct body *body;
    const struct flow *flow;
    const struct plan *plan;
};

struct hold_spec {
    const struct body *body;
    const struct flow *flow;
    const struct loops *loops;
    const struct tree *tree; /* finished */
    const struct plan *plan;
};

/* Decides, and puts the slots into the function's entry. */
void hold_find(struct holds *holds, const struct hold_spec *spec);
void hold_release(struct holds *holds);

/* Where a word is counted: its slot, or in hidden memory. */
LLVMValueRef hold_address(const struct holds *holds, uint32_t word);

/* On the way from block to block, at the builder: what stands in registers of
 * loops that the way leaves is written, of those that it enters it is read. */
bool hold_is_boundary(const struct holds *holds, uint32_t from, uint32_t to);
void hold_leave(const struct holds *holds, LLVMBuilderRef builder,
                uint32_t from, uint32_t to);
void hold_enter(const struct holds *holds, LLVMBuilderRef builder,
                uint32_t from, uint32_t to);
/* Before and behind a call of the runtime from there, or from inside a block:
 * from it to itself. */
void hold_before_call(const struct holds *holds, LLVMBuilderRef builder,
                      uint32_t from, uint32_t to);
void hold_behind_call(const struct holds *holds, LLVMBuilderRef builder,
                      uint32_t from, uint32_t to);
