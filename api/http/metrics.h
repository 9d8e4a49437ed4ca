/* metrics: what the service counts about its own answers, for /metrics.
 * Safe from any thread; counters are atomics and never locked. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#define METRICS_BUCKETS 8

struct metrics {
    int64_t started_ns;               /* wall clock */
    atomic_uint_least64_t answers[6]; /* by hundred of the status, 1 to 5 */
    atomic_uint_least64_t duration_ns_sum;
    atomic_uint_least64_t duration_bucket[METRICS_BUCKETS]; /* not cumulative */
    atomic_uint_least64_t open_connections;
    atomic_uint_least64_t waiting;  /* requests in ?wait= */
    atomic_uint_least64_t too_slow; /* connections that the guard closed */
};

/* Upper bounds of duration_bucket, in seconds; the last one is infinite. */
extern const double metrics_bounds_s[METRICS_BUCKETS - 1];

void metrics_note(struct metrics *metrics, unsigned status,
                  uint64_t duration_ns);
