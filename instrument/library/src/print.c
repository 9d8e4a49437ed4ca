/* print: printf and its family.
 *
 * musl's printf runs a state machine for each conversion and hands every piece
 * to a stream, a text being a stream too: most of what a bot's output costs.
 * Here a conversion is written straight to where it goes: the stream's buffer
 * or the caller's text. Formats mean what they mean to musl. Left to it are
 * numbered arguments, wide characters, %a, floating point that print_float
 * cannot do, and streams that have no buffer, write by lines or are wide. */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "instrument/library/src/musl.h"
#include "instrument/library/src/print.h"
#include "stdio_impl.h"

#define ALL_FLAGS                                                            \
    (PRINT_FLAG('#') | PRINT_FLAG('0') | PRINT_FLAG('-') | PRINT_FLAG(' ') | \
     PRINT_FLAG('+') | PRINT_FLAG('\''))
#define NUMBER_BYTES 24 /* 64 bits in octal */
#define POINTER_DIGITS 16u
#define NEAR_BYTES 16u /* copied one by one */

/* Text up to a `%` or the format's end. */
static const char *put_literal(struct print *out, const char *format)
{
    char *at = out->at;
    char *end = out->end;

#pragma clang loop vectorize(disable) unroll(disable)
    while (at != end && *format && *format != '%')
        *at++ = *format++;
    out->at = at;
    if (*format && *format != '%') {
        const char *from = format;
        while (*format && *format != '%')
            format++;
        print_rest(out, from, (size_t)(format - from));
    }
    return format;
}

/* Digits in front of `end`; zero has none. */
static char *decimal(char *end, uint64_t value)
{
    for (; value; value /= 10)
        *--end = (char)('0' + value % 10);
    return end;
}

static char *power_of_two(char *end, uint64_t value, int bits, char letter)
{
    const char *digit = letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";

    for (; value; value >>= bits)
        *--end = digit[value & ((1U << bits) - 1)];
    return end;
}

/* An integer without its sign. */
static int put_integer(struct print *out, struct print_spec *spec,
                       uint64_t value, const char *prefix)
{
    char digits[NUMBER_BYTES];
    char *end = digits + sizeof digits;
    char *text;
    struct print_piece piece = {.prefix = prefix};
    size_t least = spec->precision < 0 ? 1 : (size_t)spec->precision;

    switch (spec->type) {
    case 'o':
        text = power_of_two(end, value, 3, 'o');
        if ((spec->flags & PRINT_FLAG('#')) && least < (size_t)(end - text) + 1)
            least = (size_t)(end - text) + 1;
        break;
    case 'p':
        if (spec->precision >= 0 && least < POINTER_DIGITS)
            least = POINTER_DIGITS;
        /* fall through */
    case 'x':
    case 'X':
        text = power_of_two(end, value, 4, spec->type);
        if ((spec->flags & PRINT_FLAG('#')) && value)
            piece.prefix = spec->type == 'X' ? "0X" : "0x";
        break;
    default:
        text = decimal(end, value);
        break;
    }
    if (spec->precision >= 0)
        spec->flags &= ~PRINT_FLAG('0');
    piece.text = text;
    piece.size = (size_t)(end - text);
    piece.zeros = least > piece.size ? least - piece.size : 0;
    piece.prefix_size = strlen(piece.prefix);
    return print_field(out, spec, &piece);
}

static uint64_t pop_unsigned(char length, va_list *list)
{
    switch (length) {
    case 0:
        return va_arg(*list, unsigned);
    case 'h':
        return (unsigned short)va_arg(*list, int);
    case 'H':
        return (unsigned char)va_arg(*list, int);
    default:
        return va_arg(*list, uint64_t);
    }
}

static int64_t pop_signed(char length, va_list *list)
{
    switch (length) {
    case 0:
        return va_arg(*list, int);
    case 'h':
        return (short)va_arg(*list, int);
    case 'H':
        return (signed char)va_arg(*list, int);
    default:
        return va_arg(*list, int64_t);
    }
}

/* The sign's text: a minus, or what the flags ask for. */
static const char *sign(const struct print_spec *spec, int is_negative)
{
    if (is_negative)
        return "-";
    if (spec->flags & PRINT_FLAG('+'))
        return "+";
    return spec->flags & PRINT_FLAG(' ') ? " " : "";
}

static int put_signed(struct print *out, struct print_spec *spec, va_list *list)
{
    int64_t value = pop_signed(spec->length, list);
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    return put_integer(out, spec, magnitude, sign(spec, value < 0));
}

static int put_text(struct print *out, struct print_spec *spec,
                    const char *text)
{
    if (!text)
        text = "(null)";
    struct print_piece piece = {.text = text};
    if (spec->precision < 0)
        piece.size = strlen(text);
    else
        piece.size = strnlen(text, (size_t)spec->precision);
    spec->flags &= ~PRINT_FLAG('0');
    return print_field(out, spec, &piece);
}

static int put_character(struct print *out, struct print_spec *spec, char c)
{
    struct print_piece piece = {.text = &c, .size = 1};

    spec->flags &= ~PRINT_FLAG('0');
    return print_field(out, spec, &piece);
}

