/* stream: stdin, stdout, stderr, and how streams reach their descriptors.
 *
 * stdout is fully buffered whatever is printed: the reply is written when the
 * program asks for input (system.c calls __bout_flush), flushes or ends. Reads
 * are as large as the buffer, so a view of a few KiB is one system charge.
 *
 * std::cin reads in place what stdin has buffered (cxx/buffers.h): it is lent
 * these bytes, stdin looks empty meanwhile, and takes back what is left of them
 * as soon as anybody reads from it or pushes a character back. */
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

/* How to take back what cin was lent and has not read: where that begins. NULL
 * while nothing is lent. */
static unsigned char *(*cin_position)(void);
static unsigned char *lent_end;

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

static void take_back(FILE *f)
{
    f->rpos = cin_position();
    f->rend = lent_end;
    cin_position = NULL;
}

/* Before a read: what was lent counts as read ahead, so that __stdio_read hands
 * it out. */
int __toread(FILE *f)
{
    f->mode |= f->mode - 1;
    if (f == &__stdin_FILE && cin_position) {
        take_back(f);
        return 0;
    }
    if (f->wpos != f->wbase)
        f->write(f, NULL, 0);
    f->wpos = f->wbase = f->wend = NULL;
    if (f->flags & F_NORD) {
        f->flags |= F_ERR;
        return EOF;
    }
    f->rpos = f->rend = f->buf + f->buf_size;
    return f->flags & F_EOF ? EOF : 0;
}

hidden void __toread_needs_stdio_exit(void)
{
    __stdio_exit_needed();
}

/* What stdin has buffered, at least a byte, for cin, which has read what it was
 * lent before; NULL at the end of input. `before` (EOF: none) was read last and
 * is put in front of it. */
unsigned char *__bout_lend(unsigned char *(*position)(void), int before,
                           unsigned char **end)
{
    FILE *f = &__stdin_FILE;
    unsigned char *from;
    unsigned char first;

    cin_position = NULL;
    if (f->rpos == f->rend) {
        if (__toread(f) || f->read(f, &first, 1) != 1)
            return NULL;
        f->rpos--;
    }
    from = f->rpos;
    *end = lent_end = f->rend;
    if (before != EOF)
        from[-1] = (unsigned char)before;
    f->rpos = f->rend = NULL;
    cin_position = position;
    return from;
}

/* fwrite for cout: a few instructions while the buffer has room. */
size_t __bout_put(FILE *f, const char *from, size_t size)
{
    if (f->lbf >= 0 || size >= (size_t)(f->wend - f->wpos))
        return fwrite(from, 1, size, f);
    if (size == 1)
        *f->wpos = (unsigned char)*from;
    else
        memcpy(f->wpos, from, size);
    f->wpos += size;
    return size;
}

/* Puts 1 to `size` bytes at `to`; 0 after the end of input or an error. */
size_t __stdio_read(FILE *f, unsigned char *to, size_t size)
{
    size_t ahead = (size_t)(f->rend - f->rpos);
    int direct = size > f->buf_size;

    if (ahead) { /* taken back from cin */
        if (size > ahead)
            size = ahead;
        memcpy(to, f->rpos, size);
        f->rpos += size;
        return size;
    }
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
