/* coff: a closed module as an object of Windows' format, for the target of
 * windows.h.
 *
 * That format has no definitions that another overrides, no groups but those of
 * a name that they define, and its linker places no data; so every function is
 * one of its own, and what begins as zeros is left to the runtime.
 */
#pragma once

#include <llvm-c/Core.h>

/* Before code generation. Debug information goes too. */
void coff_prepare(LLVMModuleRef module);
