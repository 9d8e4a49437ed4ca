/* The referee of tron, compiled natively: whatever the bots print, it ends, it
 * stays on the board, and no start is better than another. */
int referee_main(void);
#define main referee_main
#include "runner/games/referee.c"
#undef main
#include "runner/games/tron/tron.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static uint64_t chaos = 1;

static unsigned chance(unsigned bound)
{
    chaos = chaos * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(chaos >> 33) % bound;
}

static int parse(struct tron *tron, unsigned slot, const char *reply)
{
    const char *reason = NULL;
    int legal = game.parse(tron, slot, reply, strlen(reply), &reason);

    assert_int_equal(legal, reason == NULL);
    return legal;
}

static void test_moves_are_one_letter(void **state)
{
    struct tron *tron = game.create(1, 2);

    (void)state;
    assert_true(parse(tron, 0, "U\n"));
    assert_int_equal(tron->rider[0].direction, UP);
    assert_true(parse(tron, 0, " \r\n L \t"));
    assert_int_equal(tron->rider[0].direction, LEFT);
    static const char *const bad[] = {"",  "\n", "u",      "UU",   "U R",
                                      "0", "UP", "U\nD\n", "\xff", "X"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct tron before = *tron;
        assert_false(parse(tron, 0, bad[i]));
        assert_memory_equal(tron, &before, sizeof before);
    }
    const char *reason = NULL;
    assert_false(game.parse(tron, 0, "\0", 1, &reason));
    assert_false(game.parse(tron, 0, "U\0", 2, &reason));
    game.free(tron);
}

static void test_starts_mirror_each_other(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct tron *tron = game.create(seed, 4);

        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                for (int quarter = 1; quarter < 4; quarter++) {
                    int mx = x;
                    int my = y;
                    mirror(quarter, &mx, &my);
                    assert_int_equal(tron->cell[y][x] == '#',
                                     tron->cell[my][mx] == '#');
                    assert_int_equal(tron->cell[y][x] == '.',
                                     tron->cell[my][mx] == '.');
                }
        /* Straight on is safe for the first three steps. */
        for (int step = 0; step < 3; step++) {
            game.apply(tron);
            for (unsigned slot = 0; slot < 4; slot++)
                assert_true(tron->rider[slot].alive);
        }
        game.free(tron);
    }
}

static void test_mirrored_moves_have_mirrored_ends(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct tron *tron = game.create(seed, 2);

        while (!game.over(tron)) {
            int direction = (int)chance(4);
            tron->rider[0].direction = direction;
            tron->rider[1].direction = mirror_direction(1, direction);
            game.apply(tron);
        }
        assert_int_equal(game.score(tron, 0), game.score(tron, 1));
        game.free(tron);
    }
}

/* One match of riders that say anything; returns its steps. */
static unsigned riot(uint64_t seed, unsigned slots)
{
    static const char *const words[] = {"U", "R",     "D",    "L",       "D\n",
                                        "",  "hello", "URDL", "\x80\x81"};
    struct tron *tron = game.create(seed, slots);
    unsigned steps = 0;

    while (!game.over(tron)) {
        assert_true(steps < MOST_TURNS);
        for (unsigned slot = 0; slot < slots; slot++) {
            if (!game.asked(tron, slot))
                continue;
            const char *reason;
            const char *word = words[chance(sizeof words / sizeof *words)];
            if (chance(60) == 0)
                game.out(tron, slot);
            else if (!game.parse(tron, slot, word, strlen(word), &reason))
                game.pass(tron, slot);
        }
        game.apply(tron);
        steps++;
    }
    for (unsigned slot = 0; slot < slots; slot++)
        assert_in_range(game.score(tron, slot), 0, MOST_TURNS + 1);
    game.free(tron);
    return steps;
}

/* BOUT_GAMES_RANDOM: how many; `make soak` plays 10,000. */
static void test_any_match_ends(void **state)
{
    const char *wanted = getenv("BOUT_GAMES_RANDOM");
    uint64_t count = wanted ? strtoull(wanted, NULL, 10) : 2000;

    (void)state;
    for (uint64_t seed = 0; seed < count; seed++)
        riot(seed, 2 + (unsigned)(seed % 3));
}

static void test_view_says_its_length_and_ends_with_a_newline(void **state)
{
    struct tron *tron = game.create(7, 3);
    struct game_text view = {0};
    int turn, you, width, height, players, used;

    (void)state;
    game.view(tron, 2, &view);
    game_print(&view, "%c", 0);
    assert_int_equal(sscanf(view.bytes, "%d %d %d %d %d%n", &turn, &you, &width,
                            &height, &players, &used),
                     5);
    assert_int_equal(turn, 1);
    assert_int_equal(you, 2);
    assert_int_equal(players, 3);
    size_t lines = 0;
    for (const char *at = view.bytes; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 1 + players + height);
    assert_int_equal(view.bytes[view.size - 2], '\n');
    free(view.bytes);
    game.free(tron);
}

static void test_head_on_crash_is_a_tie(void **state)
{
    struct tron *tron = game.create(1, 2);

    (void)state;
    memset(tron->cell, '.', sizeof tron->cell);
    tron->rider[0] = (struct rider){4, 5, RIGHT, 1, 9};
    tron->rider[1] = (struct rider){6, 5, LEFT, 1, 9};
    game.apply(tron);
    assert_true(game.over(tron));
    assert_int_equal(game.score(tron, 0), game.score(tron, 1));
    game.free(tron);
}

static void test_two_left_of_three_play_on_when_one_goes_out(void **state)
{
    struct tron *tron = game.create(3, 3);

    (void)state;
    game.out(tron, 1);
    assert_false(game.over(tron));
    assert_false(game.asked(tron, 1));
    game.apply(tron);
    assert_true(game.score(tron, 0) > game.score(tron, 1));
    game.out(tron, 0);
    assert_true(game.over(tron));
    assert_true(game.score(tron, 2) > game.score(tron, 0));
    assert_true(game.score(tron, 0) > game.score(tron, 1));
    game.free(tron);
}

static void test_out_and_crash_in_one_step_tie(void **state)
{
    struct tron *tron = game.create(3, 2);

    (void)state;
    memset(tron->cell, '.', sizeof tron->cell);
    tron->rider[0] = (struct rider){0, 0, UP, 1, 4};
    tron->rider[1] = (struct rider){9, 9, UP, 1, 4};
    game.out(tron, 1);
    game.apply(tron);
    assert_int_equal(game.score(tron, 0), game.score(tron, 1));
    game.free(tron);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves_are_one_letter),
        cmocka_unit_test(test_starts_mirror_each_other),
        cmocka_unit_test(test_mirrored_moves_have_mirrored_ends),
        cmocka_unit_test(test_any_match_ends),
        cmocka_unit_test(test_view_says_its_length_and_ends_with_a_newline),
        cmocka_unit_test(test_head_on_crash_is_a_tie),
        cmocka_unit_test(test_two_left_of_three_play_on_when_one_goes_out),
        cmocka_unit_test(test_out_and_crash_in_one_step_tie),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
