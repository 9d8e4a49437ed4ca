/* The referee of planetwars, compiled natively: whatever the bots print, it
 * ends, ships come from nowhere but growth, and both sides are equal. */
int referee_main(void);
#define main referee_main
#include "runner/games/referee.c"
#undef main
#include "runner/games/planetwars/planetwars.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static uint64_t chaos = 1;

static int chance(int bound)
{
    chaos = chaos * 6364136223846793005u + 1442695040888963407u;
    return (int)((chaos >> 33) % (unsigned)bound);
}

static int parse(struct wars *wars, unsigned slot, const char *reply)
{
    const char *reason = NULL;
    int legal = game.parse(wars, slot, reply, strlen(reply), &reason);

    assert_int_equal(legal, reason == NULL);
    return legal;
}

static void test_orders_are_lines_of_three_numbers(void **state)
{
    struct wars *wars = game.create(1, 2);

    (void)state;
    assert_true(parse(wars, 0, "1 2 40\n1 0 60\ngo\n"));
    assert_int_equal(wars->order[0][1][2], 40);
    assert_int_equal(wars->order[0][1][0], 60);
    assert_true(parse(wars, 0, "1 2 4\r\n 1 2 5\ngo\nwhatever"));
    assert_int_equal(wars->order[0][1][2], 9);
    assert_true(parse(wars, 0, "go"));
    assert_int_equal(wars->order[0][1][2], 0);
    assert_true(parse(wars, 0, ""));
    assert_true(parse(wars, 1, "2 1 100"));
    static const char *const bad[] = {"1 2",
                                      "1 2 101\ngo\n",
                                      "2 1 5\ngo",
                                      "1 23 5\ngo",
                                      "1 1 5\ngo",
                                      "1 2 60\n1 0 60\ngo",
                                      "1 2 -5\ngo",
                                      "a",
                                      "1 2 5x\ngo",
                                      "gogo",
                                      "1 2 9999999\ngo",

                                      "\xff",
                                      "4294967297 2 1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct wars before = *wars;
        assert_false(parse(wars, 0, bad[i]));
        assert_memory_equal(wars, &before, sizeof before);
    }
    const char *reason = NULL;
    assert_false(game.parse(wars, 0, "\0", 1, &reason));
    assert_false(game.parse(wars, 0, "go\0", 3, &reason));
    game.free(wars);
}

static void test_the_largest_force_keeps_what_the_second_lacks(void **state)
{
    static const struct {
        int owner, ships;
        int arrived[SIDES];
        int owner_after, ships_after;
    } row[] = {
        {NEUTRAL, 10, {11, 0, 0}, 0, 1},
        {NEUTRAL, 10, {10, 0, 0}, NEUTRAL, 0},
        {NEUTRAL, 10, {12, 13, 0}, 1, 1},
        {NEUTRAL, 10, {13, 13, 0}, NEUTRAL, 0},
        {0, 10, {5, 14, 0}, 0, 1},
        {0, 10, {0, 10, 0}, 0, 0},
        {1, 10, {0, 7, 0}, 1, 17},
        {1, 10, {18, 7, 0}, 0, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct planet planet = {0, 0, row[i].owner, row[i].ships, 3};
        fight(&planet, row[i].arrived);
        assert_int_equal(planet.owner, row[i].owner_after);
        assert_int_equal(planet.ships, row[i].ships_after);
    }
}

static void test_a_fleet_takes_the_distance_rounded_up(void **state)
{
    const struct planet here = {0, 0, 0, 0, 0};
    const struct planet exact = {3000, 4000, 0, 0, 0};
    const struct planet more = {3000, 4001, 0, 0, 0};
    struct wars *wars = game.create(2, 2);

    (void)state;
    assert_int_equal(way(&here, &exact), 5);
    assert_int_equal(way(&here, &more), 6);
    int steps = way(&wars->planet[1], &wars->planet[0]);
    wars->planet[0].ships = 30;
    assert_true(parse(wars, 0, "1 0 50\ngo\n"));
    for (int step = 0; step < steps; step++) {
        assert_int_equal(wars->planet[0].owner, NEUTRAL);
        game.apply(wars);
        wars_pass(wars, 0);
    }
    assert_int_equal(wars->planet[0].owner, 0);
    assert_int_equal(wars->planet[0].ships, 20);
    assert_int_equal(wars->planet[1].ships, 50 + 5 * steps);
    game.free(wars);
}

static void test_both_sides_see_the_same_from_opposite_ends(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct wars *wars = game.create(seed, 2);

        for (int i = 1; i < PLANETS; i += 2) {
            const struct planet *a = &wars->planet[i];
            const struct planet *b = &wars->planet[i + 1];
            assert_int_equal(a->x + b->x, SIZE);
            assert_int_equal(a->y + b->y, SIZE);
            assert_int_equal(a->ships, b->ships);
            assert_int_equal(a->growth, b->growth);
        }
        assert_int_equal(game.score(wars, 0), game.score(wars, 1));
        game.free(wars);
    }
}

