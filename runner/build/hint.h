/* hint: what to do instead of a name that clang does not find. */
#pragma once

#include <stddef.h>

/* The advice of instrument/missing.def for the first name between single quotes
 * that it knows; static, or NULL. */
const char *hint_find(const char *message, size_t size);

/* For clang's `'NAME' file not found`: what instrument/library/absent.def says
 * of the header; static, or NULL. */
const char *hint_find_header(const char *message, size_t size,
                             size_t *name_size);
