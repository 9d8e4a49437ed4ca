/* hidden: how charged code reaches hidden memory on a target.
 *
 * Until code generation, hidden memory is globals of address space 257 whose
 * addresses are offsets from the hidden page (layout.h); verify.h has seen to
 * it that a constant such address is the pointer of a load or store and nothing
 * else. x86-64 makes `%fs:offset(%rip)` of them by itself. Elsewhere
 * hidden_place turns them into accesses at an offset from the thread register,
 * which is read once, where a function begins: bot/hidden.h says why that
 * register.
 *
 * So whoever places counters writes loads and stores of such globals, and knows
 * no target.
 */
#pragma once

#include "runner/base/err.h"

#include <llvm-c/Core.h>

#include <stdint.h>

/* Just before code generation for a target that has a thread register, or whose
 * hidden page is at `fixed`, if that is not 0. Any other use of hidden memory
 * than those is ERR_SYSTEM. */
int hidden_place(LLVMModuleRef module, uint64_t fixed, struct err *err);
