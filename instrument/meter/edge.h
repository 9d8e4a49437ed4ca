/* edge: splitting a critical edge, which LLVM-C leaves out. */
#pragma once

#include <llvm-c/Core.h>

/* A new block on the way from `from` to `to`, for all of the terminator's
 * operands that name `to`: it goes on to `to`, whose PHIs are rebuilt. */
LLVMBasicBlockRef edge_split(LLVMBasicBlockRef from, LLVMBasicBlockRef to);
