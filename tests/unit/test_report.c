/* The profile model and its writers, on a block table small enough to check by
 * hand: two blocks, one of them shared by two lines, a site and the system. */
#include "profiler/report/report.h"
#include "runner/base/cleanup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const char bot_blocks[] =
    "{\"files\":[\"bot.c\"],\"functions\":[{\"symbol\":\"bot.main.1\","
    "\"name\":\"main\",\"file\":0,\"line\":1,\"fuel\":1,\"counters\":2,"
    "\"stops\":0,\"reference\":1,\"derived\":[[0,1,1,1]],"
    "\"blocks\":[{\"word\":0,\"charge\":5,\"lines\":[[0,2,3],[0,3,2]]},"
    "{\"word\":4,\"charge\":4,\"reference\":3,\"lines\":[[0,3,4]]}],"
    "\"sites\":[{\"word\":2,\"lines\":[[0,4,1]]}]}]}";
static const char library_blocks[] = "{\"files\":[],\"functions\":[]}";
static const char layout[] =
    "{\"data_bytes\":0,\"counters\":4,\"functions\":[{\"symbol\":"
    "\"bot.main.1\",\"origin\":\"bot\",\"words\":[0,1,3,3]}]}";
/* The second block runs as often as words 0 and 1 say together. */
static const uint64_t turn_0[7] = {1, -(uint64_t)1, 0, 0, 7, 0, 512};
static const uint64_t turn_1[7] = {3, 7, 100, 10, 7, 11, 512};

struct fixture {
    json_t *bot, *library, *layout;
    struct profile *profile;
};

static int set_up(void **state)
{
    struct fixture *fixture = mem_calloc(1, sizeof *fixture);
    struct err err;

    fixture->bot = json_loads(bot_blocks, 0, NULL);
    fixture->library = json_loads(library_blocks, 0, NULL);
    fixture->layout = json_loads(layout, 0, NULL);
    fixture->profile =
        profile_new(fixture->bot, fixture->library, fixture->layout, &err);
    assert_non_null(fixture->profile);
    profile_add_turn(fixture->profile, 0, 1, NULL, turn_0);
    profile_add_turn(fixture->profile, 1, 1, turn_0, turn_1);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    profile_free(fixture->profile);
    json_decref(fixture->bot);
    json_decref(fixture->library);
    json_decref(fixture->layout);
    free(fixture);
    return 0;
}

/* 3 x 5 + 10 x 4 + 100 + 7 + 11 + 512 */
#define EXPECTED_TOTAL 685

static void test_total_is_the_weighted_sum_of_counters(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(profile_total(fixture->profile), EXPECTED_TOTAL);
}

static void test_csv_rows_sum_to_the_total(void **state)
{
    struct fixture *fixture = *state;
    struct buf out = {0};
    struct err err;
    uint64_t sum = 0;

    assert_int_equal(profile_write(fixture->profile, PROFILE_CSV, &out, &err),
                     0);
    assert_memory_equal(
        out.data, "turn,slot,function,file,line,executions,instructions\r\n",
        54);
    char *rest = NULL;
    strtok_r(out.data, "\n", &rest);
    for (char *line; (line = strtok_r(NULL, "\n", &rest)) != NULL;)
        sum += strtoull(strrchr(line, ',') + 1, NULL, 10);
    assert_int_equal(sum, EXPECTED_TOTAL);
    buf_release(&out);
}

static void test_a_line_counts_executions_of_its_busiest_block(void **state)
{
    struct fixture *fixture = *state;
    struct buf out = {0};
    struct err err;

    assert_int_equal(profile_write(fixture->profile, PROFILE_CSV, &out, &err),
                     0);
    assert_non_null(strstr(out.data, "1,1,\"main\",\"bot.c\",3,10,44\r\n"));
    buf_release(&out);
}

static void test_json_carries_turns_and_total(void **state)
{
    struct fixture *fixture = *state;
    struct buf out = {0};
    struct err err;

    assert_int_equal(profile_write(fixture->profile, PROFILE_JSON, &out, &err),
                     0);
    json_t *root = json_loads(out.data, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(root, "instructions")),
                     EXPECTED_TOTAL);
    assert_int_equal(json_array_size(json_object_get(root, "turns")), 2);
    json_decref(root);
    buf_release(&out);
}

static void test_text_shows_source_beside_its_cost(void **state)
{
    struct fixture *fixture = *state;
    static const char source[] = "int x;\nint main()\n{\x1b[2J}\n";
    struct buf out = {0};
    struct err err;

    profile_set_source(fixture->profile, "bot.c", source, strlen(source));
    assert_int_equal(profile_write(fixture->profile, PROFILE_TEXT, &out, &err),
                     0);
    assert_non_null(strstr(out.data, "2  int main()"));
    assert_null(strchr(out.data, '\x1b'));
    buf_release(&out);
}

/* ---- calls ----------------------------------------------------------------
 */

/* main calls fib once and sort once; fib calls itself and, in a circle, even
 * and odd call each other; sort calls through a pointer, and by_size is the one
 * function of that type. A block is 10 instructions. */
