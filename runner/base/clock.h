/* clock: the two clocks of the service. Durations come from the first only, so
 * that setting the system's time changes no limit. Source: clock_gettime(2). */
#pragma once

#include <stdint.h>

uint64_t clock_mono_ns(void); /* CLOCK_MONOTONIC */
int64_t clock_wall_ns(void);  /* CLOCK_REALTIME, since 1970 */

/* Sleeps that long, whatever signals arrive. */
void clock_sleep_ns(uint64_t ns);
