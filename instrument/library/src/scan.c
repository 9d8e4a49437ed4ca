/* scan: scanf and its family.
 *
 * musl's scanf takes each character through a counted, limited stream, a text
 * being a stream too. Here white space, plain characters, decimal integers,
 * words and characters are read where they lie: in the stream's buffer or in
 * the text. Any other conversion is musl's, one at a time, so formats mean what
 * they mean to it; so are numbered arguments. A stream is asked for more only
 * where musl asks: a read may end the turn. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "instrument/library/src/musl.h"
#include "stdio_impl.h"

#define WINDOW_BYTES 256
#define DIRECTIVE_BYTES 320 /* the longest that is worth it: a set */

/* Where characters come from: `at`, as far as `end`, then scan_more. */
struct scan {
    const unsigned char *at;
    const unsigned char *end;
    const unsigned char *from; /* at - from of them are not in `count` yet */
    size_t count;
    FILE *file; /* NULL: a text, which ends by a zero */
};

/* A conversion, as the format has it. */
struct scan_spec {
    const char *text; /* after the percent sign */
    size_t width;     /* 0: none */
    char length;      /* 0, h, l, j, z, t, L; H is hh, q is ll */
    char type;        /* 0: the format ends before it */
    char has_memory;  /* `m`: what is read goes into memory of its own */
};

enum scan_result {
    SCAN_MATCH,
    SCAN_MISMATCH,
    SCAN_END, /* of input, before anything matched */
};

static void scan_count(struct scan *scan)
{
    scan->count += (size_t)(scan->at - scan->from);
    scan->from = scan->at;
}

/* The stream knows what is read; and the other way round. */
static void lend(struct scan *scan)
{
    scan_count(scan);
    if (scan->at)
        scan->file->rpos = (unsigned char *)scan->at;
}

static void take(struct scan *scan)
{
    scan->at = scan->from = scan->file->rpos;
    scan->end = scan->file->rend;
}

/* At `end`: more behind it and the next character, or -1. */
static int scan_more(struct scan *scan)
{
    if (!scan->file) {
        scan->end += strnlen((const char *)scan->end, WINDOW_BYTES);
        return scan->at != scan->end ? *scan->at : -1;
    }
    lend(scan);
    int c = __uflow(scan->file);
    if (c >= 0) {
        scan->file->rpos--;
        if (*scan->file->rpos != c) /* a stream without a buffer */
            *scan->file->rpos = (unsigned char)c;
    }
    take(scan);
    return c;
}

static inline int peek(struct scan *scan)
{
    return scan->at != scan->end ? *scan->at : scan_more(scan);
}

static inline int is_space(int c)
{
    return c == ' ' || (unsigned)c - '\t' < 5;
}

/* The first character behind it, which stays, or -1. */
static int skip_space(struct scan *scan)
{
    int c;

    while (is_space(c = peek(scan)))
        scan->at++;
    return c;
}

static void store(void *to, char length, uint64_t value)
{
    switch (length) {
    case 'H':
        *(unsigned char *)to = (unsigned char)value;
        break;
    case 'h':
        *(unsigned short *)to = (unsigned short)value;
        break;
    case 0:
        *(unsigned *)to = (unsigned)value;
        break;
    default:
        *(uint64_t *)to = value;
        break;
    }
}

/* At most `most` digits: how many, their value in *value; one beyond 64 bits is
 * the largest one, and *is_over. */
static size_t read_digits(struct scan *scan, size_t most, uint64_t *value,
                          int *is_over)
{
    size_t count = 0;
    uint64_t sum = 0;

    while (count < most && peek(scan) >= 0) {
        const unsigned char *at = scan->at;
        size_t some = (size_t)(scan->end - at);
        const unsigned char *stop =
            at + (some < most - count ? some : most - count);
        for (; at != stop; at++) {
            unsigned digit = *at - (unsigned)'0';
            if (digit > 9)
                break;
            *is_over |= sum > (UINT64_MAX - digit) / 10;
            sum = sum * 10 + digit;
        }
        count += (size_t)(at - scan->at);
        scan->at = at;
        if (at != stop)
            break;
    }
    *value = *is_over ? UINT64_MAX : sum;
    return count;
}

static enum scan_result read_decimal(struct scan *scan,
                                     const struct scan_spec *spec, void *to)
{
    size_t most = spec->width > 0 ? spec->width : SIZE_MAX;
    int is_over = 0;
    uint64_t value;
    int c = skip_space(scan);

    if (c < 0)
        return SCAN_END;
    if (c == '-' || c == '+') {
        scan->at++;
        most--;
    }
    if (read_digits(scan, most, &value, &is_over) == 0) {
        errno = EINVAL;
        return SCAN_MISMATCH;
    }
    if (is_over)
        errno = ERANGE;
    else if (c == '-')
        value = 0 - value;
    if (to)
        store(to, spec->length, value);
    return SCAN_MATCH;
}

static enum scan_result read_word(struct scan *scan,
                                  const struct scan_spec *spec, char *to)
{
    size_t most = spec->width > 0 ? spec->width : SIZE_MAX;
    int c = skip_space(scan);

    if (c < 0)
        return SCAN_END;
    for (; most > 0 && (c = peek(scan)) >= 0 && !is_space(c); most--) {
        if (to)
            *to++ = (char)c;
        scan->at++;
    }
    if (to)
        *to = 0;
    return SCAN_MATCH;
}

static enum scan_result read_characters(struct scan *scan,
                                        const struct scan_spec *spec, char *to)
{
    size_t left = spec->width > 0 ? spec->width : 1;
    int c;

    if (peek(scan) < 0)
        return SCAN_END;
    for (; left > 0 && (c = peek(scan)) >= 0; left--) {
        if (to)
            *to++ = (char)c;
        scan->at++;
    }
    return left > 0 ? SCAN_MISMATCH : SCAN_MATCH;
}