static const char call_blocks[] =
    "{\"files\":[\"bot.c\"],\"functions\":["
    "{\"symbol\":\"main\",\"name\":\"main\",\"file\":0,\"line\":1,"
    "\"type\":\"i32 ()\",\"counters\":1,\"blocks\":[{\"word\":0,"
    "\"charge\":10,\"lines\":[[0,2,10]],\"calls\":[[0,2,\"fib\"],"
    "[0,2,\"even\"],[0,2,\"sort\"],[0,2,\"__bout_exit\"]]}],\"sites\":[]},"
    "{\"symbol\":\"fib\",\"name\":\"fib\",\"file\":0,\"line\":10,"
    "\"type\":\"i32 (i32)\",\"counters\":1,\"blocks\":[{\"word\":0,"
    "\"charge\":10,\"lines\":[[0,11,10]]},{\"word\":0,\"charge\":0,"
    "\"lines\":[],\"calls\":[[0,12,\"fib\"]]}],\"sites\":[]},"
    "{\"symbol\":\"even\",\"name\":\"even\",\"file\":0,\"line\":20,"
    "\"type\":\"i32 (i32)\",\"counters\":1,\"blocks\":[{\"word\":0,"
    "\"charge\":10,\"lines\":[[0,21,10]],\"calls\":[[0,21,\"odd\"]]}],"
    "\"sites\":[]},"
    "{\"symbol\":\"odd\",\"name\":\"odd\",\"file\":0,\"line\":30,"
    "\"type\":\"i32 (i32)\",\"counters\":1,\"blocks\":[{\"word\":0,"
    "\"charge\":10,\"lines\":[[0,31,10]],\"calls\":[[0,31,\"even\"]]}],"
    "\"sites\":[]},"
    "{\"symbol\":\"sort\",\"name\":\"sort\",\"file\":0,\"line\":40,"
    "\"type\":\"void (ptr)\",\"counters\":1,\"blocks\":[{\"word\":0,"
    "\"charge\":10,\"lines\":[[0,41,10]],\"calls\":[[0,41,\"\","
    "\"i32 (ptr, ptr)\"]]}],\"sites\":[]},"
    "{\"symbol\":\"by_size\",\"name\":\"by_size\",\"file\":0,\"line\":50,"
    "\"type\":\"i32 (ptr, ptr)\",\"counters\":1,\"blocks\":[{\"word\":0,"
    "\"charge\":10,\"lines\":[[0,51,10]]}],\"sites\":[]}]}";
static const char call_layout[] =
    "{\"data_bytes\":0,\"counters\":6,\"functions\":["
    "{\"symbol\":\"main\",\"origin\":\"bot\",\"words\":[0,0,0,0]},"
    "{\"symbol\":\"fib\",\"origin\":\"bot\",\"words\":[0,1,0,0]},"
    "{\"symbol\":\"even\",\"origin\":\"bot\",\"words\":[0,2,0,0]},"
    "{\"symbol\":\"odd\",\"origin\":\"bot\",\"words\":[0,3,0,0]},"
    "{\"symbol\":\"sort\",\"origin\":\"bot\",\"words\":[0,4,0,0]},"
    "{\"symbol\":\"by_size\",\"origin\":\"bot\",\"words\":[0,5,0,0]}]}";

/* What callgrind's reader makes of it: the lines of function number
 * `from` (the system has 1 to 3) must hold "calls=COUNT" and "LINE COST". */
static void assert_call(const char *text, const char *from, const char *expect)
{
    auto_free char *head = mem_format("\nfn=(%s)", from);
    const char *start = strstr(text, head);

    assert_non_null(start);
    const char *end = strstr(start, "\n\n");
    auto_free char *body = mem_dup(start, (size_t)(end - start) + 1);
    if (!strstr(body, expect))
        print_error("wanted %s in %s\n", expect, body);
    assert_non_null(strstr(body, expect));
}

static void test_calls_cost_what_they_caused_also_in_circles(void **state)
{
    struct fixture *fixture = *state;
    /* main 1, fib 5, even 3, odd 2, sort 1, by_size 1: 130 in all. */
    static const uint64_t moved[9] = {1, 5, 3, 2, 1, 1, 0, 0, 0};
    json_t *bot = json_loads(call_blocks, 0, NULL);
    json_t *places = json_loads(call_layout, 0, NULL);
    struct err err = {0};
    struct buf out = {0};
    struct profile *profile = profile_new(bot, fixture->library, places, &err);

    assert_non_null(profile);
    assert_int_equal(profile_add_turn(profile, 1, 0, NULL, moved), 130);
    assert_int_equal(profile_write(profile, PROFILE_CALLGRIND, &out, &err), 0);
    assert_call(out.data, "4", "calls=1 10\n2 50\n"); /* main: fib, whole */
    assert_call(out.data, "4", "calls=1 20\n2 50\n"); /* the circle */
    assert_call(out.data, "4", "calls=1 40\n2 20\n"); /* with by_size */
    assert_call(out.data, "5", "calls=5 10\n12 0\n"); /* itself: paid */
    assert_call(out.data, "6", "calls=3 30\n21 20\n");
    assert_call(out.data, "7", "calls=2 20\n31 30\n");
    assert_call(out.data, "8", "calls=1 50\n41 10\n");
    assert_non_null(strstr(out.data, "\ntotals: 130\n"));
    buf_release(&out);
    profile_free(profile);
    json_decref(bot);
    json_decref(places);
}