/* The conversion's own format for a call with width, precision and value. */
static const char *format_of(const struct print_spec *spec, char *format)
{
    char *at = format;

    *at++ = '%';
    for (int i = 0; i < 32; i++)
        if (spec->flags & (1U << i))
            *at++ = (char)(' ' + i);
    *at++ = '*';
    *at++ = '.';
    *at++ = '*';
    if (spec->length == 'l')
        *at++ = 'l';
    *at++ = spec->type;
    *at = 0;
    return format;
}

static int put_double(struct print *out, struct print_spec *spec, double value)
{
    char text[PRINT_FLOAT_BYTES];
    char format[40];
    struct print_piece piece = {.text = text};
    int is_plain = value - value == 0 && (spec->type | 32) != 'a' &&
                   !(spec->flags & PRINT_FLAG('#'));

    if (is_plain)
        piece.size = print_float(text, __builtin_fabs(value), spec);
    if (piece.size == 0)
        return print_by_musl_with(out, format_of(spec, format), spec->width,
                                  spec->precision, value);
    piece.prefix = sign(spec, __builtin_signbit(value));
    piece.prefix_size = *piece.prefix != 0;
    return print_field(out, spec, &piece);
}

static int put_wide(struct print *out, struct print_spec *spec, va_list *list)
{
    char format[40];
    struct print_spec wide = *spec;

    wide.flags &= ~PRINT_FLAG('0'); /* musl would count spaces, print none */
    wide.length = 'l';
    wide.type = (char)(spec->type | 32);
    format_of(&wide, format);
    if (wide.type == 'c')
        return print_by_musl_with(out, format, spec->width, spec->precision,
                                  va_arg(*list, wint_t));
    return print_by_musl_with(out, format, spec->width, spec->precision,
                              va_arg(*list, const wchar_t *));
}

static void store_count(struct print *out, char length, void *to)
{
    print_count(out);
    switch (length) {
    case 0:
        *(int *)to = (int)out->count;
        break;
    case 'h':
        *(short *)to = (short)out->count;
        break;
    case 'H':
        *(signed char *)to = (signed char)out->count;
        break;
    default:
        *(int64_t *)to = (int64_t)out->count;
        break;
    }
}

/* `*`: an argument; digits: what they say; -1: beyond what an int holds. */
static int read_number(const char **format, va_list *list)
{
    const char *at = *format;
    unsigned value = 0;

    if (*at == '*') {
        *format = at + 1;
        return va_arg(*list, int);
    }
    for (; (unsigned)*at - '0' < 10; at++)
        value = value > INT_MAX / 10 ? UINT_MAX / 10
                                     : value * 10 + ((unsigned)*at - '0');
    *format = at;
    return value > INT_MAX ? -1 : (int)value;
}

/* Flags, width and precision; -1: too large. */
static int read_modifiers(struct print_spec *spec, const char **format,
                          va_list *list)
{
    while ((unsigned)**format - ' ' < 32 && (ALL_FLAGS & PRINT_FLAG(**format)))
        spec->flags |= PRINT_FLAG(*(*format)++);
    int is_argument = **format == '*';
    spec->width = read_number(format, list);
    if (spec->width < 0) {
        if (!is_argument || spec->width == INT_MIN)
            return -1;
        spec->flags |= PRINT_FLAG('-');
        spec->width = -spec->width;
    }
    if (**format == '.') {
        ++*format;
        is_argument = **format == '*';
        spec->precision = read_number(format, list);
        if (spec->precision < 0 && !is_argument)
            return -1;
        if (spec->precision < 0)
            spec->precision = -1;
    }
    if (spec->flags & PRINT_FLAG('-'))
        spec->flags &= ~PRINT_FLAG('0');
    return 0;
}

static char read_length(const char **format)
{
    char length = **format;

    switch (length) {
    case 'h':
    case 'l':
        if ((*format)[1] == length) {
            *format += 2;
            return length == 'h' ? 'H' : 'q';
        }
        break;
    case 'j':
    case 'z':
    case 't':
    case 'L':
        break;
    default:
        return 0;
    }
    ++*format;
    return length;
}

/* One conversion; -1 with errno as printf. */
static int convert(struct print *out, struct print_spec *spec, va_list *list)
{
    switch (spec->type) {
    case 'd':
    case 'i':
        return put_signed(out, spec, list);
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        return put_integer(out, spec, pop_unsigned(spec->length, list), "");
    case 'c':
        if (spec->length != 'l')
            return put_character(out, spec, (char)va_arg(*list, int));
        return put_wide(out, spec, list);
    case 's':
        if (spec->length != 'l')
            return put_text(out, spec, va_arg(*list, const char *));
        return put_wide(out, spec, list);
    case 'C':
    case 'S':
        return put_wide(out, spec, list);
    case 'e':
    case 'f':
    case 'g':
    case 'a':
    case 'E':
    case 'F':
    case 'G':
    case 'A':
        return put_double(out, spec, va_arg(*list, double));
    case 'p':
        spec->flags |= PRINT_FLAG('#');
        return put_integer(out, spec, va_arg(*list, uint64_t), "");
    case 'm':
        return put_text(out, spec, strerror(errno));
    case 'n':
        store_count(out, spec->length, va_arg(*list, void *));
        return 0;
    default:
        errno = EINVAL;
        return -1;
    }
}

