#include "runner/base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *mem_checked(void *memory)
{
    if (!memory) {
        fputs("bout: out of memory\n", stderr);
        abort();
    }
    return memory;
}

void *mem_alloc(size_t size)
{
    return mem_checked(malloc(size ? size : 1));
}

void *mem_calloc(size_t count, size_t size)
{
    return mem_checked(calloc(count ? count : 1, size ? size : 1));
}

void *mem_realloc(void *old, size_t size)
{
    return mem_checked(realloc(old, size ? size : 1));
}

char *mem_dup(const void *bytes, size_t size)
{
    char *copy = mem_alloc(size + 1);

    if (size)
        memcpy(copy, bytes, size);
    copy[size] = '\0';
    return copy;
}

char *mem_dup_str(const char *text)
{
    return mem_dup(text, strlen(text));
}

char *mem_format(const char *format, ...)
{
    struct buf buf = {0};
    va_list args;

    va_start(args, format);
    buf_add_vformat(&buf, format, args);
    va_end(args);
    return buf_take(&buf);
}

void buf_release(struct buf *buf)
{
    free(buf->data);
    *buf = (struct buf){0};
}

void buf_reserve(struct buf *buf, size_t extra)
{
    size_t needed = buf->size + extra + 1;

    if (needed <= buf->size)
        mem_checked(NULL); /* the sum wrapped: no such memory */
    if (needed <= buf->capacity)
        return;
    size_t capacity = buf->capacity ? buf->capacity : 64;
    while (capacity < needed)
        capacity = capacity > SIZE_MAX / 2 ? needed : capacity * 2;
    buf->data = mem_realloc(buf->data, capacity);
    buf->capacity = capacity;
}

void buf_add(struct buf *buf, const void *bytes, size_t size)
{
    buf_reserve(buf, size);
    if (size)
        memcpy(buf->data + buf->size, bytes, size);
    buf->size += size;
    buf->data[buf->size] = '\0';
}

void buf_add_str(struct buf *buf, const char *text)
{
    buf_add(buf, text, strlen(text));
}

void buf_add_char(struct buf *buf, char c)
{
    buf_add(buf, &c, 1);
}

void buf_add_vformat(struct buf *buf, const char *format, va_list args)
{
    va_list again;

    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (size < 0)
        return;
    buf_reserve(buf, (size_t)size);
    vsnprintf(buf->data + buf->size, (size_t)size + 1, format, args);
    buf->size += (size_t)size;
}

void buf_add_format(struct buf *buf, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    buf_add_vformat(buf, format, args);
    va_end(args);
}

void buf_clear(struct buf *buf)
{
    buf->size = 0;
    if (buf->data)
        buf->data[0] = '\0';
}

char *buf_take(struct buf *buf)
{
    buf_reserve(buf, 0);
    buf->data[buf->size] = '\0';
    char *data = buf->data;
    *buf = (struct buf){0};
    return data;
}
