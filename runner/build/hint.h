/* hint: what to do instead of a name that clang does not find. */
#pragma once

#include <stddef.h>

/* The advice of instrument/missing.def for the first name between single quotes
 * that it knows; static, or NULL. */
const char *hint_find(const char *message, size_t size);
