/* timer: time that has passed, by a clock that nobody sets.
 *
 * `struct timer` stays the caller's: nothing is allocated or kept. Ticks are
 * nanoseconds of CLOCK_MONOTONIC. A timer also looks at a second clock: where
 * the first went back, or the two differ by more than 0.1 s over one interval,
 * the interval is the second's. This header is C90. Ancestor: timer_lib.
 */
#ifndef BOUT_TIMER_H
#define BOUT_TIMER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Two clocks in ticks of the same length; `user` is theirs. For tests, and for
 * machines with better ones. */
struct timer_clock {
    uint64_t (*fine)(void *user);
    uint64_t (*coarse)(void *user);
    uint64_t ticks_per_second;
    void *user;
};

struct timer {
    const struct timer_clock *clock; /* borrowed */
    uint64_t start;                  /* of the fine clock */
    uint64_t coarse_start;
};

/* 0, or -1 where the machine has no such clock. */
int timer_lib_initialize(void);
void timer_lib_shutdown(void);

void timer_initialize(struct timer *timer); /* and starts it */
void timer_initialize_clock(struct timer *timer,
                            const struct timer_clock *clock);
void timer_reset(struct timer *timer);

/* Since start or the last reset; with `reset` a new interval begins in the same
 * call, so that intervals add up without a gap. */
uint64_t timer_elapsed_ticks(struct timer *timer, int reset);
double timer_elapsed(struct timer *timer, int reset); /* seconds */
uint64_t timer_ticks_per_second(const struct timer *timer);

/* Without a timer. */
uint64_t timer_current(void);
uint64_t timer_current_ticks_per_second(void);
double timer_ticks_to_seconds(uint64_t ticks);
double timer_ticks_to_milliseconds(uint64_t ticks);
uint64_t timer_system(void); /* milliseconds since 1970 */

#ifdef __cplusplus
}
#endif

#endif
