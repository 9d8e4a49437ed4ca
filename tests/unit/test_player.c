/* Contract sections 3 and 4 as a table: how a turn ended, what the referee
 * hears, what the bot's row and verdict are. */
#include "runner/match/player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static struct limits limits;

static struct player fresh(void)
{
    limits_init(&limits, 1000, 0,
                0); /* hard 3,000, total 100,000, start 10,000 */
    return (struct player){.slot = 1, .limits = &limits};
}

static struct turn asked(uint64_t instructions, const char *reply)
{
    return (struct turn){
        .end = TURN_ASKED,
        .counted = true,
        .instructions = instructions,
        .memory_bytes = 4096,
        .reply = reply,
        .reply_size = strlen(reply),
    };
}

static struct turn ended(enum turn_end end, int code)
{
    struct turn turn = asked(10, "");

    turn.end = end;
    turn.code = code;
    return turn;
}

/* player_take for tests that only look at the row's status. */
static enum frame_act take(struct player *player, uint32_t number,
                           const struct turn *turn, enum turn_status *status)
{
    struct match_turn row;
    enum frame_act act =
        player_take(player, number, player_budget(player, number), turn, &row);

    *status = row.status;
    free(row.reply);
    free(row.log);
    return act;
}

static void judge(struct player *player, bool legal, const char *reason,
                  enum frame_over over)
{
    struct match_turn row = {0};

    player_judge(player, legal, (struct frame_text){reason, strlen(reason)},
                 over, &row);
}

static void test_a_count_exactly_at_soft_is_within(void **state)
{
    struct player player = fresh();
    struct turn at = asked(1000, "m\n");
    struct turn over = asked(1001, "m\n");
    enum turn_status status;

    (void)state;
    assert_int_equal(take(&player, 1, &at, &status), FRAME_REPLY);
    assert_int_equal(status, TURN_STATUS_OK);
    assert_int_equal(take(&player, 2, &over, &status), FRAME_PASS);
    assert_int_equal(status, TURN_STATUS_SKIPPED);
    assert_false(player.out);
}

/* What a turn may have is turn_soft and what is saved, at most turn_bank. */
static void test_what_a_turn_leaves_is_saved_up_to_the_bank(void **state)
{
    static const struct {
        uint64_t used;
        uint64_t bank; /* after it */
        enum turn_status status;
    } turns[] = {
        {400, 600, TURN_STATUS_OK},     {1600, 0, TURN_STATUS_OK},
        {1001, 0, TURN_STATUS_SKIPPED}, {0, 1000, TURN_STATUS_OK},
        {0, 1500, TURN_STATUS_OK},      {2000, 500, TURN_STATUS_OK},
        {1501, 0, TURN_STATUS_SKIPPED}, {1000, 0, TURN_STATUS_OK},
    };
    struct player player = fresh();
    uint64_t used = 0;

    (void)state;
    limits.turn_bank = 1500;
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        struct turn turn = asked(turns[i].used, "m\n");
        enum turn_status status;
        take(&player, (uint32_t)i + 1, &turn, &status);
        used += turns[i].used;
        assert_int_equal(status, turns[i].status);
        assert_int_equal(player.bank, turns[i].bank);
        assert_int_equal(player.used, used);
        assert_int_equal(player_budget(&player, 99), 3000 + turns[i].bank);
    }
}

static void test_start_up_saves_nothing(void **state)
{
    struct player player = fresh();
    struct turn turn = asked(1, "");
    enum turn_status status;

    (void)state;
    limits.turn_bank = 1500;
    take(&player, 0, &turn, &status);
    assert_int_equal(player.bank, 0);
}

static void test_over_the_hard_limit_says_what_was_saved(void **state)
{
    struct player player = fresh();
    struct turn cheap = asked(200, "m\n");
    struct turn dear = ended(TURN_BUDGET, 0);
    enum turn_status status;
    struct match_result result;

    (void)state;
    limits.turn_bank = 700;
    take(&player, 1, &cheap, &status);
    dear.instructions = 3701;
    take(&player, 2, &dear, &status);
    player_result(&player, &result);
    assert_int_equal(result.verdict, VERDICT_BUDGET);
    assert_string_equal(result.detail, "over turn_hard of 3000 and 700 saved");
}

