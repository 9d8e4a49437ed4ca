/* place: which line of a program's source an address of its executable is.
 *
 * The bot's part of an executable has line tables (no other debug info); the
 * library's has symbols only. Our own linker made the file, but from a
 * stranger's source: every offset is checked all the same.
 * Source: DWARF 5, section 6.2; System V ABI, symbol table.
 */
#pragma once

#include "runner/build/build.h"

/* "bot.c:17 in search", "in strlen" where only the function is known, "" where
 * nothing is. Returns `text`. */
const char *build_place(const struct build *build, uint64_t address, char *text,
                        size_t size);
