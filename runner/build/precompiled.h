/* precompiled: which precompiled header may stand for a source's beginning.
 *
 * It may where the source's first directive, after comments and the pragmas
 * that clang knows nothing of, includes a header of precompiled.def, and no
 * file of the upload is found instead of one that this reads. Source: clang
 * manual, Precompiled Headers.
 */
#pragma once

#include "runner/build/build.h"
#include "runner/build/toolchain.h"

/* The header's precompiled form as the compiler sees it, static; NULL: none. */
const char *precompiled_find(const struct toolchain *toolchain,
                             const struct build_source *source,
                             const struct build_file *file);
