/* Fuel and the exact count, on programs that are only their checks. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/unit/count_fixture.h"

#include <cmocka.h>

enum { BOUND = 4096 };

struct run {
    uint64_t executed, slow;
};

/* Passes checks, hot ones often, until the budget ends it or `most`
 * instructions were executed: true. */
static bool run(struct run *run, uint64_t checks, uint64_t most)
{
    if (setjmp(count_left))
        return false;
    while (run->executed < most) {
        uint64_t k =
            count_draw(4) ? count_draw(1 + checks / 8) : count_draw(checks);

        run->executed += weight(k);
        run->slow += (uint64_t)count_pass(k);
    }
    return true;
}

static void open_random(uint64_t checks)
{
    count_open(checks, 0);
    for (uint64_t k = 0; k < checks; k++) {
        uint64_t cost = 1 + count_draw(count_draw(3) ? 30 : 2000);

        count_set(k, cost, cost + count_draw(40));
    }
}

static void test_a_stop_is_never_early_and_at_most_the_bound_late(void **unused)
{
    static const uint64_t budgets[] = {0,     1,      100,     4095,    5000,
                                       16384, 100000, 1000000, 30000000};

    (void)unused;
    for (int round = 0; round < 40; round++) {
        for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
            struct run all = {0};
            uint64_t checks = 1 + count_draw(200);

            open_random(checks);
            bot_hidden.budget = (int64_t)budgets[i];
            bot_count_open();
            assert_false(run(&all, checks, UINT64_MAX));
            assert_int_equal(count_end, PAGE_END_BUDGET);
            assert_true(all.executed > budgets[i]);
            assert_true(all.executed <= budgets[i] + BOUND);
            assert_int_equal(bot_count(), all.executed);
            count_release();
        }
    }
}

static void test_the_count_is_exact_at_every_turns_end(void **unused)
{
    struct run all = {0};

    (void)unused;
    open_random(100);
    for (int turn = 0; turn < 200; turn++) {
        uint64_t before = all.executed;

        bot_hidden.budget = 1000000;
        bot_count_open();
        assert_true(run(&all, 100, before + count_draw(900000)));
        bot_count_close();
        assert_int_equal(bot_hidden.counted, all.executed);
        assert_int_equal(bot_hidden.remaining,
                         1000000 - (int64_t)(all.executed - before));
    }
    count_release();
}

/* The default budgets of a turn, and a program that spreads its work widely. */
static void test_the_slow_path_is_seldom(void **unused)
{
    struct run all = {0};

    (void)unused;
    open_random(500);
    for (int turn = 0; turn < 20; turn++) {
        uint64_t before = all.executed, slow = all.slow;

        bot_hidden.budget = 30000000;
        bot_count_open();
        assert_true(run(&all, 500, before + 10000000));
        bot_count_close();
        assert_true(all.slow - slow < 2000);
    }
    count_release();
}

static void test_equal_programs_take_equal_slow_paths(void **unused)
{
    struct run all[2] = {{0}, {0}};

    (void)unused;
    for (int i = 0; i < 2; i++) {
        count_seed = 77;
        open_random(64);
        bot_hidden.budget = 5000000;
        bot_count_open();
        assert_false(run(&all[i], 64, UINT64_MAX));
        count_release();
    }
    assert_int_equal(all[0].executed, all[1].executed);
    assert_int_equal(all[0].slow, all[1].slow);
}

/* A price known at run time is taken whole or not at all. */
static void test_a_price_beyond_what_remains_stops_at_once(void **unused)
{
    struct run all = {0};

    (void)unused;
    open_random(10);
    bot_hidden.budget = 200000;
    bot_count_open();
    assert_true(run(&all, 10, 100000));
    if (setjmp(count_left) == 0) {
        bot_pay(200000 - all.executed, &bot_hidden.read_charge, 0);
        assert_int_equal(bot_count(), 200000);
        bot_pay(1, &bot_hidden.read_charge, 0);
        fail();
    }
    assert_int_equal(count_end, PAGE_END_BUDGET);
    count_release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stop_is_never_early_and_at_most_the_bound_late),
        cmocka_unit_test(test_the_count_is_exact_at_every_turns_end),
        cmocka_unit_test(test_the_slow_path_is_seldom),
        cmocka_unit_test(test_equal_programs_take_equal_slow_paths),
        cmocka_unit_test(test_a_price_beyond_what_remains_stops_at_once),
    };

    alarm(100);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
