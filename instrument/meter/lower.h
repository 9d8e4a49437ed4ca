/* lower: a linked module of optimised IR to the plain form that is charged.
 *
 * Afterwards: no variadic functions, thread-locals, allocas, byval, indirectbr,
 * blockaddress, undef or poison operands, poison-making flags, UB metadata,
 * atomics or intrinsics that intrinsics.def marks LOWERED; every access has
 * align 1; every `unreachable` stands behind a trap or a call of a native that
 * never returns. The result of any operation is the same on every target.
 *
 * The module must have passed refuse_module (a bot) or come from our own
 * sources (the library). Each pass leaves a module that LLVMVerifyModule
 * accepts, and runs once. -1 means that something was met that a refusal should
 * have caught, or that a pass is at fault; the message names it. Lowered code
 * is charged like any other.
 *
 * After lower_all only simplifycfg may run (research: any other optimisation
 * could undo a lowering).
 */
#pragma once

#include "runner/base/err.h"

#include <llvm-c/Core.h>

#include <stdbool.h>

/* All passes in their order, for the library's module or a bot's. The
 * constructors become `__lib_ctors` or `__bot_ctors`, void (void), external and
 * always defined. */
int lower_all(LLVMModuleRef module, bool library, struct err *err);

/* llvm.global_ctors to one function `name`, destructors registered by atexit.
 */
int lower_constructors(LLVMModuleRef module, const char *name, struct err *err);

int lower_alias(LLVMModuleRef module, struct err *err); /* bots only */
int lower_attribute(LLVMModuleRef module, struct err *err);
int lower_defined(LLVMModuleRef module, struct err *err);
int lower_divide(LLVMModuleRef module, struct err *err);
int lower_fenv(LLVMModuleRef module, struct err *err);
int lower_goto(LLVMModuleRef module, struct err *err);
int lower_int(LLVMModuleRef module, struct err *err);
int lower_intrinsic(LLVMModuleRef module, struct err *err);
int lower_jump(LLVMModuleRef module, struct err *err);
int lower_math(LLVMModuleRef module, struct err *err);
int lower_stack(LLVMModuleRef module, struct err *err);
/* After lower_all. The library always has it; a bot's own code where the
 * setting `strict_nan` asks for it. */
int lower_nan(LLVMModuleRef module, struct err *err);
int lower_switch(LLVMModuleRef module, struct err *err);
int lower_tls(LLVMModuleRef module, struct err *err);
int lower_undef(LLVMModuleRef module, struct err *err);
int lower_unwind(LLVMModuleRef module, struct err *err);

/* After lower_unwind: may an exception leave this function? */
bool lower_unwinds(LLVMValueRef function);

int lower_variadic(LLVMModuleRef module, struct err *err);