static void test_no_reply_is_empty_and_passes(void **state)
{
    struct player player = fresh();
    struct turn turn = asked(5, "");
    enum turn_status status;
    struct match_result result;

    (void)state;
    assert_int_equal(take(&player, 7, &turn, &status), FRAME_PASS);
    assert_int_equal(status, TURN_STATUS_EMPTY);
    assert_int_equal(take(&player, 9, &turn, &status), FRAME_PASS);
    player_result(&player, &result);
    assert_int_equal(result.verdict, VERDICT_OK);
    assert_non_null(strstr(result.detail, "2 turns without a reply"));
    assert_non_null(strstr(result.detail, "first was turn 7"));
}

static void
test_turn_0_has_no_soft_limit_and_its_output_is_recorded(void **state)
{
    struct player player = fresh();
    struct turn turn = asked(9000, "hello");
    struct match_turn row;

    (void)state;
    assert_int_equal(player_budget(&player, 0), 10000);
    player_take(&player, 0, 10000, &turn, &row);
    assert_int_equal(row.status, TURN_STATUS_OK);
    assert_string_equal(row.reply, "hello");
    assert_false(player.out);
    assert_int_equal(player.used, 0);
    assert_int_equal(player.instructions, 9000);
    free(row.reply);
    free(row.log);
}

static void test_budget_is_the_least_of_hard_and_what_is_left(void **state)
{
    struct player player = fresh();

    (void)state;
    assert_int_equal(player_budget(&player, 1), 3000);
    player.used = 97000;
    assert_int_equal(player_budget(&player, 1), 3000);
    player.used = 97001;
    assert_int_equal(player_budget(&player, 1), 2999);
    player.used = 100000;
    assert_int_equal(player_budget(&player, 1), 0);
    player.used = 100500;
    assert_int_equal(player_budget(&player, 1), 0);
}

