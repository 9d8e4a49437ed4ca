/* charge: what an instruction of the final IR costs (contract 2.4, cost.def).
 *
 * The rules, in the order in which they are asked:
 *   - what carries `!bout.free` (an inserted check) costs nothing, nor does an
 *     intrinsic that makes no machine code (intrinsics.def: FREE);
 *   - bulk memory costs nothing here: bulk.h prices it by its length;
 *   - a call costs 1, and what its arguments and result are wider than a word;
 *   - on vectors, load, store, add, sub, logic, compare and select cost a word
 *     each 64 bits, any other operation its lanes;
 *     (loads and stores of lanes below 8 bits too: they are packed one by one);
 *   - integers of 65 to 128 bits cost 2, an aggregate a word each 8 bytes;
 *   - many arguments, many variable indices and sparse switches with many cases
 *     cost more than 1, since they make more than 8 machine instructions;
 *   - everything else costs 1.
 * A charge depends on opcode and types alone: never on a target, an address, a
 * name or debug info. Sums saturate.
 */
#pragma once

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdint.h>

enum charge_cost {
#define COST(name, key, value, text) COST_##name = (value),
#include "instrument/cost.def"
};

struct charge {
    LLVMTargetDataRef layout; /* the virtual machine's, borrowed */
    unsigned free_kind;       /* metadata kind of `!bout.free` */
};

/* `module` lives longer than *charge. */
void charge_init(struct charge *charge, LLVMModuleRef module);

uint64_t charge_instruction(const struct charge *charge, LLVMValueRef inst);

uint64_t charge_add(uint64_t a, uint64_t b); /* saturates */
