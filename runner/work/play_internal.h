/* play_internal: what play.c and play_build.c share. */
#pragma once

#include "runner/jail/box.h"
#include "runner/work/gamebook.h"
#include "runner/work/gauge.h"
#include "runner/work/lease.h"
#include "runner/work/wire.h"

#define BENCH_SEATS 32

/* Builds of bots that played lately; a build never changes. */
struct bench_seat {
    int64_t bot_id;
    struct build *build; /* NULL: free */
    uint64_t used;       /* bench->clock at its last use */
};

struct player_bench {
    struct bench_seat seat[BENCH_SEATS];
    uint64_t clock;
};

struct worker {
    struct lease *lease;
    struct zygote *zygote;
    struct gamebook book;
    struct player_bench bench;
    struct gauge gauge;
    bool facts_known;        /* the server has gauge.facts */
    const struct work *work; /* that is being done */
    uint64_t extend_at_ns;
    struct match_place starved; /* of this work; turn UINT32_MAX: nowhere */
};

/* The build of that toolchain; NULL: the current one. Borrowed until the next
 * call. With at most MATCH_MAX_SLOTS builds in use at
 * once the oldest seat is never one of them. */
struct build *play_get_build(struct player_bench *bench, struct lease *lease,
                             int64_t bot_id, const char *fingerprint,
                             struct err *err);

/* The referee of the work's "game", and the game. */
struct build *play_get_game(struct worker *worker, const struct work *work,
                            struct gamebook_entry **entry, struct err *err);

/* Builds a submission and lets it play its smoke matches. */
int play_build(struct worker *worker, const struct work *work,
               struct parcel *result, struct err *err);
