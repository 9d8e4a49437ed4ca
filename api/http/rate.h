/* rate: how much one client may ask for: token buckets by client.
 *
 * A bucket holds at most `burst` tokens and gains `per_second` of them. A fixed
 * number of buckets is kept; the one that was idle longest gives way, so
 * memory is bounded whatever addresses come. Safe from any thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct rate;

struct rate_spec {
    double per_second; /* 0: no limit */
    double burst;
    size_t buckets; /* how many clients are remembered */
};

struct rate *rate_new(const struct rate_spec *spec);
void rate_free(struct rate *rate);

/* Takes one token of client `key`. 0: go on; else the nanoseconds after which
 * there will be one. */
uint64_t rate_take(struct rate *rate, uint64_t key, uint64_t now_ns);
