/* print_out: where a printf's bytes go (struct print). */
#include <limits.h>
#include <string.h>

#include "instrument/library/src/musl.h"
#include "instrument/library/src/print.h"
#include "stdio_impl.h"

#define NEAR_BYTES 16u /* copied one by one */

void print_count(struct print *out)
{
    out->count += (size_t)(out->at - out->from);
    out->from = out->at;
}

/* Between these two the stream knows what is printed. */
static void lend(struct print *out)
{
    print_count(out);
    out->file->wpos = (unsigned char *)out->at;
}

static void take(struct print *out)
{
    out->at = out->from = (char *)out->file->wpos;
    out->end = (char *)out->file->wend;
}

/* More than there is room for. */
void print_rest(struct print *out, const char *from, size_t size)
{
    if (out->file) {
        lend(out);
        out->count += size;
        if (!(out->file->flags & F_ERR))
            __fwritex((const void *)from, size, out->file);
        take(out);
        return;
    }
    memcpy(out->at, from, print_room(out));
    out->count += size - print_room(out);
    out->at = out->end;
}

void print_put(struct print *out, const char *from, size_t size)
{
    if (size > print_room(out)) {
        print_rest(out, from, size);
        return;
    }
    char *at = out->at;
    out->at += size;
    if (size > NEAR_BYTES) {
        memcpy(at, from, size);
        return;
    }
#pragma clang loop vectorize(disable) unroll(disable)
    for (size_t i = 0; i < size; i++)
        at[i] = from[i];
}

void print_fill(struct print *out, char with, size_t size)
{
    char block[256];

    if (size <= print_room(out)) {
        memset(out->at, with, size);
        out->at += size;
        return;
    }
    memset(block, with, sizeof block);
    while (size > 0) {
        size_t some = size < sizeof block ? size : sizeof block;
        if (print_room(out) == 0 && !out->file) {
            out->count += size;
            return;
        }
        print_put(out, block, some);
        size -= some;
    }
}

/* A piece in its field; -1: a field beyond what an int counts. */
int print_field(struct print *out, const struct print_spec *spec,
                const struct print_piece *piece)
{
    size_t size = piece->prefix_size + piece->zeros + piece->size;
    size_t width = (size_t)spec->width;
    size_t padding = width > size ? width - size : 0;
    size_t zeros = piece->zeros;

    if (size + padding > INT_MAX)
        return -1;
    if (spec->flags & PRINT_FLAG('0')) {
        zeros += padding;
        padding = 0;
    }
    if (padding > 0 && !(spec->flags & PRINT_FLAG('-')))
        print_fill(out, ' ', padding);
    if (piece->prefix_size > 0)
        print_put(out, piece->prefix, piece->prefix_size);
    if (zeros > 0)
        print_fill(out, '0', zeros);
    print_put(out, piece->text, piece->size);
    if (padding > 0 && (spec->flags & PRINT_FLAG('-')))
        print_fill(out, ' ', padding);
    return 0;
}

/* musl prints, with the format that it is given. */
int print_by_musl(struct print *out, const char *format, va_list list)
{
    int size;

    if (out->file) {
        lend(out);
        size = __musl_vfprintf(out->file, format, list);
        take(out);
        if (size > 0)
            out->count += (size_t)size;
        return size < 0 ? -1 : 0;
    }
    size = __musl_vsnprintf(out->at, print_room(out) + 1, format, list);
    if (size < 0)
        return -1;
    if ((size_t)size <= print_room(out)) {
        out->at += size;
    } else {
        out->count += (size_t)size - print_room(out);
        out->at = out->end;
    }
    return 0;
}

int print_by_musl_with(struct print *out, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    int result = print_by_musl(out, format, list);
    va_end(list);
    return result;
}
