/* The profile model and its writers, on a block table small enough to check by
 * hand: two blocks, one of them shared by two lines, a site and the system. */
#include "profiler/report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const char bot_blocks[] =
    "{\"files\":[\"bot.c\"],\"functions\":[{\"symbol\":\"bot.main.1\","
    "\"name\":\"main\",\"file\":0,\"line\":1,\"counters\":3,"
    "\"blocks\":[{\"counter\":0,\"charge\":5,\"lines\":[[0,2,3],[0,3,2]]},"
    "{\"counter\":1,\"charge\":4,\"lines\":[[0,3,4]]}],"
    "\"sites\":[{\"counter\":2,\"lines\":[[0,4,1]]}]}]}";
static const char library_blocks[] = "{\"files\":[],\"functions\":[]}";
static const char layout[] =
    "{\"data_bytes\":0,\"counters\":3,\"functions\":[{\"symbol\":"
    "\"bot.main.1\",\"origin\":\"bot\",\"counter\":0}]}";
static const uint64_t turn_0[6] = {1, 0, 0, 7, 0, 512};
static const uint64_t turn_1[6] = {3, 10, 100, 7, 11, 512};

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
    fixture->profile = profile_new(fixture->bot, fixture->library,
                                   fixture->layout, &err);
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

    assert_int_equal(
        profile_write(fixture->profile, PROFILE_CSV, &out, &err), 0);
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

    assert_int_equal(
        profile_write(fixture->profile, PROFILE_CSV, &out, &err), 0);
    assert_non_null(
        strstr(out.data, "1,1,\"main\",\"bot.c\",3,10,44\r\n"));
    buf_release(&out);
}

static void test_json_carries_turns_and_total(void **state)
{
    struct fixture *fixture = *state;
    struct buf out = {0};
    struct err err;

    assert_int_equal(
        profile_write(fixture->profile, PROFILE_JSON, &out, &err), 0);
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
    assert_int_equal(
        profile_write(fixture->profile, PROFILE_TEXT, &out, &err), 0);
    assert_non_null(strstr(out.data, "2  int main()"));
    assert_null(strchr(out.data, '\x1b'));
    buf_release(&out);
}

static void test_a_counter_outside_the_layout_is_refused(void **state)
{
    struct fixture *fixture = *state;
    json_t *small = json_loads("{\"counters\":2,\"functions\":[{\"symbol\":"
                               "\"main\",\"origin\":\"bot\",\"counter\":0}]}",
                               0, NULL);
    struct err err = {0};

    assert_null(profile_new(fixture->bot, fixture->library, small, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    json_decref(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
            test_a_counter_outside_the_layout_is_refused, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
