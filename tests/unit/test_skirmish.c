/* The referee of skirmish, compiled natively: whatever the bots print it ends
 * and keeps its promises, neither side is better, and a view shows what its
 * owner sees and nothing else. */
int referee_main(void);
#define main referee_main
#include "runner/games/referee.c"
#undef main
#include "runner/games/skirmish/field.c"
#include "runner/games/skirmish/skirmish.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static uint64_t chaos = 1;

static unsigned chance(unsigned bound)
{
    return field_random(&chaos, bound);
}

static int parse(struct skirmish *match, unsigned slot, const char *reply)
{
    const char *reason = NULL;
    int legal = game.parse(match, slot, reply, strlen(reply), &reason);

    assert_int_equal(legal, reason == NULL);
    return legal;
}

static char *view_of(struct skirmish *match, unsigned slot)
{
    struct game_text view = {0};

    game.view(match, slot, &view);
    assert_int_equal(view.bytes[view.size - 1], '\n');
    game_print(&view, "%c", 0);
    return view.bytes;
}

static struct unit *add_unit(struct skirmish *match, int slot, int kind, int x,
                             int y)
{
    struct side *side = &match->field.side[slot];
    struct unit *unit = &side->unit[side->units++];

    *unit = (struct unit){.id = side->next_id++,
                          .kind = kind,
                          .x = x,
                          .y = y,
                          .hp = kinds[kind].hp};
    return unit;
}

/* A field without anything on it but the bases. */
static struct skirmish *bare_match(void)
{
    struct skirmish *match = game.create(1, 2);

    memset(match->field.terrain, '.', sizeof match->field.terrain);
    match->field.mines = 0;
    return match;
}

static void test_maps_are_symmetric_and_connected(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct skirmish *match = game.create(seed, 2);
        const struct field *field = &match->field;

        assert_true(is_connected(field));
        assert_int_equal(field->side[0].base_x + field->side[1].base_x,
                         WIDTH - 1);
        assert_int_equal(field->side[0].base_y + field->side[1].base_y,
                         HEIGHT - 1);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                assert_int_equal(field->terrain[y][x],
                                 field->terrain[HEIGHT - 1 - y][WIDTH - 1 - x]);
        assert_true(field->mines >= 4 && field->mines % 2 == 0);
        game.free(match);
    }
}

static void test_the_seed_changes_the_map(void **state)
{
    struct skirmish *a = game.create(1, 2);
    struct skirmish *b = game.create(2, 2);
    struct skirmish *again = game.create(1, 2);

    (void)state;
    assert_memory_not_equal(&a->field, &b->field, sizeof a->field);
    assert_memory_equal(&a->field, &again->field, sizeof a->field);
    game.free(a);
    game.free(b);
    game.free(again);
}

static void test_both_sides_see_themselves_on_the_left(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct skirmish *match = game.create(seed, 2);
        char *left = view_of(match, 0);
        char *right = view_of(match, 1);

        assert_string_equal(left, right);
        free(left);
        free(right);
        game.free(match);
    }
}

/* Both sides give the same orders, each in its own eyes: nothing may tell them
 * apart, whatever the orders are. */
static void test_equal_orders_have_equal_ends(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct skirmish *match = game.create(seed, 2);

        while (!game.over(match)) {
            struct game_text reply = {0};
            const struct side *side = &match->field.side[0];
            game_print(&reply, "TRAIN %c\n", "WSA"[chance(3)]);
            for (int i = 0; i < side->units; i++) {
                if (chance(2))
                    game_print(&reply, "MOVE %d %c\n", side->unit[i].id,
                               "URDLRR"[chance(6)]);
                else
                    game_print(&reply, "HIT %d %u %u\n", side->unit[i].id,
                               chance(WIDTH), chance(HEIGHT));
            }
            for (unsigned slot = 0; slot < 2; slot++) {
                const char *reason;
                assert_true(
                    game.parse(match, slot, reply.bytes, reply.size, &reason));
            }
            game.apply(match);
            free(reply.bytes);
            char *left = view_of(match, 0);
            char *right = view_of(match, 1);
            assert_string_equal(left, right);
            free(left);
            free(right);
        }
        assert_int_equal(game.score(match, 0), game.score(match, 1));
        game.free(match);
    }
}

