/* skeleton: the library without its code, for links that have the code already.
 *
 * Linking a bot needs to know what the library's functions refer to, not what
 * they do: in a skeleton each body only names those objects and functions, in
 * the order of their first mention, which is the order in which the linker
 * brings them. A link with the skeleton and one with the full library therefore
 * lay out the same data and counters.
 */
#pragma once

#include <llvm-c/Types.h>

/* Replaces every body of the module; nothing may be done with it any more but
 * writing it. */
void skeleton_make(LLVMModuleRef module);
