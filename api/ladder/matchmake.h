/* matchmake: who plays whom next on a ladder. Pure functions; chance comes in
 * as numbers of 0 <= u < 1 from the caller.
 *
 * The seeker is the bot that is least sure of its rating, where a bot that
 * waits for its queued matches is passed over. Its opponent is drawn near its
 * rating with a heavy tail (far opponents keep the scale from drifting), one in
 * eight anybody; who met the seeker often is less likely. Seats balance over
 * the pair's meetings. Source: Halite's matchmaking, figures in README.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct entrant {
    int64_t bot_id;
    double rating;
    double deviation;
    int64_t games;   /* finished */
    int64_t pending; /* queued or running */
};

/* Whom a round is for: index of the seeker, or -1 with fewer than `slots`
 * entrants or when all have `most_pending` matches waiting. */
int matchmake_seeker(const struct entrant *entrant, size_t count,
                     unsigned slots, int64_t most_pending);

/* How often the seeker met entrant i lately: met[i]; may be NULL. Index of the
 * opponent among those with taken[i] false; -1 if there is none. `u` draws. */
int matchmake_opponent(const struct entrant *entrant, size_t count,
                       size_t seeker, const int64_t *met, const char *taken,
                       const double u[2]);

/* 1: the seeker sits before the opponent. Of `met` meetings it did so
 * `as_first` times; `u` decides where that is half. */
int matchmake_seeker_first(int64_t met, int64_t as_first, double u);
