/* files: the small files of /sys and /proc, below the spec's root. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The file's text without the last newline; NULL if it cannot be read. The
 * caller frees. */
char *file_text(const char *root, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Its number; false if there is none. */
bool file_number(double *out, const char *root, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The value behind "key", ":" or "=" and blanks, up to the line's end, of the
 * first such line. NULL if there is none; the caller frees. */
char *text_field(const char *text, const char *key);
