/* trial: what a bot's matches against one or more opponents add up to.
 *
 * A trial is filled by trial_add, a match at a time, and printed by
 * trial_print or trial_json. Rates count a tie as half a win; the interval is
 * Wilson's at 95 % (E. B. Wilson, JASA 22, 1927), which is right for few
 * matches and for rates of 0 and 1 too.
 */
#pragma once

#include "runner/match/match.h"

#include <jansson.h>

/* Against one opponent. */
struct trial_rival {
    char *name; /* owned */
    unsigned wins, ties, losses;
    unsigned different; /* matches in which something else was played */
    uint64_t *course;   /* owned: a hash of each different match */
};

/* A match that did not end well for the bot, or has a hint for its owner. */
struct trial_trouble {
    unsigned rival;
    unsigned slot;
    char seed[MATCH_SEED_SIZE];
    uint32_t turn;
    enum verdict verdict;
    char detail[256];
    char place[512];
};

#define TRIAL_TROUBLES 20 /* kept; the rest is counted */

struct trial {
    const char *game;
    const char *bot; /* as named by its owner */
    struct limits limits;
    struct trial_rival *rival;
    unsigned rival_count;
    uint64_t *turn; /* instructions of every counted turn from 1 on */
    size_t turn_count, turn_capacity;
    uint64_t startup_highest;
    uint64_t match_highest;
    uint64_t memory_highest;
    uint64_t reply_highest;
    struct trial_trouble trouble[TRIAL_TROUBLES];
    unsigned trouble_count; /* all of them */
};

/* Takes a match that the bot played in `slot`, the others being rivals. */
void trial_add(struct trial *trial, unsigned rival, const struct match *match,
               unsigned slot, const char *seed);
void trial_release(struct trial *trial);

/* The 95 % interval of a rate of `points` in `count`. */
void trial_interval(double points, unsigned count, double *low, double *high);

void trial_print(struct trial *trial);
json_t *trial_json(struct trial *trial); /* new reference */