/* Digits two at a time. */
static char *put_unsigned(char *to, uint64_t value)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021"
                                "22232425262728293031323334353637383940414243"
                                "44454647484950515253545556575859606162636465"
                                "66676869707172737475767778798081828384858687"
                                "888990919293949596979899";
    int log = (64 - __builtin_clzll(value | 1)) * 1233 >> 12; /* or one over */
    char *end = to + log + ((value | 1) >= print_power[log]);
    char *at = end;

    for (; value >= 100; value /= 100) {
        at -= 2;
        __builtin_memcpy(at, pairs + value % 100 * 2, 2);
    }
    if (value >= 10)
        __builtin_memcpy(to, pairs + value * 2, 2);
    else
        *to = (char)('0' + value);
    return end;
}

static void put_plain_text(struct print *out, const char *text)
{
    size_t near = print_room(out) < NEAR_BYTES ? print_room(out) : NEAR_BYTES;
    char *at = out->at;
    size_t i;

#pragma clang loop vectorize(disable) unroll(disable)
    for (i = 0; i < near && text[i]; i++)
        at[i] = text[i];
    out->at = at + i;
    if (text[i])
        print_put(out, text + i, strlen(text + i));
}

/* The conversions that bots print most, without flags, width and precision,
 * where there is room; NULL: none of these. */
static const char *convert_plain(struct print *out, const char *format,
                                 va_list *list)
{
    int is_long = *format == 'l' || *format == 'z';

    if (*format == 's') {
        const char *text = va_arg(*list, const char *);
        put_plain_text(out, text ? text : "(null)");
        return format + 1;
    }
    if (print_room(out) < NUMBER_BYTES)
        return NULL;
    if (is_long)
        format += 1 + (format[0] == 'l' && format[1] == 'l');
    if (*format == 'd') {
        int64_t value = is_long ? va_arg(*list, int64_t) : va_arg(*list, int);
        char *at = out->at;

        if (value < 0)
            *at++ = '-';
        out->at =
            put_unsigned(at, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
        return format + 1;
    }
    if (*format == 'u') {
        out->at = put_unsigned(out->at, is_long ? va_arg(*list, uint64_t)
                                                : va_arg(*list, unsigned));
        return format + 1;
    }
    if (*format == 'c' && !is_long) {
        *out->at++ = (char)va_arg(*list, int);
        return format + 1;
    }
    return NULL;
}

static int print_all(struct print *out, const char *format, va_list *list)
{
    for (int is_first = 1;; is_first = 0) {
        struct print_spec spec = {.precision = -1};
        const char *plain;

        format = put_literal(out, format);
        if (!*format)
            break;
        if (*++format == '%') {
            print_put(out, format++, 1);
            continue;
        }
        if ((plain = convert_plain(out, format, list))) {
            format = plain;
            continue;
        }
        if (is_first && (unsigned)*format - '1' < 9 && format[1] == '$')
            return print_by_musl(out, format - 1, *list);
        if (*format < 'A' && read_modifiers(&spec, &format, list) < 0) {
            errno = EOVERFLOW;
            return -1;
        }
        spec.length = read_length(&format);
        spec.type = *format++;
        if (convert(out, &spec, list) < 0)
            return -1;
    }
    return 0;
}

/* What the function returns. */
static int total(struct print *out, int result)
{
    print_count(out);
    if (result < 0)
        return -1;
    if (out->count > INT_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    return (int)out->count;
}

int vsnprintf(char *restrict to, size_t size, const char *restrict format,
              va_list list)
{
    char nowhere;
    // cppcheck-suppress uninitvar ; its address alone is taken
    char *at = size > 0 ? to : &nowhere;
    struct print out = {.at = at, .from = at};
    va_list rest;

    if (size > INT_MAX) /* more is an error anyway */
        size = INT_MAX;
    out.end = at + (size > 0 ? size - 1 : 0);
    va_copy(rest, list);
    int result = print_all(&out, format, &rest);
    va_end(rest);
    *out.at = 0;
    return total(&out, result);
}

int vfprintf(FILE *restrict file, const char *restrict format, va_list list)
{
    struct print out = {.file = file};
    unsigned before = file->flags & F_ERR;
    va_list rest;

    if (file->buf_size == 0 || file->lbf >= 0 || file->mode > 0)
        return __musl_vfprintf(file, format, list);
    file->flags &= ~(unsigned)F_ERR;
    if (!file->wend && __towrite(file)) {
        file->flags |= before;
        return -1;
    }
    out.at = out.from = (char *)file->wpos;
    out.end = (char *)file->wend;
    va_copy(rest, list);
    int result = print_all(&out, format, &rest);
    va_end(rest);
    file->wpos = (unsigned char *)out.at;
    if (file->flags & F_ERR)
        result = -1;
    file->flags |= before;
    return total(&out, result);
}
