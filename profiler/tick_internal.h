/* tick: the profiler's clock, and where it was read.
 *
 * On x86-64 with an invariant counter that counter, in a third of the time of
 * clock_gettime; elsewhere CLOCK_MONOTONIC. The core is sched_getcpu(3)'s,
 * which reads a word that the kernel keeps up to date (rseq(2)). */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

struct tick_clock {
    bool uses_counter;
    uint64_t per_second;
};

/* Finds out which clock, and its rate: takes a few milliseconds. */
void tick_init(struct tick_clock *clock);

uint64_t tick_system_ns(void);

static inline uint64_t tick_now(const struct tick_clock *clock,
                                uint32_t *processor)
{
    int where = sched_getcpu();

    *processor = where < 0 ? 0 : (uint32_t)where;
#if defined(__x86_64__)
    if (clock->uses_counter)
        return __builtin_ia32_rdtsc();
#else
    (void)clock;
#endif
    return tick_system_ns();
}
