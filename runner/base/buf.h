/* buf: a growing byte string.
 *
 * `struct buf` belongs to the caller; start it as `{0}`, end it with
 * buf_release (or declare it auto_buf). `data` is NUL-terminated whenever it is
 * not NULL, and the NUL is not counted in `size`. Running out of memory ends
 * the process (house rule: the queue survives, a half-built answer must not).
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
    char *data;
    size_t size;
    size_t capacity;
};

void buf_release(struct buf *buf);
#define auto_buf __attribute__((cleanup(buf_release)))

void buf_reserve(struct buf *buf, size_t extra);
void buf_add(struct buf *buf, const void *bytes, size_t size);
void buf_add_str(struct buf *buf, const char *text);
void buf_add_char(struct buf *buf, char c);
void buf_add_format(struct buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buf_add_vformat(struct buf *buf, const char *format, va_list args);

/* Empties without giving the memory back. */
void buf_clear(struct buf *buf);

/* The bytes, owned by the caller (free); never NULL. The buf is empty then. */
char *buf_take(struct buf *buf);

/* malloc and friends that end the process with a message when out of memory. */
void *mem_alloc(size_t size);
void *mem_calloc(size_t count, size_t size);
void *mem_realloc(void *old, size_t size);
char *mem_dup(const void *bytes, size_t size); /* plus a NUL */
char *mem_dup_str(const char *text);
char *mem_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
