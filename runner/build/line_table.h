/* line_table: DWARF 5 line tables, as far as LLVM writes them for us. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Some bytes, read from the front. What does not fit empties it, and all reads
 * from then on give 0. */
struct bytes {
    const uint8_t *at;
    size_t left;
};

void bytes_skip(struct bytes *bytes, uint64_t count);
/* A little-endian number of at most 8 bytes. */
uint64_t bytes_take(struct bytes *bytes, unsigned size);
/* The string that starts at `offset`, or "" if it is not whole. */
const char *bytes_string(struct bytes bytes, uint64_t offset);

/* The file and line of an address, from the sections .debug_line and
 * .debug_line_str. False: none that is known. *file is to be freed. */
bool line_table_find(struct bytes lines, struct bytes strings, uint64_t address,
                     char **file, uint64_t *line);
