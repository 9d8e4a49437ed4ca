/* compile: each C source of a submission to bitcode, alone, by clang. */
#pragma once

#include "runner/build/step.h"

struct bitcode {
    struct buf *unit; /* one a source, in byte order of the paths */
    size_t count;
};

void bitcode_release(struct bitcode *bitcode);
#define auto_bitcode __attribute__((cleanup(bitcode_release)))

/* 1: *bitcode is filled; 0: rejected, see the diagnostics; -1: error. Warnings
 * go to the diagnostics in any case. *bitcode starts as {0}. */
int compile_all(struct making *making, struct bitcode *bitcode,
                struct err *err);

/* All flags as text, a line each, for the fingerprint. */
void compile_flags_text(struct buf *out);
