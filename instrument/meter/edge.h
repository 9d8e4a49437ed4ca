/* edge: moving the edges between blocks, which LLVM-C leaves out. */
#pragma once

#include <llvm-c/Core.h>
#include <stddef.h>

/* A new block on the way from `from` to `to`, for all of the terminator's
 * operands that name `to`: it goes on to `to`, whose PHIs are rebuilt. */
LLVMBasicBlockRef edge_split(LLVMBasicBlockRef from, LLVMBasicBlockRef to);

/* What `to`'s PHIs got from `from`, once or by several ways, comes from these
 * blocks now, once for each time that one is named. The terminators are the
 * caller's. */
void edge_move_phis(LLVMBasicBlockRef to, LLVMBasicBlockRef from,
                    LLVMBasicBlockRef *now, size_t count);
