/* system: what musl takes for the kernel.
 *
 * A bot has three descriptors, a clock and a random stream; it has no files,
 * processes, sockets or terminals. What is not here fails: opening with EACCES,
 * the rest with ENOSYS. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "instrument/bot/runtime.h"
#include "instrument/library/src/system.h"
#include "syscall.h"

#define NS_PER_SECOND 1000000000u
#define NS_PER_TICK 10000000u /* of times(2): 100 a second */

static long system_read(long fd, void *to, size_t size)
{
    if (fd != 0)
        return -EBADF;
    __bout_flush();
    return __bout_read(to, size);
}

static long system_write(long fd, const void *from, size_t size)
{
    if (fd != 1 && fd != 2)
        return -EBADF;
    return __bout_write((int)fd, from, size);
}

static long system_readv(long fd, const struct iovec *part, long count)
{
    long sum = 0;

    for (long i = 0; i < count; i++) {
        if (part[i].iov_len == 0)
            continue;
        long got = system_read(fd, part[i].iov_base, part[i].iov_len);
        if (got < 0)
            return sum > 0 ? sum : got;
        sum += got;
        if ((size_t)got < part[i].iov_len)
            break;
    }
    return sum;
}

static long system_writev(long fd, const struct iovec *part, long count)
{
    long sum = 0;

    for (long i = 0; i < count; i++) {
        long put = system_write(fd, part[i].iov_base, part[i].iov_len);
        if (put < 0)
            return sum > 0 ? sum : put;
        sum += put;
    }
    return sum;
}

static long system_usage(struct rusage *usage)
{
    uint64_t ns = __bout_now();

    memset(usage, 0, sizeof(long[18])); /* the kernel's part of it */
    usage->ru_utime.tv_sec = (time_t)(ns / NS_PER_SECOND);
    usage->ru_utime.tv_usec = (suseconds_t)(ns % NS_PER_SECOND / 1000);
    return 0;
}

static long system_times(struct tms *times)
{
    long ticks = (long)(__bout_now() / NS_PER_TICK);

    if (times)
        *times = (struct tms){.tms_utime = ticks};
    return ticks;
}

/* Says once, in the log, what a program that opens files can do instead. */
static long system_open(void)
{
    static const char hint[] =
        "no files at run time: put data into arrays or #embed them\n";
    static int was_said;

    if (!was_said)
        __bout_write(2, hint, sizeof hint - 1);
    was_said = 1;
    return -EACCES;
}

long __bout_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    (void)d, (void)e, (void)f;
    switch (number) {
    case SYS_read:
        return system_read(a, (void *)b, (size_t)c);
    case SYS_readv:
        return system_readv(a, (const struct iovec *)b, c);
    case SYS_write:
        return system_write(a, (const void *)b, (size_t)c);
    case SYS_writev:
        return system_writev(a, (const struct iovec *)b, c);
    case SYS_exit:
    case SYS_exit_group:
        __bout_exit((int)a);
    case SYS_open:
    case SYS_openat:
        return system_open();
    case SYS_close:
        return a >= 0 && a <= 2 ? 0 : -EBADF;
    case SYS_lseek:
        return a >= 0 && a <= 2 ? -ESPIPE : -EBADF;
    case SYS_ioctl:
        return a >= 0 && a <= 2 ? -ENOTTY : -EBADF;
    case SYS_getpid:
    case SYS_gettid:
        return 1;
    case SYS_getppid:
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid:
        return 0;
    case SYS_getrusage:
        return system_usage((struct rusage *)b);
    case SYS_times:
        return system_times((struct tms *)a);
    case SYS_sysinfo:
        memset((void *)a, 0, sizeof(struct sysinfo));
        return 0;
    default:
        return -ENOSYS;
    }
}

/* musl's form for calls at which a thread could be cancelled. */
long(__syscall_cp)(long number, long a, long b, long c, long d, long e, long f)
{
    return __bout_syscall(number, a, b, c, d, e, f);
}

ssize_t read(int fd, void *to, size_t size)
{
    return __syscall_ret((unsigned long)system_read(fd, to, size));
}

ssize_t write(int fd, const void *from, size_t size)
{
    return __syscall_ret((unsigned long)system_write(fd, from, size));
}

/* Memory of one's own only; nothing is ever given back. */
void *mmap(void *at, size_t size, int protection, int flags, int fd,
           off_t offset)
{
    (void)at, (void)protection, (void)fd, (void)offset;
    if (!(flags & MAP_ANONYMOUS) || (flags & MAP_FIXED)) {
        errno = EACCES;
        return MAP_FAILED;
    }
    if (size == 0 || size > PTRDIFF_MAX) {
        errno = size == 0 ? EINVAL : ENOMEM;
        return MAP_FAILED;
    }
    return __bout_heap(size);
}

int munmap(void *at, size_t size)
{
    (void)at, (void)size;
    return 0;
}

/* musl's own names for the two. */
weak_alias(mmap, __mmap);
weak_alias(munmap, __munmap);
