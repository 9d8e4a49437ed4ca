/* pool: the server's workers: starts them, hears them, restarts them.
 *
 * A worker is a process of its own session, at the other end of a socketpair.
 * One that is dead, or that does not take or send a message within
 * POOL_PATIENCE_S, is gone: killed, reaped, and started again after a pause
 * that grows while it keeps dying young. One thread uses a pool, and has to
 * live as long as the workers (they die with the thread that started them).
 */
#pragma once

#include "runner/work/parcel.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define POOL_MAX_WORKERS 256u
#define POOL_PATIENCE_S 30

struct pool;

struct pool_spec {
    const char *program; /* run as `PROGRAM worker --lease-fd 3 --cpu N` */
    bool profile;        /* workers are given --profile */
    unsigned workers;    /* 1 to POOL_MAX_WORKERS, one a core */
};

struct pool *pool_open(const struct pool_spec *spec);
/* Kills all workers. */
void pool_close(struct pool *pool);

enum pool_event_kind {
    POOL_NOTHING, /* the time is over */
    POOL_WOKEN,   /* wake_fd is readable */
    POOL_ASKS,    /* `parcel` of `worker`, to be released by the caller */
    POOL_GONE,    /* `worker` was lost */
};

struct pool_event {
    enum pool_event_kind kind;
    unsigned worker;
    struct parcel parcel;
};

/* Starts the workers that are due, then waits for one event. */
void pool_wait(struct pool *pool, int wake_fd, int timeout_ms,
               struct pool_event *event);

/* 0; -1: it is gone (and will be said to be, by pool_wait). */
int pool_send(struct pool *pool, unsigned worker, const struct parcel *parcel,
              struct err *err);

/* Ends it now; pool_wait will say that it is gone. */
void pool_kill(struct pool *pool, unsigned worker);

/* 0 if it does not run now. */
pid_t pool_pid(const struct pool *pool, unsigned worker);
unsigned pool_alive(const struct pool *pool);
uint64_t pool_restarts(const struct pool *pool);
