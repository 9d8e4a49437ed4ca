/* verify: the last look at a charged module, by allow-lists
 * (contract 2.7, 2.8).
 *
 * What passes holds: only opcodes and intrinsics that are listed; no alloca,
 * inline assembly or address space but the hidden one, which is touched at our
 * own symbols alone; each function's plan, so that it was charged; each
 * indirect call through the table; no symbol that neither the library, the
 * runtime nor the module defines; and LLVM's own verifier finds nothing.
 *
 * A failure here is a fault of ours (ERR_SYSTEM): refusals come earlier.
 */
#pragma once

#include "instrument/meter/manifest.h"
#include "runner/base/err.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* `library` is NULL for the library itself. */
int verify_module(LLVMModuleRef module, struct manifest *library,
                  struct err *err);

/* True for the symbols of the trusted runtime that charged code calls. */
bool verify_is_native(const char *name);