static void test_each_end_has_its_verdict_and_detail(void **state)
{
    static const struct {
        enum turn_end end;
        int code;
        enum verdict verdict;
        const char *detail;
    } cases[] = {
        {TURN_EXITED, 3, VERDICT_EXIT, "exit code 3"},
        {TURN_BUDGET, 0, VERDICT_BUDGET, "over turn_hard of 3000"},
        {TURN_STACK, 0, VERDICT_STACK, "over stack_bytes of 8388608"},
        {TURN_MEMORY, 0, VERDICT_MEMORY, "over memory_bytes of 67108864"},
        {TURN_OUTPUT, 0, VERDICT_OUTPUT, "over reply_bytes of 65536"},
        {TURN_CRASH, 16, VERDICT_CRASH, "null pointer"},
        {TURN_CRASH, 1, VERDICT_CRASH, "division by zero"},
        {TURN_FORBIDDEN, 0, VERDICT_FORBIDDEN, "fork"},
        {TURN_NET, 0, VERDICT_NET, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct player player = fresh();
        struct turn turn = ended(cases[i].end, cases[i].code);
        enum turn_status status;

        if (cases[i].end == TURN_FORBIDDEN)
            strcpy(turn.detail, "fork");
        assert_int_equal(take(&player, 4, &turn, &status), FRAME_OUT);
        assert_int_equal(status, TURN_STATUS_STOPPED);
        assert_true(player.out);
        assert_int_equal(player.verdict, cases[i].verdict);
        assert_string_equal(player.detail, cases[i].detail);
        assert_int_equal(player.last_turn, 4);
    }
}

static void test_the_budget_s_detail_names_the_limit(void **state)
{
    struct turn turn = ended(TURN_BUDGET, 0);
    enum turn_status status;

    (void)state;
    struct player start = fresh();
    take(&start, 0, &turn, &status);
    assert_string_equal(start.detail, "over startup of 10000");
    struct player total = fresh();
    total.used = 99000;
    take(&total, 5, &turn, &status);
    assert_string_equal(total.detail, "over match_total of 100000");
}

static void test_a_stop_drops_the_reply(void **state)
{
    struct player player = fresh();
    struct turn turn = ended(TURN_BUDGET, 0);
    struct match_turn row;

    (void)state;
    turn.reply = "R\n";
    turn.reply_size = 2;
    assert_int_equal(player_take(&player, 1, 3000, &turn, &row), FRAME_OUT);
    assert_int_equal(row.reply_size, 0);
    free(row.reply);
    free(row.log);
}

static void test_a_reply_followed_by_an_end_is_played(void **state)
{
    struct turn turn = ended(TURN_EXITED, 0);
    enum turn_status status;
    struct match_result result;

    (void)state;
    turn.reply = "R\n";
    turn.reply_size = 2;
    struct player goes_on = fresh();
    assert_int_equal(take(&goes_on, 1, &turn, &status), FRAME_LAST_REPLY);
    assert_int_equal(status, TURN_STATUS_OK);
    judge(&goes_on, true, "", FRAME_GOES_ON);
    player_result(&goes_on, &result);
    assert_int_equal(result.verdict, VERDICT_EXIT);

    struct player left = fresh();
    take(&left, 1, &turn, &status);
    judge(&left, true, "", FRAME_LEFT); /* over only because it left */
    player_result(&left, &result);
    assert_int_equal(result.verdict, VERDICT_EXIT);

    struct player won = fresh();
    take(&won, 1, &turn, &status);
    judge(&won, true, "", FRAME_ENDED);
    player_result(&won, &result);
    assert_int_equal(result.verdict, VERDICT_OK);
    assert_string_equal(result.detail, "");

    struct player wrong = fresh();
    take(&wrong, 1, &turn, &status);
    judge(&wrong, false, "no", FRAME_ENDED);
    player_result(&wrong, &result);
    assert_int_equal(result.verdict, VERDICT_ILLEGAL);
}

static void test_an_end_without_a_reply_keeps_its_verdict(void **state)
{
    struct player player = fresh();
    struct turn turn = ended(TURN_EXITED, 0);
    enum turn_status status;

    (void)state;
    assert_int_equal(take(&player, 1, &turn, &status), FRAME_OUT);
    judge(&player, true, "", FRAME_ENDED);
    assert_int_equal(player.verdict, VERDICT_EXIT);
}

static void test_an_exit_over_soft_drops_the_reply(void **state)
{
    struct player player = fresh();
    struct turn turn = ended(TURN_EXITED, 0);
    enum turn_status status;

    (void)state;
    turn.reply = "R\n";
    turn.reply_size = 2;
    turn.instructions = 1001;
    assert_int_equal(take(&player, 1, &turn, &status), FRAME_OUT);
    assert_int_equal(status, TURN_STATUS_SKIPPED);
}

static void test_a_refused_reply_is_out_with_a_printable_reason(void **state)
{
    struct player player = fresh();
    struct turn turn = asked(5, "x");
    struct match_turn row;

    (void)state;
    player_take(&player, 1, 3000, &turn, &row);
    player_judge(&player, false, (struct frame_text){"no\x1b[2J\n\0\xff.", 9},
                 FRAME_GOES_ON, &row);
    assert_int_equal(row.status, TURN_STATUS_ILLEGAL);
    assert_true(player.out);
    assert_int_equal(player.verdict, VERDICT_ILLEGAL);
    assert_string_equal(player.detail, "no?[2J???");
    free(row.reply);
    free(row.log);
}

static void test_a_long_reason_is_cut(void **state)
{
    struct player player = fresh();
    char reason[5000];

    (void)state;
    memset(reason, 'a', sizeof reason);
    struct match_turn row = {0};
    player_judge(&player, false, (struct frame_text){reason, sizeof reason},
                 FRAME_GOES_ON, &row);
    assert_int_equal(strlen(player.detail), sizeof player.detail - 1);
}

static void test_a_fault_s_count_is_null_and_left_out(void **state)
{
    struct player player = fresh();
    struct turn first = asked(100, "m");
    struct turn fault = ended(TURN_CRASH, 17);
    struct match_turn row;
    enum turn_status status;
    struct match_result result;

    (void)state;
    take(&player, 1, &first, &status);
    fault.counted = false;
    fault.instructions = 777;
    player_take(&player, 2, 3000, &fault, &row);
    assert_false(row.counted);
    assert_int_equal(row.instructions, 0);
    player_result(&player, &result);
    assert_int_equal(result.instructions, 100);
    free(row.reply);
    free(row.log);
}

static void test_match_total_counts_turns_from_1_on(void **state)
{
    struct player player = fresh();
    struct turn start = asked(9999, "");
    struct turn turn = asked(600, "m");
    enum turn_status status;

    (void)state;
    take(&player, 0, &start, &status);
    take(&player, 1, &turn, &status);
    take(&player, 2, &turn, &status);
    assert_int_equal(player.used, 1200);
    assert_int_equal(player.instructions, 11199);
}

static void test_standard_error_is_cut_with_a_mark(void **state)
{
    struct player player = fresh();
    struct turn turn = asked(5, "m");
    struct match_turn row;

    (void)state;
    limits.log_match_bytes = 10;
    turn.log = "123456";
    turn.log_size = 6;
    player_take(&player, 1, 3000, &turn, &row);
    assert_string_equal(row.log, "123456");
    free(row.reply);
    free(row.log);
    turn.log_lost = 5;
    player_take(&player, 2, 3000, &turn, &row);
    assert_string_equal(row.log, "1234\n[bout: 7 bytes cut here]\n");
    assert_int_equal(row.log_size, strlen(row.log));
    assert_int_equal(player.logged, 10);
    free(row.reply);
    free(row.log);
}

static void test_totals_saturate(void **state)
{
    struct player player = fresh();
    struct turn turn = asked(UINT64_MAX - 5, "m");
    enum turn_status status;

    (void)state;
    take(&player, 1, &turn, &status);
    take(&player, 2, &turn, &status);
    assert_true(player.instructions == UINT64_MAX);
    assert_true(player.used == UINT64_MAX);
}

static void test_equal_scores_share_a_rank(void **state)
{
    struct match_result result[4] = {
        {.score = 3}, {.score = 9}, {.score = 3}, {.score = -1}};

    (void)state;
    player_rank(result, 4);
    assert_int_equal(result[0].rank, 2);
    assert_int_equal(result[1].rank, 1);
    assert_int_equal(result[2].rank, 2);
    assert_int_equal(result[3].rank, 4);
}

static void test_streams_differ_by_seed_purpose_and_slot(void **state)
{
    uint8_t keys[5][32];

    (void)state;
    match_stream_key("7", "slot", 0, keys[0]);
    match_stream_key("7", "slot", 1, keys[1]);
    match_stream_key("7", "game", 0, keys[2]);
    match_stream_key("8", "slot", 0, keys[3]);
    match_stream_key("7", "slot", 256, keys[4]);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(keys[i], keys[j], 32);
    uint8_t again[32];
    match_stream_key("7", "slot", 0, again);
    assert_memory_equal(again, keys[0], 32);
}

static void test_seeds_have_one_form(void **state)
{
    char seed[MATCH_SEED_SIZE];
    struct err err;

    (void)state;
    assert_int_equal(match_seed_parse("007", seed, &err), 0);
    assert_string_equal(seed, "7");
    assert_int_equal(match_seed_parse("9007199254740991", seed, &err), 0);
    char hex[65];
    memset(hex, 'A', 64);
    hex[64] = '\0';
    assert_int_equal(match_seed_parse(hex, seed, &err), 0);
    assert_int_equal(seed[0], 'a');
    assert_int_equal(strlen(seed), 64);
    static const char *const bad[] = {
        "",   "-1",   "x",   "9007199254740992",
        "1 ", "0x10", "1e3", "99999999999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(match_seed_parse(bad[i], seed, &err), -1);
        assert_int_equal(err.kind, ERR_INPUT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_count_exactly_at_soft_is_within),
        cmocka_unit_test(test_what_a_turn_leaves_is_saved_up_to_the_bank),
        cmocka_unit_test(test_start_up_saves_nothing),
        cmocka_unit_test(test_over_the_hard_limit_says_what_was_saved),
        cmocka_unit_test(test_no_reply_is_empty_and_passes),
        cmocka_unit_test(
            test_turn_0_has_no_soft_limit_and_its_output_is_recorded),
        cmocka_unit_test(test_budget_is_the_least_of_hard_and_what_is_left),
        cmocka_unit_test(test_each_end_has_its_verdict_and_detail),
        cmocka_unit_test(test_the_budget_s_detail_names_the_limit),
        cmocka_unit_test(test_a_stop_drops_the_reply),
        cmocka_unit_test(test_a_reply_followed_by_an_end_is_played),
        cmocka_unit_test(test_an_end_without_a_reply_keeps_its_verdict),
        cmocka_unit_test(test_an_exit_over_soft_drops_the_reply),
        cmocka_unit_test(test_a_refused_reply_is_out_with_a_printable_reason),
        cmocka_unit_test(test_a_long_reason_is_cut),
        cmocka_unit_test(test_a_fault_s_count_is_null_and_left_out),
        cmocka_unit_test(test_match_total_counts_turns_from_1_on),
        cmocka_unit_test(test_standard_error_is_cut_with_a_mark),
        cmocka_unit_test(test_totals_saturate),
        cmocka_unit_test(test_equal_scores_share_a_rank),
        cmocka_unit_test(test_streams_differ_by_seed_purpose_and_slot),
        cmocka_unit_test(test_seeds_have_one_form),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
