/* fuzz: what the programs of this folder share. Each is one function that
 * libFuzzer calls with inputs of its own making, over the real module, under
 * AddressSanitizer and UndefinedBehaviorSanitizer; tests/fuzz/inputs runs them.
 * What must hold of every input is asserted. */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/err.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The next line of what is left, without its newline, to be freed; "" at the
 * end. As a header's value it ends at a NUL. */
static inline char *fuzz_line(const uint8_t **data, size_t *size)
{
    const uint8_t *end = *size ? memchr(*data, '\n', *size) : NULL;
    size_t length = end ? (size_t)(end - *data) : *size;
    char *line = mem_dup(*size ? (const void *)*data : "", length);

    *size -= length + (end != NULL);
    *data += length + (end != NULL);
    return line;
}
