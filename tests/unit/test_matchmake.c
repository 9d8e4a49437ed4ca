/* Who plays whom: laws that hold over many draws of a fixed generator. */
#include "api/ladder/glicko2.h"
#include "api/ladder/matchmake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static void test_too_few_entrants_make_no_match(void **state)
{
    const struct entrant one = {.bot_id = 1, .deviation = 350};

    (void)state;
    assert_int_equal(matchmake_seeker(&one, 1, 2, 4), -1);
    assert_int_equal(matchmake_seeker(&one, 0, 2, 4), -1);
}

static void test_the_least_sure_seeks_first(void **state)
{
    const struct entrant entrant[3] = {
        {.bot_id = 1, .deviation = 60, .games = 40},
        {.bot_id = 2, .deviation = 350},
        {.bot_id = 3, .deviation = 100, .games = 9}};

    (void)state;
    assert_int_equal(matchmake_seeker(entrant, 3, 2, 4), 1);
}

static void test_who_waits_for_matches_is_passed_over(void **state)
{
    const struct entrant entrant[2] = {
        {.bot_id = 1, .deviation = 350, .pending = 4},
        {.bot_id = 2, .deviation = 50}};
    const struct entrant full[2] = {
        {.bot_id = 1, .deviation = 350, .pending = 4},
        {.bot_id = 2, .deviation = 50, .pending = 4}};

    (void)state;
    assert_int_equal(matchmake_seeker(entrant, 2, 2, 4), 1);
    assert_int_equal(matchmake_seeker(full, 2, 2, 4), -1);
}

static void test_opponents_are_near_but_everyone_is_met(void **state)
{
    struct entrant entrant[21];
    const char taken[21] = {0};
    int met[21] = {0};
    uint64_t seed = 1;

    (void)state;
    for (int i = 0; i < 21; i++)
        entrant[i] = (struct entrant){.bot_id = i + 1, .rating = 1000 + 50 * i};
    for (int i = 0; i < 20000; i++) {
        double u[2] = {draw(&seed), draw(&seed)};
        int opponent = matchmake_opponent(entrant, 21, 10, NULL, taken, u);
        assert_in_range(opponent, 0, 20);
        assert_int_not_equal(opponent, 10);
        met[opponent]++;
    }
    for (int i = 0; i < 21; i++)
        assert_true(i == 10 || met[i] > 100);
    assert_true(met[9] > 2 * met[0]);
    assert_true(met[11] > 2 * met[20]);
}

static void test_frequent_pairs_become_rare(void **state)
{
    struct entrant entrant[3] = {{.bot_id = 1, .rating = 1500},
                                 {.bot_id = 2, .rating = 1500},
                                 {.bot_id = 3, .rating = 1500}};
    const int64_t met[3] = {0, 30, 0};
    const char taken[3] = {0};
    int often = 0;
    uint64_t seed = 2;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        double u[2] = {draw(&seed), draw(&seed)};
        often += matchmake_opponent(entrant, 3, 0, met, taken, u) == 1;
    }
    assert_in_range(often, 20, 200);
}

static void test_taken_seats_are_not_drawn(void **state)
{
    struct entrant entrant[3] = {{.bot_id = 1}, {.bot_id = 2}, {.bot_id = 3}};
    char taken[3] = {0, 1, 0};
    const double low[2] = {0.5, 0.0};
    const double high[2] = {0.5, 0.999999};

    (void)state;
    assert_int_equal(matchmake_opponent(entrant, 3, 0, NULL, taken, low), 2);
    assert_int_equal(matchmake_opponent(entrant, 3, 0, NULL, taken, high), 2);
    taken[2] = 1;
    assert_int_equal(matchmake_opponent(entrant, 3, 0, NULL, taken, low), -1);
}

static void test_seats_balance_over_a_pairs_meetings(void **state)
{
    int64_t met = 0;
    int64_t first = 0;
    uint64_t seed = 3;

    (void)state;
    for (; met < 101; met++) {
        first += matchmake_seeker_first(met, first, draw(&seed));
        assert_true(llabs(2 * first - (met + 1)) <= 1);
    }
}

/* A simulated ladder: after 40 games each, the order found is close to the
 * truth, and every bot has played about as often as any other. */
static void test_a_ladder_finds_the_order_and_is_fair(void **state)
{
    enum { BOTS = 16, ROUNDS = 320 };
    struct entrant entrant[BOTS];
    struct glicko2 rating[BOTS];
    const char taken[BOTS] = {0};
    uint64_t seed = 4;
    int wrong = 0;

    (void)state;
    for (int i = 0; i < BOTS; i++) {
        rating[i] = (struct glicko2){GLICKO2_RATING, GLICKO2_DEVIATION,
                                     GLICKO2_VOLATILITY};
        entrant[i] =
            (struct entrant){.bot_id = i + 1, .rating = 1500, .deviation = 350};
    }
    for (int round = 0; round < ROUNDS; round++) {
        int a = matchmake_seeker(entrant, BOTS, 2, 4);
        double u[2] = {draw(&seed), draw(&seed)};
        int b = matchmake_opponent(entrant, BOTS, (size_t)a, NULL, taken, u);
        /* Strength is the index: 100 points a step. */
        double chance = 1 / (1 + pow(10, (b - a) * 100 / 400.0));
        double score = draw(&seed) < chance;
        struct glicko2 old = rating[a];
        rating[a] =
            glicko2_update(old, &(struct glicko2_game){rating[b], score}, 1);
        rating[b] = glicko2_update(rating[b],
                                   &(struct glicko2_game){old, 1 - score}, 1);
        for (int side = 0; side < 2; side++) {
            int i = side ? a : b;
            entrant[i].rating = rating[i].rating;
            entrant[i].deviation = rating[i].deviation;
            entrant[i].games++;
        }
    }
    for (int i = 0; i < BOTS; i++) {
        assert_true(entrant[i].games >= 15);
        for (int j = 0; j < i; j++)
            wrong += entrant[i].rating < entrant[j].rating;
    }
    assert_true(wrong <= 18); /* of 120 pairs */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_few_entrants_make_no_match),
        cmocka_unit_test(test_the_least_sure_seeks_first),
        cmocka_unit_test(test_who_waits_for_matches_is_passed_over),
        cmocka_unit_test(test_opponents_are_near_but_everyone_is_met),
        cmocka_unit_test(test_frequent_pairs_become_rare),
        cmocka_unit_test(test_taken_seats_are_not_drawn),
        cmocka_unit_test(test_seats_balance_over_a_pairs_meetings),
        cmocka_unit_test(test_a_ladder_finds_the_order_and_is_fair),
    };

    alarm(30);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
