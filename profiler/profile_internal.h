/* profile_internal: what the calls (profile.c) and the writing thread
 * (output.c) share. */
#pragma once

#include "profiler/pool_internal.h"
#include "profiler/profile.h"
#include "profiler/tick_internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct profiler {
    _Atomic uint32_t generation; /* odd: initialized */
    atomic_bool enabled;
    struct pool pool;
    _Atomic uint32_t ended; /* trees, for the writer */
    _Atomic uint64_t lost;
    struct tick_clock clock;
    uint64_t ground; /* ticks at initialize */
    const char *identifier;
    pthread_key_t at_exit;

    _Atomic(profile_write_fn) writer;
    _Atomic uint64_t wait_ms;
    pthread_t thread;
    pthread_mutex_t lock; /* of is_ending */
    pthread_cond_t ending;
    bool is_ending;
    /* The writing thread's, or nobody's. */
    uint32_t last_id;
    uint64_t writes;
};

void output_start(struct profiler *profiler);
void output_stop(struct profiler *profiler);
/* With the thread stopped: what is left, and the end record. */
void output_last(struct profiler *profiler);
