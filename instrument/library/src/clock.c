/* clock: every clock is the instruction clock.
 *
 * 1 instruction is 1 ns since turn 0 began; wall time starts at 2000-01-01
 * 00:00:00 UTC. Waiting costs the instructions that it takes to wait. */
#include <errno.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

#include "instrument/library/src/price.h"
#include "instrument/library/src/system.h"

#define NS_PER_SECOND 1000000000u
#define WALL_START 946684800 /* 2000-01-01T00:00:00Z, seconds since 1970 */
#define SLEEP_MAX_SECONDS 1000000000 /* beyond any budget: no overflow */

uint64_t __bout_now(void)
{
    __bout_charge(COST_CLOCK);
    return __bout_clock();
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    uint64_t ns = __bout_now();

    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
        now->tv_sec = WALL_START + (time_t)(ns / NS_PER_SECOND);
        break;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
        now->tv_sec = (time_t)(ns / NS_PER_SECOND);
        break;
    default:
        errno = EINVAL;
        return -1;
    }
    now->tv_nsec = (long)(ns % NS_PER_SECOND);
    return 0;
}

int clock_getres(clockid_t clock, struct timespec *resolution)
{
    struct timespec now;

    if (clock_gettime(clock, &now) < 0)
        return -1;
    if (resolution)
        *resolution = (struct timespec){.tv_nsec = 1};
    return 0;
}

int clock_settime(clockid_t clock, const struct timespec *now)
{
    (void)clock, (void)now;
    errno = EPERM;
    return -1;
}

time_t time(time_t *to)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (to)
        *to = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict to, void *restrict zone)
{
    struct timespec now;

    (void)zone;
    if (!to)
        return 0;
    clock_gettime(CLOCK_REALTIME, &now);
    to->tv_sec = now.tv_sec;
    to->tv_usec = (suseconds_t)(now.tv_nsec / 1000);
    return 0;
}

/* CLOCKS_PER_SEC is 1,000,000. */
clock_t clock(void)
{
    return (clock_t)(__bout_now() / 1000);
}

/* Spends `wait`; errno's value or 0. */
static int sleep_for(struct timespec wait)
{
    if (wait.tv_nsec < 0 || wait.tv_nsec >= (long)NS_PER_SECOND ||
        wait.tv_sec < 0)
        return EINVAL;
    if (wait.tv_sec > SLEEP_MAX_SECONDS)
        wait.tv_sec = SLEEP_MAX_SECONDS;
    __bout_charge((uint64_t)wait.tv_sec * NS_PER_SECOND +
                  (uint64_t)wait.tv_nsec);
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wait,
                    struct timespec *left)
{
    struct timespec span = *wait;
    struct timespec now;

    (void)left;
    if (clock_gettime(clock, &now) < 0)
        return EINVAL;
    if (flags & TIMER_ABSTIME) {
        span.tv_sec -= now.tv_sec;
        span.tv_nsec -= now.tv_nsec;
        if (span.tv_nsec < 0) {
            span.tv_nsec += NS_PER_SECOND;
            span.tv_sec--;
        }
        if (span.tv_sec < 0)
            return 0;
    }
    return sleep_for(span);
}

int nanosleep(const struct timespec *wait, struct timespec *left)
{
    int problem = clock_nanosleep(CLOCK_REALTIME, 0, wait, left);

    if (problem == 0)
        return 0;
    errno = problem;
    return -1;
}

/* musl's own names. */
weak_alias(clock_gettime, __clock_gettime);
weak_alias(clock_nanosleep, __clock_nanosleep);
