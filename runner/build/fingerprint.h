/* fingerprint: the toolchain's identity as text, a fact a line; its hash. */
#pragma once

#include "runner/base/buf.h"
#include "runner/build/toolchain.h"

int fingerprint_text(const struct toolchain *toolchain, struct buf *out,
                     struct err *err);
int fingerprint_make(const struct toolchain *toolchain, char out[HASH_HEX_SIZE],
                     struct err *err);