static void test_orders_are_as_the_rules_say(void **state)
{
    static const char *const good[] = {
        "WAIT", "MOVE 1 U", "MOVE 1 L\nTRAIN W\n", " HIT\t1 23 15\r\n",
        "TRAIN A MOVE 1 R WAIT WAIT"};
    static const char *const bad[] = {"",
                                      " \n",
                                      "wait",
                                      "MOVE",
                                      "MOVE 1",
                                      "MOVE 2 U",
                                      "MOVE 1 X",
                                      "MOVE 1 UP",
                                      "MOVE -1 U",
                                      "MOVE 1 U U",
                                      "HIT 1 24 0",
                                      "HIT 1 0 16",
                                      "HIT 1 3",
                                      "TRAIN",
                                      "TRAIN Q",
                                      "TRAIN W TRAIN S",
                                      "TRAIN WS",
                                      "MOVE 1 U MOVE 1 U",
                                      "MOVE 1 U HIT 1 0 0",
                                      "MOVE 00001 U",
                                      "\xff\xfe",
                                      "WAIT;"};

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct skirmish *match = bare_match();
        add_unit(match, 0, WORKER, 5, 5);
        assert_true(parse(match, 0, good[i]));
        game.free(match);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct skirmish *match = bare_match();
        add_unit(match, 0, WORKER, 5, 5);
        struct skirmish before = *match;
        assert_false(parse(match, 0, bad[i]));
        assert_memory_equal(match, &before, sizeof before);
        game.free(match);
    }
}

static void test_a_view_hides_what_is_far(void **state)
{
    struct skirmish *match = bare_match();

    (void)state;
    add_unit(match, 1, SOLDIER, 12, 8);
    char *view = view_of(match, 0);
    assert_null(strstr(view, "S 12 8"));
    assert_non_null(strstr(view, "21 8 -1\n"));
    free(view);
    add_unit(match, 0, WORKER, 12, 8 - SIGHT);
    view = view_of(match, 0);
    assert_non_null(strstr(view, "1 S 12 8 14"));
    free(view);
    match->field.side[0].unit[0].y--;
    view = view_of(match, 0);
    assert_null(strstr(view, "S 12 8"));
    free(view);
    game.free(match);
}

static void test_moves_in_each_others_way_fail_together(void **state)
{
    struct skirmish *match = bare_match();
    struct unit *a = add_unit(match, 0, SOLDIER, 10, 5);
    struct unit *b = add_unit(match, 1, SOLDIER, 12, 5);

    (void)state;
    assert_true(parse(match, 0, "MOVE 1 R"));
    assert_true(parse(match, 1, "MOVE 1 R")); /* left in slot 0's eyes */
    game.apply(match);
    assert_int_equal(a->x, 10);
    assert_int_equal(b->x, 12);
    /* One behind the other: the first makes room. */
    struct unit *c = add_unit(match, 0, SOLDIER, 9, 5);
    assert_true(parse(match, 0, "MOVE 1 R MOVE 2 R"));
    game.apply(match);
    assert_int_equal(a->x, 11);
    assert_int_equal(c->x, 10);
    /* Changing places fails. */
    assert_true(parse(match, 0, "MOVE 1 R"));
    assert_true(parse(match, 1, "MOVE 1 R"));
    game.apply(match);
    assert_int_equal(a->x, 11);
    assert_int_equal(b->x, 12);
    game.free(match);
}

static void test_hits_are_at_once_and_forests_halve_them(void **state)
{
    struct skirmish *match = bare_match();
    struct unit *a = add_unit(match, 0, SOLDIER, 10, 5);
    struct unit *b = add_unit(match, 1, ARCHER, 11, 5);

    (void)state;
    match->field.terrain[5][11] = 'f';
    a->hp = 3;
    b->hp = 2;
    assert_true(parse(match, 0, "HIT 1 11 5"));
    assert_true(parse(match, 1, "HIT 1 13 10"));
    game.apply(match);
    assert_int_equal(match->field.side[0].units, 0);
    assert_int_equal(match->field.side[1].units, 0);
    struct unit *c = add_unit(match, 0, ARCHER, 10, 5);
    struct unit *d = add_unit(match, 1, SOLDIER, 13, 5);
    (void)c;
    char order[32];
    snprintf(order, sizeof order, "HIT %d 13 5", c->id);
    assert_true(parse(match, 0, order));
    game.apply(match);
    assert_int_equal(d->hp, kinds[SOLDIER].hp - kinds[ARCHER].damage);
    d->x++;
    snprintf(order, sizeof order, "HIT %d 14 5", c->id);
    assert_true(parse(match, 0, order));
    game.apply(match);
    assert_int_equal(d->hp, kinds[SOLDIER].hp - kinds[ARCHER].damage);
    game.free(match);
}

static void test_gold_is_dug_by_workers_on_mines_and_spent(void **state)
{
    struct skirmish *match = bare_match();
    struct side *side = &match->field.side[0];

    (void)state;
    match->field.mine[match->field.mines++] = (struct mine){6, 6, 3};
    add_unit(match, 0, WORKER, 6, 6);
    game.pass(match, 0);
    game.pass(match, 1);
    game.apply(match);
    game.apply(match);
    game.apply(match);
    assert_int_equal(side->gold, START_GOLD + 3);
    assert_int_equal(match->field.mine[0].gold, 0);
    assert_true(parse(match, 0, "TRAIN A"));
    game.apply(match);
    assert_int_equal(side->gold, START_GOLD + 3 - kinds[ARCHER].cost);
    assert_int_equal(side->units, 2);
    side->gold = 0;
    assert_true(parse(match, 0, "TRAIN A"));
    game.apply(match);
    assert_int_equal(side->units, 2);
    game.free(match);
}

