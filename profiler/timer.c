#include "profiler/timer.h"

#include <stddef.h>
#include <time.h>

#define TICKS_PER_SECOND 1000000000u

static uint64_t read_clock(clockid_t id)
{
    struct timespec now;

    clock_gettime(id, &now);
    return (uint64_t)now.tv_sec * TICKS_PER_SECOND + (uint64_t)now.tv_nsec;
}

static uint64_t monotonic(void *user)
{
    (void)user;
    return read_clock(CLOCK_MONOTONIC);
}

/* It moves with the kernel's tick, some milliseconds at a time. */
static uint64_t coarse(void *user)
{
    (void)user;
    return read_clock(CLOCK_MONOTONIC_COARSE);
}

static const struct timer_clock machine = {
    .fine = monotonic,
    .coarse = coarse,
    .ticks_per_second = TICKS_PER_SECOND,
};

int timer_lib_initialize(void)
{
    struct timespec resolution;

    return clock_getres(CLOCK_MONOTONIC, &resolution) == 0 &&
                   resolution.tv_sec == 0 && resolution.tv_nsec < 1000000
               ? 0
               : -1;
}

void timer_lib_shutdown(void)
{
}

void timer_initialize_clock(struct timer *timer,
                            const struct timer_clock *clock)
{
    timer->clock = clock;
    timer_reset(timer);
}

void timer_initialize(struct timer *timer)
{
    timer_initialize_clock(timer, &machine);
}

void timer_reset(struct timer *timer)
{
    timer->start = timer->clock->fine(timer->clock->user);
    timer->coarse_start = timer->clock->coarse(timer->clock->user);
}

uint64_t timer_elapsed_ticks(struct timer *timer, int reset)
{
    const struct timer_clock *clock = timer->clock;
    uint64_t now = clock->fine(clock->user);
    uint64_t coarse_now = clock->coarse(clock->user);
    uint64_t fine = now - timer->start;
    uint64_t rough = coarse_now - timer->coarse_start;
    uint64_t apart = fine > rough ? fine - rough : rough - fine;

    if (now < timer->start || apart > clock->ticks_per_second / 10)
        fine = coarse_now < timer->coarse_start ? 0 : rough;
    if (reset) {
        timer->start = now;
        timer->coarse_start = coarse_now;
    }
    return fine;
}

double timer_elapsed(struct timer *timer, int reset)
{
    uint64_t ticks = timer_elapsed_ticks(timer, reset);

    return (double)ticks / (double)timer->clock->ticks_per_second;
}

uint64_t timer_ticks_per_second(const struct timer *timer)
{
    return timer->clock->ticks_per_second;
}

uint64_t timer_current(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t timer_current_ticks_per_second(void)
{
    return TICKS_PER_SECOND;
}

double timer_ticks_to_seconds(uint64_t ticks)
{
    return (double)ticks / TICKS_PER_SECOND;
}

double timer_ticks_to_milliseconds(uint64_t ticks)
{
    return (double)ticks * 1000 / TICKS_PER_SECOND;
}

uint64_t timer_system(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
