/* frame: how much native stack a call may take.
 *
 * Locals lie on the linear stack; a native frame holds what code generation
 * spills, which no charge and no linear pointer knows. The native stack is
 * sized for PAGE_BYTES a call (PAGE_NATIVE_STACK_BYTES), so that the linear
 * stack is always used up first, at one count on every target. A function with
 * a larger frame is harmless if it cannot be on the stack twice: such frames
 * together get FRAME_ONCE_BYTES of the slack. Any other is refused.
 */
#pragma once

#include "runner/base/err.h"

#include <llvm-c/Core.h>

#define FRAME_ONCE_BYTES 0x80000u

/* Before code generation: asks for a report of each frame that is too large. */
void frame_watch(LLVMModuleRef module);

/* After it. Too large: ERR_INPUT, a sentence for the contestant. */
int frame_check(LLVMModuleRef module, struct err *err);
