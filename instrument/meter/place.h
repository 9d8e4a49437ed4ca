/* place: puts charges into a lowered module (contract 2.2, 2.5).
 *
 * The reference placement, in three phases as profilers do it. Plan: each basic
 * block is one piece, or several where it costs more than COST_BLOCK_MAX or
 * holds a call that returns twice (what follows runs again at each longjmp).
 * Place: each piece begins with
 *
 *     C.f[k] += 1;  __bout_remaining -= charge;
 *     if (__bout_remaining < 0) { __bout_stop(); trap; }
 *
 * and each bulk call of unknown length, or of a price over COST_BLOCK_MAX,
 * stands behind
 *
 *     C.f[k] += price;  __bout_remaining -= price;  (the same check)
 *
 * Describe: blockmap. `C.f` is an external array in address space 256, one
 * counter a piece and site, in order of appearance. The sum over pieces of
 * count * charge and over sites of count is what was taken from
 * __bout_remaining since the counters were zero.
 *
 * Nothing but pointer_check may change the module afterwards.
 */
#pragma once

#include "instrument/meter/blockmap.h"

#include <llvm-c/Core.h>

#define PLACE_COUNTER_PREFIX "C."

/* All functions with a body, in the module's order. */
void place_module(LLVMModuleRef module, struct blockmap *map);

/* The counter array of `function`, or NULL if it has none. */
LLVMValueRef place_counters(LLVMModuleRef module, LLVMValueRef function);