static void test_rounds_are_won_and_the_match_is_best_of_three(void **state)
{
    struct skirmish *match = game.create(5, 2);

    (void)state;
    match->field.side[1].base_hp = 0;
    game.apply(match);
    assert_int_equal(match->won[0], 1);
    assert_false(game.over(match));
    assert_int_equal(match->field.step, 0);
    assert_int_equal(match->field.side[1].base_hp, BASE_HP);
    for (int i = 0; i < ROUND_STEPS; i++)
        game.apply(match);
    assert_int_equal(match->tied, 1);
    match->field.side[1].gold++; /* richer at the end of the round */
    for (int i = 0; i < ROUND_STEPS; i++)
        game.apply(match);
    assert_true(game.over(match));
    assert_int_equal(game.score(match, 0), 3);
    assert_int_equal(game.score(match, 1), 3);
    game.free(match);
}

static void test_who_leaves_is_last(void **state)
{
    struct skirmish *match = game.create(5, 2);

    (void)state;
    game.out(match, 0);
    assert_true(game.over(match));
    assert_true(game.score(match, 0) < game.score(match, 1));
    game.free(match);
}

/* What a bot might print: anything between sense and noise. */
static void random_reply(const struct skirmish *match, unsigned slot,
                         struct game_text *reply)
{
    static const char *const words[] = {"MOVE", "HIT", "TRAIN", "WAIT", "U",
                                        "L",    "W",   "-1",    "7",    "\x80"};
    const struct side *side = &match->field.side[slot];

    reply->size = 0;
    if (chance(50) == 0) {
        for (unsigned i = chance(8); i > 0; i--)
            game_print(reply, "%s ",
                       words[chance(sizeof words / sizeof *words)]);
        return;
    }
    game_print(reply, "TRAIN %c\n", "WSA"[chance(3)]);
    for (int i = 0; i < side->units; i++)
        if (chance(3))
            game_print(reply, "MOVE %d %c\n", side->unit[i].id,
                       "RRURDL"[chance(6)]);
        else
            game_print(reply, "HIT %d %u %u\n", side->unit[i].id, chance(WIDTH),
                       chance(HEIGHT));
}

static void check_field(const struct field *field)
{
    int taken[HEIGHT][WIDTH] = {0};

    for (int slot = 0; slot < SIDES; slot++) {
        const struct side *side = &field->side[slot];
        assert_in_range(side->units, 0, MOST_UNITS);
        assert_in_range(side->gold, 0, START_GOLD + MOST_MINES * MINE_GOLD);
        for (int i = 0; i < side->units; i++) {
            const struct unit *unit = &side->unit[i];
            assert_true(is_inside(unit->x, unit->y));
            assert_true(unit->hp > 0);
            assert_int_equal(taken[unit->y][unit->x]++, 0);
            assert_int_not_equal(field->terrain[unit->y][unit->x], '#');
            assert_false(is_base(field, unit->x, unit->y));
        }
    }
}

static void riot(uint64_t seed)
{
    struct skirmish *match = game.create(seed, 2);
    struct game_text text = {0};
    unsigned steps = 0;

    while (!game.over(match)) {
        assert_true(steps++ < game.limits.turns);
        for (unsigned slot = 0; slot < 2; slot++) {
            const char *reason;
            random_reply(match, slot, &text);
            if (!game.parse(match, slot, text.bytes, text.size, &reason))
                game.pass(match, slot);
        }
        if (chance(2000) == 0)
            game.out(match, chance(2));
        game.apply(match);
        check_field(&match->field);
        text.size = 0;
        game.describe(match, &text);
        assert_int_equal(text.bytes[text.size - 1], '}');
    }
    free(text.bytes);
    game.free(match);
}

/* BOUT_GAMES_RANDOM: how many; `make soak` plays 10,000. */
static void test_any_match_ends(void **state)
{
    const char *wanted = getenv("BOUT_GAMES_RANDOM");
    uint64_t count = wanted ? strtoull(wanted, NULL, 10) : 150;

    (void)state;
    for (uint64_t seed = 0; seed < count; seed++)
        riot(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps_are_symmetric_and_connected),
        cmocka_unit_test(test_the_seed_changes_the_map),
        cmocka_unit_test(test_both_sides_see_themselves_on_the_left),
        cmocka_unit_test(test_equal_orders_have_equal_ends),
        cmocka_unit_test(test_orders_are_as_the_rules_say),
        cmocka_unit_test(test_a_view_hides_what_is_far),
        cmocka_unit_test(test_moves_in_each_others_way_fail_together),
        cmocka_unit_test(test_hits_are_at_once_and_forests_halve_them),
        cmocka_unit_test(test_gold_is_dug_by_workers_on_mines_and_spent),
        cmocka_unit_test(test_rounds_are_won_and_the_match_is_best_of_three),
        cmocka_unit_test(test_who_leaves_is_last),
        cmocka_unit_test(test_any_match_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
