#include "profiler/tick_internal.h"

#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define CALIBRATION_NS 5000000u

uint64_t tick_system_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#if defined(__x86_64__)
/* CPUID: the counter runs on at one rate in every state of the processor (Intel
 * SDM 3, 17.17; AMD APM 2, 13.2.4). */
static bool has_counter(void)
{
    unsigned a, b, c, d;

    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

static uint64_t counter_rate(void)
{
    uint64_t start_ns = tick_system_ns();
    uint64_t start = __builtin_ia32_rdtsc();
    uint64_t now_ns;

    do
        now_ns = tick_system_ns();
    while (now_ns - start_ns < CALIBRATION_NS);
    uint64_t ticks = __builtin_ia32_rdtsc() - start;
    return (uint64_t)((double)ticks * 1e9 / (double)(now_ns - start_ns));
}
#endif

void tick_init(struct tick_clock *clock)
{
    *clock = (struct tick_clock){.per_second = 1000000000u};
#if defined(__x86_64__)
    if (!has_counter())
        return;
    clock->uses_counter = true;
    clock->per_second = counter_rate();
#endif
}
