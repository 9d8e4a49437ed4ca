/* canon: the canonical form of a charged module, and its hash (contract 2.0).
 *
 * The form is LLVM's printed text of the module without what may differ between
 * equal programs: metadata and its attachments, comments, module id and source
 * file name; and with every name that a contestant chose (of local values,
 * types, and the bot's own functions, data, counters and pointers) replaced by
 * its number in order of first appearance. Names of the library and of the
 * runtime stay: they say what is called.
 */
#pragma once

#include "runner/base/hash.h"

#include <llvm-c/Core.h>

void canon_hash(LLVMModuleRef module, char out[HASH_HEX_SIZE]);

/* The build's hash: of the bot's module and the library's. */
void canon_build_hash(const char *bot_hash, const char *library_hash,
                      char out[HASH_HEX_SIZE]);