static uint64_t sum_after(const char *text, const char *before)
{
    uint64_t sum = 0;

    for (const char *at = text; (at = strstr(at, before)) != NULL;) {
        at += strlen(before);
        sum += strtoull(at, NULL, 10);
    }
    return sum;
}

static void test_every_format_has_the_same_total(void **state)
{
    struct fixture *fixture = *state;
    struct err err;

    for (int f = 0; f < PROFILE_FORMAT_COUNT; f++) {
        struct buf out = {0};
        uint64_t sum = EXPECTED_TOTAL;

        assert_int_equal(
            profile_write(fixture->profile, (enum profile_format)f, &out, &err),
            0);
        assert_true(out.size > 0);
        if (f == PROFILE_FOLDED) {
            sum = 0;
            for (char *line = out.data, *end; (end = strchr(line, '\n'));
                 line = end + 1) {
                *end = '\0';
                sum += strtoull(strrchr(line, ' '), NULL, 10);
            }
        } else if (f == PROFILE_SPEEDSCOPE) {
            sum = sum_after(out.data, "\"endValue\":");
        } else if (f == PROFILE_TRACE) {
            sum = sum_after(out.data, "\"args\":{\"instructions\":") / 2;
        } else if (f == PROFILE_CALLGRIND) {
            sum = sum_after(out.data, "totals: ");
        } else if (f == PROFILE_LCOV) {
            sum = 0;
            for (const char *at = out.data; (at = strstr(at, "\nDA:"));) {
                at = strchr(at, ',') + 1;
                sum += strtoull(at, NULL, 10);
            }
        }
        if (sum != EXPECTED_TOTAL)
            print_error("%s\n", profile_format_name((enum profile_format)f));
        assert_int_equal(sum, EXPECTED_TOTAL);
        buf_release(&out);
    }
}

/* Case 21: turn 7 is slow, the rest is fast. A mean would hide that. */
static void test_one_slow_turn_among_many_is_named(void **state)
{
    struct fixture *fixture = *state;
    struct err err = {0};
    struct buf out = {0};
    struct profile *profile =
        profile_new(fixture->bot, fixture->library, fixture->layout, &err);

    for (uint32_t turn = 1; turn <= 20; turn++) {
        uint64_t times = turn == 7 ? 200 : 2; /* of the first block alone */
        const uint64_t moved[7] = {times, -times};
        profile_add_turn(profile, turn, 0, NULL, moved);
    }
    profile_set_turn_soft(profile, 600);
    assert_int_equal(profile_write(profile, PROFILE_TEXT, &out, &err), 0);
    assert_non_null(strstr(out.data, "over the turn's limit of 600: 1 turn, "
                                     "by 400 in all\n"));
    assert_non_null(strstr(out.data, "least 10, median 10, mean 59, most 1000 "
                                     "a turn\n"));
    assert_non_null(strstr(out.data, "%  turn\n           1000   84.03  7\n"));
    buf_clear(&out);
    assert_int_equal(profile_write(profile, PROFILE_JSON, &out, &err), 0);
    assert_non_null(strstr(out.data, "\"turn_soft\":600,"));
    buf_clear(&out);
    assert_int_equal(profile_write(profile, PROFILE_SPEEDSCOPE, &out, &err), 0);
    assert_non_null(strstr(out.data, "\"activeProfileIndex\":6,"));
    buf_release(&out);
    profile_free(profile);
}

static void test_a_counter_outside_the_layout_is_refused(void **state)
{
    struct fixture *fixture = *state;
    json_t *small = json_loads("{\"counters\":2,\"functions\":[{\"symbol\":"
                               "\"bot.main.1\",\"origin\":\"bot\","
                               "\"words\":[0,1,3,3]}]}",
                               0, NULL);
    struct err err = {0};

    assert_null(profile_new(fixture->bot, fixture->library, small, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    json_decref(small);
}

static void test_placements_that_disagree_are_found(void **state)
{
    struct fixture *fixture = *state;
    static const uint64_t turn_2[7] = {4, 7, 100, 12, 7, 11, 512};
    struct err err = {0};

    assert_int_equal(profile_compare(fixture->profile, &err), 0);
    profile_add_turn(fixture->profile, 2, 1, turn_1, turn_2);
    assert_int_equal(profile_compare(fixture->profile, &err), -1);
    assert_non_null(strstr(err.msg, "turn 2: main, bot.c:3: 1 executions"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_placements_that_disagree_are_found,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_total_is_the_weighted_sum_of_counters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_csv_rows_sum_to_the_total, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_line_counts_executions_of_its_busiest_block, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(test_json_carries_turns_and_total,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_text_shows_source_beside_its_cost,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_calls_cost_what_they_caused_also_in_circles, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(test_one_slow_turn_among_many_is_named,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_format_has_the_same_total,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_counter_outside_the_layout_is_refused, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
