/* adopt: makes the names of a bot's linked module its own.
 *
 * Everything but main and the constructors' function becomes internal and is
 * called "bot.NAME", so that a bot may define any name that the library or the
 * runtime uses without touching theirs. References to the library are turned to
 * the names that it defines (aliases), weak ones that nobody defines to null.
 */
#pragma once

#include "instrument/meter/manifest.h"
#include "instrument/meter/refuse.h"
#include "runner/base/err.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

#define ADOPT_PREFIX "bot."

/* Once before the lowerings and once after them, which may have added
 * definitions. Runs globaldce, so what nothing reaches is not part of a build.
 */
int adopt_names(LLVMModuleRef module, struct err *err);

/* After adopt_names: references to names of the library. */
void adopt_library(LLVMModuleRef module, struct manifest *manifest);

/* Before the lowerings: what the library's manifest says of its functions that
 * throw nothing, told to the declarations. */
void adopt_nounwind(LLVMModuleRef module, struct manifest *manifest);

/* Gives main the type int (int, char **, char **), which the library calls. A
 * missing or strange main is a refusal. */
void adopt_main(LLVMModuleRef module, struct refusals *refusals);
