/* The referee of connect4, compiled natively. */
int referee_main(void);
#define main referee_main
#include "runner/games/referee.c"
#undef main
#include "runner/games/connect4/connect4.c"

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

/* Plays the columns one after the other; asserts that each is legal. */
static struct connect4 *played(const char *columns)
{
    struct connect4 *board = game.create(0, 2);

    for (; *columns; columns++) {
        const char *reason;
        assert_false(game.over(board));
        assert_true(game.parse(board, board->next, columns, 1, &reason));
        game.apply(board);
    }
    return board;
}

static void assert_result(const char *columns, int64_t first, int64_t second)
{
    struct connect4 *board = played(columns);

    assert_true(game.over(board));
    assert_int_equal(game.score(board, 0), first);
    assert_int_equal(game.score(board, 1), second);
    game.free(board);
}

static void test_lines_win_in_all_four_directions(void **state)
{
    (void)state;
    assert_result("0101010", 2, 0);     /* up */
    assert_result("0011223", 2, 0);     /* across */
    assert_result("01122323363", 2, 0); /* diagonal, rising */
    assert_result("65544343303", 2, 0); /* diagonal, falling */
}

static void test_second_player_can_win(void **state)
{
    (void)state;
    assert_result("60601010", 0, 2);
}

static void test_lines_do_not_wrap_at_the_edges(void **state)
{
    struct connect4 *board = played("445566");

    (void)state;
    /* 4, 5, 6 of the bottom row and 0 of the next are no line. */
    const char *reason;
    assert_true(game.parse(board, 0, "0", 1, &reason));
    game.apply(board);
    assert_false(game.over(board));
    game.free(board);
}

static void test_full_board_is_a_draw(void **state)
{
    (void)state;
    assert_result("146660203633536103043506522512202545444111", 1, 1);
}

static void test_bad_moves_are_refused_with_a_reason(void **state)
{
    struct connect4 *board = played("000000");
    static const char *const bad[] = {"",  "\n", "7", "-1",   "10",  "3 3",
                                      "a", "3a", "0", "\xff", "3.0", "+3"};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *reason = NULL;
        struct connect4 before = *board;
        assert_false(game.parse(board, 0, bad[i], strlen(bad[i]), &reason));
        assert_non_null(reason);
        assert_memory_equal(board, &before, sizeof before);
    }
    const char *reason = NULL;
    assert_false(game.parse(board, 0, "3\0", 2, &reason));
    assert_true(game.parse(board, 0, " 3\r\n", 4, &reason));
    game.free(board);
}

static void test_pass_takes_the_leftmost_column_with_room(void **state)
{
    struct connect4 *board = played("000000");

    (void)state;
    game.pass(board, board->next);
    game.apply(board);
    assert_int_equal(board->cell[0][1], '0');
    game.free(board);
}

static void test_who_goes_out_has_lost(void **state)
{
    struct connect4 *board = played("3");

    (void)state;
    game.pass(board, 1);
    game.out(board, 1);
    game.apply(board);
    assert_true(game.over(board));
    assert_int_equal(game.score(board, 0), 2);
    assert_int_equal(game.score(board, 1), 0);
    assert_int_equal(board->cell[0][0], '.');
    game.free(board);
}

static void test_a_line_outweighs_leaving_after_it(void **state)
{
    struct connect4 *board = played("0101010");

    (void)state;
    game.out(board, 0);
    assert_int_equal(game.score(board, 0), 2);
    game.free(board);
}

/* BOUT_GAMES_RANDOM: how many; `make soak` plays 10,000. */
static void test_any_match_ends(void **state)
{
    const char *wanted = getenv("BOUT_GAMES_RANDOM");
    uint64_t count = wanted ? strtoull(wanted, NULL, 10) : 5000;
    static const char *const words[] = {"0", "1", "2", "3", "4",
                                        "5", "6", "7", "",  "no"};

    (void)state;
    for (uint64_t match = 0; match < count; match++) {
        struct connect4 *board = game.create(match, 2);
        unsigned steps = 0;

        while (!game.over(board)) {
            unsigned slot = board->next;
            const char *word = words[chance(sizeof words / sizeof *words)];
            const char *reason;
            assert_true(game.asked(board, slot));
            assert_false(game.asked(board, 1 - slot));
            if (!game.parse(board, slot, word, strlen(word), &reason))
                game.pass(board, slot);
            if (chance(200) == 0)
                game.out(board, slot);
            game.apply(board);
            steps++;
        }
        assert_in_range(steps, 1, ROWS * COLUMNS);
        assert_int_equal(game.score(board, 0) + game.score(board, 1), 2);
        game.free(board);
    }
}

static void test_view_is_the_example_s(void **state)
{
    struct connect4 *board = played("34");
    struct game_text view = {0};

    (void)state;
    game.view(board, 0, &view);
    game_print(&view, "%c", 0);
    assert_string_equal(view.bytes, "3 0 7 6\n.......\n.......\n.......\n"
                                    ".......\n.......\n...01..\n");
    free(view.bytes);
    game.free(board);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_win_in_all_four_directions),
        cmocka_unit_test(test_second_player_can_win),
        cmocka_unit_test(test_lines_do_not_wrap_at_the_edges),
        cmocka_unit_test(test_full_board_is_a_draw),
        cmocka_unit_test(test_bad_moves_are_refused_with_a_reason),
        cmocka_unit_test(test_pass_takes_the_leftmost_column_with_room),
        cmocka_unit_test(test_who_goes_out_has_lost),
        cmocka_unit_test(test_a_line_outweighs_leaving_after_it),
        cmocka_unit_test(test_any_match_ends),
        cmocka_unit_test(test_view_is_the_example_s),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
