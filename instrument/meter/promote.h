/* promote: the metered library's names (research/llvmc.md 4).
 *
 * Bots are linked with the library's bitcode and with its precompiled code, so
 * every definition of it must have one name that both know: statics become
 * external as "lib.NAME". Weak, common and linkonce definitions have been
 * chosen among by the link and become plain ones.
 */
#pragma once

#include "instrument/meter/manifest.h"
#include "runner/base/err.h"

#include <llvm-c/Core.h>

#define PROMOTE_PREFIX "lib."

/* First of all, so that no pass meets the use of one: replaces the uses of
 * aliases by what they stand for. The aliases themselves stay and follow what
 * is done to their functions. */
int promote_aliases(LLVMModuleRef module, struct err *err);

/* After the lowerings: gives statics their names, notes the aliases and deletes
 * them, and runs globaldce. */
int promote_names(LLVMModuleRef module, struct manifest *manifest,
                  struct err *err);

/* Defines lib.memcpy, lib.memmove and lib.memset around the intrinsics for
 * uses other than a direct call, and notes them as the aliases of their names.
 */
void promote_memory(LLVMModuleRef module, struct manifest *manifest);

/* Makes every definition linkonce_odr: the IR linker takes those only that a
 * bot needs. */
void promote_lazy(LLVMModuleRef module);

/* Notes functions and data, in the module's order, with index and summary. */
void promote_describe(LLVMModuleRef module, struct manifest *manifest);
