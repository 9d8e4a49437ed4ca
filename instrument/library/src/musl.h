/* musl: its printf and scanf, which know everything; ours leave to them what is
 * rare (lay.sh renames them). */
#pragma once

#include <stdarg.h>
#include <stdio.h>

int __musl_vfprintf(FILE *restrict file, const char *restrict format,
                    va_list list);
int __musl_vsnprintf(char *restrict to, size_t size,
                     const char *restrict format, va_list list);
int __musl_vfscanf(FILE *restrict file, const char *restrict format,
                   va_list list);
int __musl_vsscanf(const char *restrict text, const char *restrict format,
                   va_list list);
