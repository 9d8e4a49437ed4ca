/* bulk: work whose price is known only when it runs (contract 2.5).
 *
 * Bulk calls are the memory intrinsics (memcpy, memmove, memset) and, in the
 * library, `__bout_charge(n)`. A memory intrinsic costs
 * COST_BULK_BASE + COST_BULK_WORD * ceil(bytes / 8), the call included;
 * `__bout_charge(n)` costs n, clamped to BULK_PRICE_MAX, and vanishes.
 */
#pragma once

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* No price is higher, so what remains cannot wrap when it is taken off. */
#define BULK_PRICE_MAX ((uint64_t)1 << 61)

/* Turns direct calls of memcpy, memmove and memset into the intrinsics, so that
 * there is one form to price. Calls by another type are left alone. */
void bulk_make_intrinsics(LLVMModuleRef module);

bool bulk_is_call(LLVMValueRef inst);

/* True if `inst` is a bulk call whose price is a constant of at most
 * COST_BLOCK_MAX, to be added to its block's charge; *price is set then. */
bool bulk_is_known(LLVMValueRef inst, uint64_t *price);

/* The price of a bulk call as an i64, built where `builder` stands. */
LLVMValueRef bulk_build_price(LLVMBuilderRef builder, LLVMValueRef call);

/* True for `__bout_charge`, which is deleted once it has been priced. */
bool bulk_is_charge(LLVMValueRef inst);
