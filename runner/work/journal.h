/* journal: a worker's own profile, kept until the server is given it.
 *
 * journal_open starts the process's profiler (profiler/profile.h); what it
 * writes is kept, at most JOURNAL_BYTES, until journal_take. What finds no room
 * is dropped, whole writes at a time. Once a process.
 */
#pragma once

#include "runner/base/buf.h"

#define JOURNAL_BYTES ((size_t)4 << 20)

void journal_open(const char *identifier);

/* Moves what there is to `out`: a head, then whole trees; nothing where nothing
 * was written. */
void journal_take(struct buf *out);
