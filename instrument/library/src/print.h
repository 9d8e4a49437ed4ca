/* print: what printf's files agree on. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Where a printf's bytes go: at `at`, as far as `end`. */
struct print {
    char *at;
    char *end;
    char *from;   /* at - from bytes are not in `count` yet */
    size_t count; /* of bytes printed, those included that found no room */
    FILE *file; /* takes what is before `at`; NULL: the rest is counted only */
};

/* A conversion, as the format has it. */
struct print_spec {
    unsigned flags; /* bit N: the character N after the space */
    int width;
    int precision; /* -1: none */
    char length;   /* 0, h, l, j, z, t, L; H is hh, q is ll */
    char type;
};

#define PRINT_FLAG(c) (1U << ((c) - ' '))

/* A conversion's text: a prefix, zeros, digits or characters. */
struct print_piece {
    const char *prefix;
    size_t prefix_size;
    size_t zeros;
    const char *text;
    size_t size;
};

static inline size_t print_room(const struct print *out)
{
    return (size_t)(out->end - out->at);
}

/* print_rest: for more than there is room for. */
void print_put(struct print *out, const char *from, size_t size);
void print_rest(struct print *out, const char *from, size_t size);
void print_fill(struct print *out, char with, size_t size);

/* Brings `count` up to `at`. */
void print_count(struct print *out);

/* Puts a piece into its field; -1: more than an int counts. */
int print_field(struct print *out, const struct print_spec *spec,
                const struct print_piece *piece);

/* musl prints, with the format that it is given; -1 as printf. */
int print_by_musl(struct print *out, const char *format, va_list list);
int print_by_musl_with(struct print *out, const char *format, ...);

extern const uint64_t print_power[20]; /* of ten */

#define PRINT_FLOAT_BYTES 48

/* Writes `magnitude`, not below zero, as the conversions e, f and g do,
 * capitals too (`#` unset, the sign is the caller's). How long it is; 0: it has
 * no representation of 128 bits that rounds exactly, musl's way is left. */
size_t print_float(char *to, double magnitude, const struct print_spec *spec);
