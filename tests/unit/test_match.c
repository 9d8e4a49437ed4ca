/* Whole matches of an installed game, from within: their times, and bots that
 * somebody kills. */
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/match/match.h"
#include "runner/work/gamebook.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KILL_AFTER_TURN 3u

static struct zygote *zygote;
static struct gamebook book;
static struct match_spec spec;
static struct err err;

static int set_up(void **state)
{
    struct gamebook_entry *game;

    (void)state;
    setenv("BOUT_GAMES", "runner/games", 0);
    zygote = zygote_start(0, &err);
    if (!zygote || gamebook_read(&book, &err) < 0 ||
        !(game = gamebook_get(&book, "tron", &err)) ||
        !(spec.game = gamebook_referee(game, zygote, &err)) ||
        !(spec.bot[0] = gamebook_sample(game, 0, &err)) ||
        !(spec.bot[1] = gamebook_sample(game, 1, &err))) {
        print_error("%s\n", err.msg);
        return -1;
    }
    spec.game_name = "tron";
    spec.slots = 2;
    spec.seed = "7";
    limits_init(&spec.limits, game->about.turn_soft, game->about.turn_bank,
                game->about.turns);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    gamebook_release(&book);
    zygote_stop(zygote);
    return 0;
}

/* A turn is charged its own time alone: what an opponent, the referee or the
 * log took is in nobody's. */
static void test_times_of_turns_lie_within_the_match(void **state)
{
    struct match match = {0};
    uint64_t start_ns = clock_mono_ns();
    uint64_t turns_ns = 0;

    (void)state;
    assert_int_equal(match_play(zygote, &spec, &match, &err), 0);
    uint64_t match_ns = clock_mono_ns() - start_ns;
    for (size_t i = 0; i < match.turn_count; i++) {
        assert_true(match.turn[i].wall_ns > 0);
        turns_ns += match.turn[i].wall_ns;
    }
    assert_true(match.turn_count > 10);
    assert_true(turns_ns <= match_ns);
    match_release(&match);
}

/* The process that was started last: slot 1's. */
static pid_t last_child(void)
{
    char path[64];
    auto_file FILE *file = NULL;
    pid_t last = 0;

    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    file = fopen(path, "re");
    assert_non_null(file);
    for (int pid; fscanf(file, "%d", &pid) == 1;)
        last = pid > last ? pid : last;
    return last;
}

static void kill_last(void *user, unsigned turn)
{
    (void)user;
    if (turn == KILL_AFTER_TURN)
        kill(last_child(), SIGKILL);
}

static void test_a_bot_killed_twice_at_one_turn_has_lost(void **state)
{
    struct match_place place = {0};
    struct match_spec killed = spec;
    struct match match = {0};

    (void)state;
    killed.progress = kill_last;
    killed.starved = &place;
    assert_int_equal(match_play(zygote, &killed, &match, &err), -1);
    assert_string_equal(err.msg, "turn 4, slot 1: it was killed from outside");
    assert_int_equal(place.turn, KILL_AFTER_TURN + 1);
    assert_int_equal(place.slot, 1);

    /* Elsewhere before: our failure again. */
    struct match_place before = {.turn = KILL_AFTER_TURN, .slot = 1};
    killed.starved_before = &before;
    assert_int_equal(match_play(zygote, &killed, &match, &err), -1);

    before = place;
    assert_int_equal(match_play(zygote, &killed, &match, &err), 0);
    assert_int_equal(match.result[1].verdict, VERDICT_NET);
    assert_int_equal(match.result[0].verdict, VERDICT_OK);
    assert_int_equal(match.result[0].rank, 1);
    match_release(&match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_of_turns_lie_within_the_match),
        cmocka_unit_test(test_a_bot_killed_twice_at_one_turn_has_lost),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
