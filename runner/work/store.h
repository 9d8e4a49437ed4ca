/* store: the server's side of work: what a worker is sent for a job, and how
 * what it brings back goes into the database.
 *
 * Calling order for a job: store_begin in the transaction of job_lease;
 * store_pack and send; store_read what came back, outside any transaction (it
 * is the slow part); store_apply inside one. "Writer", "Reader" as in
 * db/bots.h.
 */
#pragma once

#include "db/jobs.h"
#include "runner/work/wire.h"

/* Writer. The job's bot is compiling, its match is running. */
int store_begin(struct db *db, const struct job *job, int64_t now_ns,
                struct err *err);

/* Reader. Fills the parcel of lease.h's struct work. */
int store_pack(struct db *db, const struct job *job, struct parcel *parcel,
               struct err *err);

/* A checked result. Owns what it holds but for what points into the parcel. */
struct outcome {
    bool ready; /* build: accepted */
    struct build_row build;
    char *diagnostics;          /* build: JSON array */
    struct build_source source; /* build: of an archive, unpacked; or empty */
    struct wire_match match;
    struct wire_chunks chunks;
    struct wire_measures measures;
    bool equal; /* verify */
};

void outcome_release(struct outcome *outcome);
#define auto_outcome __attribute__((cleanup(outcome_release)))

/* ERR_SYSTEM if the worker sent nonsense. */
int store_read(const struct job *job, const struct parcel *parcel,
               struct outcome *outcome, struct err *err);

/* Writer. 1: stored and the lease ended; 0: the lease was lost; -1. */
int store_apply(struct db *db, const struct job *job, struct outcome *outcome,
                int64_t now_ns, struct err *err);
