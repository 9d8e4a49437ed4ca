/* Timers: laps without gaps, clocks that jump, cores that differ. */
#include "profiler/timer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

struct fake {
    uint64_t fine;
    uint64_t coarse;
};

static uint64_t fake_fine(void *user)
{
    return ((struct fake *)user)->fine;
}

static uint64_t fake_coarse(void *user)
{
    return ((struct fake *)user)->coarse;
}

static void test_laps_add_up_to_the_whole(void **state)
{
    struct timer whole;
    struct timer laps;
    struct fake fake = {1000, 1000};
    const struct timer_clock clock = {fake_fine, fake_coarse, 1000, &fake};
    uint64_t sum = 0;

    (void)state;
    timer_initialize_clock(&whole, &clock);
    timer_initialize_clock(&laps, &clock);
    for (int i = 0; i < 10; i++) {
        fake.fine += 7;
        fake.coarse += 7;
        sum += timer_elapsed_ticks(&laps, 1);
    }
    assert_int_equal(sum, 70);
    assert_int_equal(timer_elapsed_ticks(&whole, 0), 70);
    assert_true(timer_elapsed(&whole, 0) == 0.07);
    assert_int_equal(timer_ticks_per_second(&whole), 1000);
    timer_reset(&whole);
    assert_int_equal(timer_elapsed_ticks(&whole, 0), 0);
}

static void test_a_clock_that_jumps_is_not_believed(void **state)
{
    struct timer timer;
    struct fake fake = {1000000, 1000000};
    const struct timer_clock clock = {fake_fine, fake_coarse, 1000, &fake};

    (void)state;
    timer_initialize_clock(&timer, &clock);
    fake = (struct fake){1000000 + 5000, 1000000 + 50}; /* 5 s ahead */
    assert_int_equal(timer_elapsed_ticks(&timer, 1), 50);
    fake = (struct fake){1000000, 1000000 + 80}; /* back again */
    assert_int_equal(timer_elapsed_ticks(&timer, 1), 30);
    fake = (struct fake){1000000 + 40, 1000000 + 80 + 5}; /* 35 ms: no jump */
    assert_int_equal(timer_elapsed_ticks(&timer, 1), 40);
    fake.fine = fake.coarse = 0; /* both went back */
    assert_int_equal(timer_elapsed_ticks(&timer, 1), 0);
}

static void test_the_machines_clock_goes_forward_on_every_core(void **state)
{
    cpu_set_t before, one;
    uint64_t last = timer_current();

    (void)state;
    assert_int_equal(timer_lib_initialize(), 0);
    sched_getaffinity(0, sizeof before, &before);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &before))
            continue;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof one, &one);
        for (int i = 0; i < 100000; i++) {
            uint64_t now = timer_current();
            assert_true(now >= last);
            last = now;
        }
    }
    sched_setaffinity(0, sizeof before, &before);
    timer_lib_shutdown();
}

static void test_system_time_is_the_time_of_day(void **state)
{
    int64_t apart = (int64_t)timer_system() - (int64_t)time(NULL) * 1000;
    struct timer timer;

    (void)state;
    assert_true(apart > -1000 && apart < 2000);
    timer_initialize(&timer);
    usleep(20000);
    double seconds = timer_elapsed(&timer, 0);
    assert_true(seconds >= 0.015);
    assert_true(timer_ticks_to_seconds(timer_current_ticks_per_second()) == 1);
    assert_true(timer_ticks_to_milliseconds(2000000) == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laps_add_up_to_the_whole),
        cmocka_unit_test(test_a_clock_that_jumps_is_not_believed),
        cmocka_unit_test(test_the_machines_clock_goes_forward_on_every_core),
        cmocka_unit_test(test_system_time_is_the_time_of_day),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
