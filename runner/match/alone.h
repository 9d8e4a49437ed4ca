/* alone: runs one build by itself, for `bout count` and `bout profile`.
 *
 * All of `input` is turn 1 (read past its end gives end of input); turns 0 and
 * 1 together have the limits' turn_hard as budget, turn 0 no more than startup,
 * turn 1 no more than match_total. Profiles of a stored match
 * are taken by `alone_replay`: the bot gets its own views again, turn by turn.
 */
#pragma once

#include "runner/match/blocks.h"
#include "runner/match/match.h"

struct alone_spec {
    struct build *build; /* borrowed */
    const void *input;
    size_t input_size;
    struct limits limits;
    const char *seed;
    unsigned slot;
    bool profile;
};

struct alone {
    enum verdict verdict;
    char detail[256];
    char private_detail[512]; /* where it was stopped, or "" */
    uint64_t stop_address;    /* in the executable, or 0 */
    int exit_code;            /* -1: did not exit */
    struct match_turn *turn;
    size_t turn_count;
    struct buf out; /* standard output of all turns */
    struct buf log; /* standard error */
    uint64_t instructions;
    struct blocks blocks; /* on their way */
};

void alone_release(struct alone *alone);
int alone_run(struct zygote *zygote, const struct alone_spec *spec,
              struct alone *alone, struct err *err);

struct alone_again {
    struct build *build; /* borrowed, as is the log */
    const char *log;     /* a match log, plain bytes */
    size_t log_size;
    unsigned slot; /* whose build it is */
    uint32_t last_turn;
};

/* Plays the slot's turns up to last_turn again with the views of the log;
 * counters are kept for every turn. ERR_SYSTEM if a count differs from the
 * log's: a fault of ours. ERR_MISSING if the log keeps only a view's hash. */
int alone_replay(struct zygote *zygote, const struct alone_again *spec,
                 struct alone *alone, struct err *err);
