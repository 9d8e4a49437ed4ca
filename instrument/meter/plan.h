/* plan: what the link needs to know of a charged function's counters.
 *
 * Kept on the function as metadata `!bout.plan`, one constant array of i64:
 * how many fuel counters, counters, stops and counters of the reference
 * placement there are, what a caller must know, the weights of the first three
 * in this order, and each fuel counter's price (tree.h, bound.h). In the IR
 * they are external arrays in hidden memory, whose places are decided at the
 * link: F.f, C.f, S.f and R.f; an empty one is not there. The runtime looks at
 * a stop's address alone, to know which check called it.
 */
#pragma once

#include "instrument/meter/flow.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#define PLAN_FUEL_PREFIX "F."
#define PLAN_COUNTER_PREFIX "C."
#define PLAN_STOP_PREFIX "S."
#define PLAN_REFERENCE_PREFIX "R."
#define PLAN_GROUPS 4u

struct plan {
    uint32_t fuel_count, counter_count, stop_count, reference_count;
    struct flow_summary summary;
    int64_t *weight; /* fuel, counters, stops */
    uint64_t *price; /* of each fuel counter */
};

void plan_release(struct plan *plan);
#define auto_plan __attribute__((cleanup(plan_release)))

void plan_write(LLVMValueRef function, const struct plan *plan);
/* False if the function was not charged. */
bool plan_read(LLVMValueRef function, struct plan *plan);

/* A group of words by number, in their order. */
const char *plan_prefix(unsigned group);
uint32_t plan_count(const struct plan *plan, unsigned group);

/* The address of a function's word: a constant. */
LLVMValueRef plan_address(LLVMValueRef function, const struct plan *plan,
                          uint32_t word);