static int call_musl(struct scan *scan, const char *format, ...)
{
    va_list list;
    int result;

    va_start(list, format);
    if (scan->file) {
        lend(scan);
        result = __musl_vfscanf(scan->file, format, list);
        take(scan);
    } else {
        result = __musl_vsscanf((const char *)scan->at, format, list);
    }
    va_end(list);
    return result;
}

/* Musl reads the conversion that `spec` begins; the format's rest is what
 * follows it. */
static enum scan_result read_by_musl(struct scan *scan,
                                     const struct scan_spec *spec, void *to,
                                     const char **rest)
{
    char format[DIRECTIVE_BYTES + 4];
    const char *stop = *rest;
    int size = -1;

    if (spec->type == '[') {
        stop += *stop == '^';
        stop += *stop == ']';
        while (*stop && *stop != ']')
            stop++;
        if (!*stop++)
            return SCAN_END; /* musl's answer to a set without an end */
    }
    size_t length = (size_t)(stop - spec->text);
    if (length > DIRECTIVE_BYTES)
        return SCAN_END;
    format[0] = '%';
    memcpy(format + 1, spec->text, length);
    memcpy(format + 1 + length, "%n", 3);
    *rest = stop;
    int result = *spec->text == '*' ? call_musl(scan, format, &size)
                                    : call_musl(scan, format, to, &size);
    if (size < 0)
        return result < 0 ? SCAN_END : SCAN_MISMATCH;
    if (scan->file) {
        scan->count += (size_t)size;
    } else {
        scan->at += size;
        if (scan->end < scan->at)
            scan->end = scan->at;
    }
    return SCAN_MATCH;
}

/* A character of the format that is no conversion. */
static enum scan_result read_literal(struct scan *scan, char wanted)
{
    int c = peek(scan);

    if (c == (unsigned char)wanted) {
        scan->at++;
        return SCAN_MATCH;
    }
    return c < 0 ? SCAN_END : SCAN_MISMATCH;
}

static const char *read_spec(struct scan_spec *spec, const char *format)
{
    *spec = (struct scan_spec){.text = format};
    format += *format == '*';
    for (; (unsigned)*format - '0' < 10; format++)
        spec->width = spec->width * 10 + ((unsigned)*format - '0');
    spec->has_memory = *format == 'm';
    format += spec->has_memory;
    switch (*format) {
    case 'h':
    case 'l':
        spec->length = *format++;
        if (*format == spec->length)
            spec->length = *format++ == 'h' ? 'H' : 'q';
        break;
    case 'j':
    case 'z':
    case 't':
    case 'L':
        spec->length = *format++;
        break;
    default:
        break;
    }
    spec->type = *format;
    return *format ? format + 1 : format;
}

static enum scan_result convert(struct scan *scan, struct scan_spec *spec,
                                void *to, const char **rest)
{
    int is_plain = !spec->has_memory && spec->length != 'l';

    switch (spec->type) {
    case 'd':
    case 'u':
        return read_decimal(scan, spec, to);
    case 's':
        if (is_plain)
            return read_word(scan, spec, to);
        break;
    case 'c':
        if (is_plain)
            return read_characters(scan, spec, to);
        break;
    case 0:
        return SCAN_END;
    case 'n':
        scan_count(scan);
        if (to)
            store(to, spec->length, scan->count);
        return SCAN_MATCH;
    default:
        break;
    }
    return read_by_musl(scan, spec, to, rest);
}

/* Numbered arguments: all by musl, before anything is read. */
static int is_numbered(const char *format)
{
    return (unsigned)format[0] - '1' < 9 && format[1] == '$';
}

static int scan_all(struct scan *scan, const char *format, va_list *list)
{
    enum scan_result result = SCAN_MATCH;
    int matches = 0;

    while (*format && result == SCAN_MATCH) {
        struct scan_spec spec;

        if (is_space((unsigned char)*format)) {
            while (is_space((unsigned char)*++format))
                ;
            skip_space(scan);
        } else if (*format != '%') {
            result = read_literal(scan, *format++);
        } else if (*++format == '%') {
            skip_space(scan);
            result = read_literal(scan, *format++);
        } else {
            void *to = *format == '*' ? NULL : va_arg(*list, void *);
            format = read_spec(&spec, format);
            result = convert(scan, &spec, to, &format);
            matches += result == SCAN_MATCH && to && spec.type != 'n';
        }
    }
    return result == SCAN_END && matches == 0 ? EOF : matches;
}

/* Whether the first conversion has a numbered argument. */
static int has_numbers(const char *format)
{
    const char *percent = format;

    while (*percent && *percent != '%')
        percent++;
    return *percent && is_numbered(percent + 1);
}

int vsscanf(const char *restrict text, const char *restrict format,
            va_list list)
{
    const unsigned char *at = (const unsigned char *)text;
    struct scan scan = {.at = at, .end = at, .from = at};
    va_list rest;

    if (has_numbers(format))
        return __musl_vsscanf(text, format, list);
    va_copy(rest, list);
    int matches = scan_all(&scan, format, &rest);
    va_end(rest);
    return matches;
}

int vfscanf(FILE *restrict file, const char *restrict format, va_list list)
{
    struct scan scan = {.file = file};
    va_list rest;

    if (has_numbers(format))
        return __musl_vfscanf(file, format, list);
    take(&scan);
    va_copy(rest, list);
    int matches = scan_all(&scan, format, &rest);
    va_end(rest);
    lend(&scan);
    return matches;
}

/* musl's own names. */
weak_alias(vsscanf, __isoc99_vsscanf);
weak_alias(vfscanf, __isoc99_vfscanf);