/* Orders that are legal as often as not. */
static const char *any_reply(const struct wars *wars, unsigned slot, char *to,
                             size_t size)
{
    static const char *const words[] = {
        "", "go", "1 2 3", "go\n1 2", "\x80", "2 1 99999 go", "1 2 1\n"};
    size_t used = 0;

    if (chance(8) == 0)
        return words[chance(sizeof words / sizeof *words)];
    for (int i = chance(4); i > 0; i--) {
        int from = chance(PLANETS);
        const struct planet *planet = &wars->planet[from];
        if (planet->owner != (int)slot || planet->ships == 0)
            continue;
        used += (size_t)snprintf(to + used, size - used, "%d %d %d\n", from,
                                 chance(PLANETS), chance(planet->ships + 1));
    }
    snprintf(to + used, size - used, "go\n");
    return to;
}

static int ships_everywhere(const struct wars *wars)
{
    return ships_of(wars, 0) + ships_of(wars, 1) + ships_of(wars, NEUTRAL);
}

static void riot(uint64_t seed)
{
    struct wars *wars = game.create(seed, 2);
    int steps = 0;

    while (!game.over(wars)) {
        int growth = 0;
        int before = ships_everywhere(wars);
        assert_true(steps < MOST_TURNS);
        for (unsigned slot = 0; slot < 2; slot++) {
            char space[256];
            const char *reason;
            const char *reply = any_reply(wars, slot, space, sizeof space);
            if (chance(300) == 0)
                game.out(wars, slot);
            else if (!game.parse(wars, slot, reply, strlen(reply), &reason))
                game.pass(wars, slot);
        }
        for (int i = 0; i < PLANETS; i++)
            growth +=
                wars->planet[i].owner == NEUTRAL ? 0 : wars->planet[i].growth;
        game.apply(wars);
        steps++;
        assert_true(ships_everywhere(wars) <= before + growth);
        for (int i = 0; i < PLANETS; i++)
            assert_true(wars->planet[i].ships >= 0);
    }
    struct game_text text = {0};
    game.view(wars, 0, &text);
    assert_memory_equal(text.bytes + text.size - 4, "\ngo\n", 4);
    game.describe(wars, &text);
    free(text.bytes);
    game.free(wars);
}

/* BOUT_GAMES_RANDOM: how many; `make soak` plays 10,000. */
static void test_any_match_ends(void **state)
{
    const char *wanted = getenv("BOUT_GAMES_RANDOM");
    uint64_t count = wanted ? strtoull(wanted, NULL, 10) : 500;

    (void)state;
    for (uint64_t seed = 0; seed < count; seed++)
        riot(seed);
}

static void test_who_leaves_or_has_nothing_loses(void **state)
{
    struct wars *wars = game.create(3, 2);

    (void)state;
    assert_false(game.over(wars));
    wars->planet[2].owner = 0;
    assert_true(game.over(wars));
    assert_true(game.score(wars, 0) > game.score(wars, 1));
    game.out(wars, 0);
    assert_true(game.score(wars, 1) > game.score(wars, 0));
    game.free(wars);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders_are_lines_of_three_numbers),
        cmocka_unit_test(test_the_largest_force_keeps_what_the_second_lacks),
        cmocka_unit_test(test_a_fleet_takes_the_distance_rounded_up),
        cmocka_unit_test(test_both_sides_see_the_same_from_opposite_ends),
        cmocka_unit_test(test_any_match_ends),
        cmocka_unit_test(test_who_leaves_or_has_nothing_loses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
