/* fold: loops of one block that always run the same number of times.
 *
 * Such a loop needs no counter of its own: its executions are a constant times
 * its entries. The count is found by stepping the loop's integer variable from
 * its constant start by its constant step to its constant bound.
 */
#pragma once

#include <llvm-c/Core.h>
#include <stdint.h>

/* How often `block` runs for each time that it is entered from elsewhere, if
 * that is a constant from 2 to `most`; else 0. */
uint64_t fold_times(LLVMBasicBlockRef block, uint64_t most);
