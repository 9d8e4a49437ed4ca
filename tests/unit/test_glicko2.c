/* Glicko-2 against its paper's worked example and its own laws. */
#include "api/ladder/glicko2.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <unistd.h>

static void assert_near(double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("got %.10f, expected %.10f", got, expected);
}

static void test_the_papers_example_at_full_precision(void **state)
{
    const struct glicko2 player = {1500, 200, 0.06};
    const struct glicko2_game game[3] = {
        {{1400, 30, 0.06}, 1},
        {{1550, 100, 0.06}, 0},
        {{1700, 300, 0.06}, 0},
    };
    struct glicko2 after = glicko2_update(player, game, 3);

    (void)state;
    assert_near(after.rating, 1464.0506705393, 1e-6);
    assert_near(after.deviation, 151.5165241239, 1e-6);
    assert_near(after.volatility, 0.0599959843, 1e-9);
}

static void test_a_game_moves_both_apart_symmetrically(void **state)
{
    const struct glicko2 fresh = {GLICKO2_RATING, GLICKO2_DEVIATION,
                                  GLICKO2_VOLATILITY};
    struct glicko2 won = glicko2_update(
        fresh, &(struct glicko2_game){.opponent = fresh, .score = 1}, 1);
    struct glicko2 lost = glicko2_update(
        fresh, &(struct glicko2_game){.opponent = fresh, .score = 0}, 1);
    struct glicko2 tied = glicko2_update(
        fresh, &(struct glicko2_game){.opponent = fresh, .score = 0.5}, 1);

    (void)state;
    assert_true(won.rating > fresh.rating);
    assert_near(won.rating - fresh.rating, fresh.rating - lost.rating, 1e-9);
    assert_near(tied.rating, fresh.rating, 1e-9);
    assert_true(won.deviation < fresh.deviation);
}

static void test_idle_time_only_widens_the_deviation(void **state)
{
    const struct glicko2 player = {1600, 100, 0.06};
    struct glicko2 after = glicko2_update(player, NULL, 0);

    (void)state;
    assert_near(after.rating, 1600, 0);
    assert_true(after.deviation > 100 && after.deviation < 102);
}

static void test_extreme_games_stay_finite(void **state)
{
    struct glicko2 weak = {1500, 350, 0.06};
    const struct glicko2 strong = {4000, 30, 0.06};

    (void)state;
    for (int i = 0; i < 1000; i++) {
        weak = glicko2_update(
            weak, &(struct glicko2_game){.opponent = strong, .score = i % 2},
            1);
        assert_true(isfinite(weak.rating));
        assert_true(weak.deviation >= 30 && weak.deviation <= 350);
        assert_true(weak.volatility > 0 && weak.volatility < 10);
    }
}

static void test_a_new_version_starts_where_the_old_one_was(void **state)
{
    struct glicko2 next = glicko2_inherit((struct glicko2){1720, 60, 0.05});

    (void)state;
    assert_near(next.rating, 1720, 0);
    assert_near(next.deviation, 120, 1e-9);
    next = glicko2_inherit((struct glicko2){1720, 300, 0.05});
    assert_near(next.deviation, GLICKO2_DEVIATION, 0);
}

static void
test_expected_scores_of_a_pair_are_one_for_equal_deviations(void **state)
{
    const struct glicko2 a = {1650, 80, 0.06};
    const struct glicko2 b = {1500, 80, 0.06};

    (void)state;
    assert_near(glicko2_expected(a, b) + glicko2_expected(b, a), 1.0, 1e-12);
    assert_true(glicko2_expected(a, b) > 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_papers_example_at_full_precision),
        cmocka_unit_test(test_a_game_moves_both_apart_symmetrically),
        cmocka_unit_test(test_idle_time_only_widens_the_deviation),
        cmocka_unit_test(test_extreme_games_stay_finite),
        cmocka_unit_test(test_a_new_version_starts_where_the_old_one_was),
        cmocka_unit_test(
            test_expected_scores_of_a_pair_are_one_for_equal_deviations),
    };

    alarm(30);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
