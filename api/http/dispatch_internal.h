/* dispatch_internal: what dispatch.c (the loop, leases, time) and
 * dispatch_answer.c (what workers ask) share. */
#pragma once

#include "api/http/dispatch.h"
#include "db/jobs.h"
#include "runner/work/pool.h"

#include <pthread.h>
#include <stdatomic.h>

#define LEASE_NS 300000000000 /* 5 min: only a worker that hangs is so late */

struct holder {
    bool waits;             /* it asked for work */
    struct job job;         /* that it holds; id 0: none */
    int64_t failed_job;     /* the last one that it failed */
    unsigned failures;      /* other jobs that it failed, in a row */
    int64_t rests_until_ns; /* CLOCK_MONOTONIC; it gets no job before */
};

struct dispatch {
    struct dispatch_spec spec;
    char *program;
    char *database;
    struct dispatch_game *game;
    pthread_t thread;
    int wake_fd;
    atomic_bool stopping;
    atomic_uint alive; /* for dispatch_state */
    atomic_uint busy;
    atomic_uint resting;
    atomic_ullong restarts;
    atomic_ullong failed;

    /* The thread's alone. */
    struct db *db;
    struct pool *pool;
    struct holder *holder; /* by worker */
    struct job *orphan;    /* one a worker: leased and nobody's, see keep_job */
    unsigned orphans;
    bool work_maybe; /* something may be queued */
    int64_t expire_at_ns;
    int64_t ladder_at_ns;
    double ladder_due;  /* matches that may be queued now */
    size_t ladder_next; /* game whose turn it is */
};

/* Tells the service that the job's bot or match has changed. */
void dispatch_tell(struct dispatch *dispatch, const struct job *job);

/* The worker's job ends without a result. 1; 0: it was lost anyway; -1. */
int dispatch_drop(struct dispatch *dispatch, unsigned worker,
                  const char *reason);

/* Was it the disk's fault, so that there is no sense in trying it again now? */
bool dispatch_is_disk(const struct err *err);

/* The worker's job ended and the disk could not take it: it is queued again,
 * its attempt not counted, as soon as that can be written. */
void dispatch_keep(struct dispatch *dispatch, unsigned worker);

/* The worker brought a job to its end. */
void dispatch_note_success(struct dispatch *dispatch, unsigned worker);

/* Answers one question of a worker. */
void dispatch_answer(struct dispatch *dispatch, unsigned worker,
                     const struct parcel *question);
