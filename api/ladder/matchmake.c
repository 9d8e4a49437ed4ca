#include "api/ladder/matchmake.h"

#include <math.h>

#define RANDOM_SHARE 0.125 /* of rounds with any opponent */
#define DISTANCE_POINTS 100.0
#define DISTANCE_POWER 1.5 /* of the weight's fall: heavier than a bell */

int matchmake_seeker(const struct entrant *entrant, size_t count,
                     unsigned slots, int64_t most_pending)
{
    int best = -1;
    double best_score = 0.0;

    if (count < slots)
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (entrant[i].pending >= most_pending)
            continue;
        /* Less sure first; each waiting match counts as if it were played. */
        double score =
            entrant[i].deviation / sqrt(1.0 + (double)entrant[i].pending);
        /* Among equally sure ones, who played least. */
        score -= 1e-6 * (double)entrant[i].games;
        if (best < 0 || score > best_score) {
            best = (int)i;
            best_score = score;
        }
    }
    return best;
}

/* How likely i is drawn, relative to the others. */
static double opponent_weight(const struct entrant *entrant, size_t seeker,
                              size_t i, int64_t met)
{
    double distance =
        fabs(entrant[i].rating - entrant[seeker].rating) / DISTANCE_POINTS;

    return pow(1.0 + distance, -DISTANCE_POWER) / (1.0 + (double)met);
}

int matchmake_opponent(const struct entrant *entrant, size_t count,
                       size_t seeker, const int64_t *met, const char *taken,
                       const double u[2])
{
    int by_chance = u[0] < RANDOM_SHARE;
    double total = 0.0;
    int last = -1;

    for (size_t i = 0; i < count; i++)
        if (i != seeker && !taken[i])
            total += by_chance ? 1.0
                               : opponent_weight(entrant, seeker, i,
                                                 met ? met[i] : 0);
    double left = u[1] * total;
    for (size_t i = 0; i < count; i++) {
        if (i == seeker || taken[i])
            continue;
        last = (int)i;
        left -= by_chance
                    ? 1.0
                    : opponent_weight(entrant, seeker, i, met ? met[i] : 0);
        if (left < 0.0)
            break;
    }
    return last;
}

int matchmake_seeker_first(int64_t met, int64_t as_first, double u)
{
    int64_t as_second = met - as_first;

    if (as_first != as_second)
        return as_first < as_second;
    return u < 0.5;
}
