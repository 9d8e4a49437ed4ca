#include "api/http/rate.h"

#include "runner/base/buf.h"

#include <pthread.h>
#include <stdlib.h>

#define RATE_WAYS 8 /* buckets in which one key can lie */

struct rate_bucket {
    uint64_t key;
    uint64_t seen_ns; /* 0: never used */
    double tokens;
};

struct rate {
    struct rate_spec spec;
    pthread_mutex_t lock; /* over the buckets */
    struct rate_bucket *bucket;
};

struct rate *rate_new(const struct rate_spec *spec)
{
    struct rate *rate = mem_calloc(1, sizeof *rate);

    rate->spec = *spec;
    if (rate->spec.buckets < RATE_WAYS)
        rate->spec.buckets = RATE_WAYS;
    rate->spec.buckets -= rate->spec.buckets % RATE_WAYS;
    rate->bucket = mem_calloc(rate->spec.buckets, sizeof *rate->bucket);
    pthread_mutex_init(&rate->lock, NULL);
    return rate;
}

void rate_free(struct rate *rate)
{
    if (!rate)
        return;
    pthread_mutex_destroy(&rate->lock);
    free(rate->bucket);
    free(rate);
}

static uint64_t rate_mix(uint64_t key)
{
    key ^= key >> 33;
    key *= UINT64_C(0xff51afd7ed558ccd);
    return key ^ (key >> 33);
}

/* The client's bucket, or the idlest of its neighbours made new for it. */
static struct rate_bucket *rate_find(struct rate *rate, uint64_t key,
                                     uint64_t now_ns)
{
    size_t sets = rate->spec.buckets / RATE_WAYS;
    struct rate_bucket *set = rate->bucket + rate_mix(key) % sets * RATE_WAYS;
    struct rate_bucket *idlest = set;

    for (size_t i = 0; i < RATE_WAYS; i++) {
        if (set[i].seen_ns && set[i].key == key)
            return &set[i];
        if (set[i].seen_ns < idlest->seen_ns)
            idlest = &set[i];
    }
    *idlest = (struct rate_bucket){
        .key = key, .seen_ns = now_ns, .tokens = rate->spec.burst};
    return idlest;
}

uint64_t rate_take(struct rate *rate, uint64_t key, uint64_t now_ns)
{
    uint64_t wait_ns = 0;

    if (rate->spec.per_second <= 0)
        return 0;
    pthread_mutex_lock(&rate->lock);
    struct rate_bucket *b = rate_find(rate, key, now_ns);
    if (now_ns > b->seen_ns)
        b->tokens +=
            (double)(now_ns - b->seen_ns) / 1e9 * rate->spec.per_second;
    if (b->tokens > rate->spec.burst)
        b->tokens = rate->spec.burst;
    if (now_ns > b->seen_ns)
        b->seen_ns = now_ns;
    if (b->tokens >= 1)
        b->tokens -= 1;
    else
        wait_ns = (uint64_t)((1 - b->tokens) / rate->spec.per_second * 1e9) + 1;
    pthread_mutex_unlock(&rate->lock);
    return wait_ns;
}
