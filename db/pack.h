/* pack: how large bytes are kept: one zstd frame (level 3, checksum on) that
 * says its own plain size. Source: RFC 8878. */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/err.h"

/* Appends the packed form. */
void pack_add(struct buf *out, const void *bytes, size_t size);

/* Appends the plain bytes. Damage is ERR_SYSTEM; more than `cap` plain bytes
 * ERR_TOO_BIG. */
int pack_open(const void *packed, size_t size, size_t cap, struct buf *out,
              struct err *err);
