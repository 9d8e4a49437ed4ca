/* stream: stdin, stdout, stderr, and how streams reach their descriptors.
 *
 * stdout is fully buffered whatever is printed: the reply is written when the
 * program asks for input (system.c calls __bout_flush), flushes or ends. Reads
 * are as large as the buffer, so a view of a few KiB is one system charge. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "instrument/library/src/system.h"
#include "stdio_impl.h"

#undef stdin
#undef stdout
#undef stderr

#define STREAM_BYTES 16384
#define FULLY_BUFFERED (-1) /* value of `lbf`: no character ends a line */
#define NO_LOCK (-1)

static unsigned char stdin_buffer[UNGET + STREAM_BYTES];
static unsigned char stdout_buffer[UNGET + STREAM_BYTES];
static unsigned char stderr_buffer[UNGET];

hidden FILE __stdin_FILE = {
    .buf = stdin_buffer + UNGET,
    .buf_size = STREAM_BYTES,
    .fd = 0,
    .flags = F_PERM | F_NOWR,
    .read = __stdio_read,
    .seek = __stdio_seek,
    .close = __stdio_close,
    .lock = NO_LOCK,
};

hidden FILE __stdout_FILE = {
    .buf = stdout_buffer + UNGET,
    .buf_size = STREAM_BYTES,
    .fd = 1,
    .flags = F_PERM | F_NORD,
    .lbf = FULLY_BUFFERED,
    .write = __stdio_write,
    .seek = __stdio_seek,
    .close = __stdio_close,
    .lock = NO_LOCK,
};

hidden FILE __stderr_FILE = {
    .buf = stderr_buffer + UNGET,
    .buf_size = 0,
    .fd = 2,
    .flags = F_PERM | F_NORD,
    .lbf = FULLY_BUFFERED,
    .write = __stdio_write,
    .seek = __stdio_seek,
    .close = __stdio_close,
    .lock = NO_LOCK,
};

FILE *const stdin = &__stdin_FILE;
FILE *const stdout = &__stdout_FILE;
FILE *const stderr = &__stderr_FILE;
FILE *volatile __stdin_used = &__stdin_FILE;
FILE *volatile __stdout_used = &__stdout_FILE;
FILE *volatile __stderr_used = &__stderr_FILE;

void __bout_flush(void)
{
    FILE *f = &__stdout_FILE;

    if (f->wpos != f->wbase)
        f->write(f, NULL, 0);
}

/* Puts 1 to `size` bytes at `to`; 0 after the end of input or an error. */
size_t __stdio_read(FILE *f, unsigned char *to, size_t size)
{
    int direct = size > f->buf_size;
    ssize_t got =
        direct ? read(f->fd, to, size) : read(f->fd, f->buf, f->buf_size);

    if (got <= 0) {
        f->flags |= got < 0 ? F_ERR : F_EOF;
        return 0;
    }
    if (direct)
        return (size_t)got;
    if (size > (size_t)got)
        size = (size_t)got;
    memcpy(to, f->buf, size);
    f->rpos = f->buf + size;
    f->rend = f->buf + got;
    return size;
}

/* Writes what is buffered; `from` follows it or, where the buffer has room and
 * no line has to go out, is kept there. Both are taken whole: a write is never
 * partial here. */
size_t __stdio_write(FILE *f, const unsigned char *from, size_t size)
{
    size_t waiting = (size_t)(f->wpos - f->wbase);
    int keep = f->lbf < 0 && size < f->buf_size;

    if ((waiting > 0 && write(f->fd, f->wbase, waiting) < 0) ||
        (!keep && size > 0 && write(f->fd, from, size) < 0)) {
        f->wpos = f->wbase = f->wend = NULL;
        f->flags |= F_ERR;
        return 0;
    }
    f->wend = f->buf + f->buf_size;
    f->wpos = f->wbase = f->buf;
    if (keep && size > 0) {
        memcpy(f->wpos, from, size);
        f->wpos += size;
    }
    return size;
}

size_t __stdout_write(FILE *f, const unsigned char *from, size_t size)
{
    return __stdio_write(f, from, size);
}

/* One thread: every lock is had at once. */
void flockfile(FILE *f)
{
    (void)f;
}

int ftrylockfile(FILE *f)
{
    (void)f;
    return 0;
}

void funlockfile(FILE *f)
{
    (void)f;
}

void __unlist_locked_file(FILE *f)
{
    (void)f;
}
