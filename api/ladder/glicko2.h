/* glicko2: ratings after games between two players. Pure functions.
 *
 * Source: M. E. Glickman, "Example of the Glicko-2 system" (2013); names and
 * step numbers are the paper's. A match is a rating period of one game.
 */
#pragma once

#include <stddef.h>

#define GLICKO2_RATING 1500.0   /* of one who never played */
#define GLICKO2_DEVIATION 350.0 /* the same, and the cap */
#define GLICKO2_VOLATILITY 0.06 /* the same */
#define GLICKO2_TAU 0.5         /* how much volatility may change */

struct glicko2 {
    double rating;
    double deviation;
    double volatility;
};

struct glicko2_game {
    struct glicko2 opponent; /* before the period */
    double score;            /* 1 won, 0.5 tied, 0 lost */
};

/* The player after a period of `count` games. Without games only the deviation
 * grows (step 6). */
struct glicko2 glicko2_update(struct glicko2 player,
                              const struct glicko2_game *game, size_t count);

/* The start of a new version: its forerunner's rating, less sure. */
struct glicko2 glicko2_inherit(struct glicko2 forerunner);

/* The score that `player` is expected to make against `opponent`. */
double glicko2_expected(struct glicko2 player, struct glicko2 opponent);
