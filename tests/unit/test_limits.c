#include "runner/match/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static struct limits start(void)
{
    struct limits limits;

    limits_init(&limits, 0, 0, 0);
    return limits;
}

/* Applies the JSON text; 0 or -1 as limits_apply. */
static int apply(struct limits *limits, const char *text, bool only_lower,
                 struct err *err)
{
    json_t *object = json_loads(text, 0, NULL);

    assert_non_null(object);
    int status = limits_apply(limits, object, only_lower, err);
    json_decref(object);
    return status;
}

static void test_defaults_are_the_contract_s(void **state)
{
    struct limits limits = start();

    (void)state;
    assert_int_equal(limits.turn_soft, 10000000);
    assert_int_equal(limits.turn_hard, 30000000);
    assert_int_equal(limits.match_total, 1000000000);
    assert_int_equal(limits.startup, 100000000);
    assert_int_equal(limits.memory_bytes, 64 << 20);
    assert_int_equal(limits.stack_bytes, 8 << 20);
    assert_int_equal(limits.reply_bytes, 64 << 10);
    assert_int_equal(limits.view_bytes, 1 << 20);
    assert_int_equal(limits.log_bytes, 64 << 10);
    assert_int_equal(limits.log_match_bytes, 4 << 20);
    assert_int_equal(limits.match_log_bytes, 8 << 20);
}

static void test_a_game_s_soft_limit_moves_the_multiples(void **state)
{
    struct limits limits;

    (void)state;
    limits_init(&limits, 1000, 0, 42);
    assert_int_equal(limits.turn_hard, 3000);
    assert_int_equal(limits.match_total, 100000);
    assert_int_equal(limits.startup, 10000);
    assert_int_equal(limits.turns, 42);
}

static void test_a_bank_is_the_game_s_to_give(void **state)
{
    struct limits limits = start();
    struct err err;

    (void)state;
    assert_int_equal(limits.turn_bank, 0);
    assert_int_equal(apply(&limits, "{\"turn_bank\":1}", true, &err), -1);
    assert_non_null(strstr(err.msg, "turn_bank can only be lowered: it is 0"));
    assert_int_equal(apply(&limits, "{\"turn_bank\":1}", false, &err), 0);
    limits_init(&limits, 0, 500, 10);
    assert_int_equal(apply(&limits, "{\"turn_bank\":501}", true, &err), -1);
    assert_int_equal(apply(&limits, "{\"turn_bank\":0}", true, &err), 0);
    assert_int_equal(limits.turn_bank, 0);
    assert_int_equal(apply(&limits, "{\"turn_hard\":0}", true, &err), -1);
    assert_non_null(strstr(err.msg, "from 1 to"));
}

static void test_multiples_follow_unless_given(void **state)
{
    struct limits limits = start();
    struct err err;

    (void)state;
    assert_int_equal(
        apply(&limits, "{\"turn_hard\":2000,\"turn_soft\":1000}", false, &err),
        0);
    assert_int_equal(limits.turn_soft, 1000);
    assert_int_equal(limits.turn_hard, 2000);
    assert_int_equal(limits.match_total, 100000);
    assert_int_equal(limits.startup, 10000);
}

static void test_only_lower_refuses_a_higher_value_by_name(void **state)
{
    struct limits limits = start();
    struct err err;

    (void)state;
    assert_int_equal(apply(&limits, "{\"turn_hard\":30000001}", true, &err),
                     -1);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_non_null(strstr(err.msg, "turn_hard"));
    assert_int_equal(limits.turn_hard, 30000000);
    assert_int_equal(apply(&limits, "{\"turn_hard\":30000000}", true, &err), 0);
    assert_int_equal(apply(&limits, "{\"turn_hard\":30000001}", false, &err),
                     0);
}

static void test_only_lower_compares_with_what_was_there(void **state)
{
    struct limits limits = start();
    struct err err;

    /* 5,000,000 is more than 3 x 1,000,000 but less than the present limit. */
    (void)state;
    assert_int_equal(apply(&limits,
                           "{\"turn_soft\":1000000,\"turn_hard\":5000000}",
                           true, &err),
                     0);
    assert_int_equal(limits.turn_hard, 5000000);
    assert_int_equal(limits.match_total, 100000000);
}

static void test_only_lower_never_raises_a_multiple(void **state)
{
    struct limits limits = start();
    struct err err;

    (void)state;
    assert_int_equal(apply(&limits, "{\"match_total\":5}", true, &err), 0);
    assert_int_equal(apply(&limits, "{\"turn_soft\":9000000}", true, &err), 0);
    assert_int_equal(limits.match_total, 5);
    assert_int_equal(limits.turn_hard, 27000000);
}

static void test_multiples_saturate_at_2_53(void **state)
{
    struct limits limits = start();
    struct err err;

    (void)state;
    assert_int_equal(
        apply(&limits, "{\"turn_soft\":9007199254740991}", false, &err), 0);
    assert_int_equal(limits.turn_hard, LIMITS_MAX_NUMBER);
    assert_int_equal(limits.match_total, LIMITS_MAX_NUMBER);
}

static void test_bad_values_are_refused_whole(void **state)
{
    static const char *const bad[] = {
        "{\"turn_soft\":0}",
        "{\"turn_soft\":-1}",
        "{\"turn_soft\":1.5}",
        "{\"turn_soft\":\"7\"}",
        "{\"turn_soft\":null}",
        "{\"turn_soft\":9007199254740992}",
        "{\"no_such\":1}",
        "{\"turns\":4294967296}",
        "{\"memory_bytes\":4096}",
        "{\"turn_soft\":5,\"x\":1}",
        "[1]",
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct limits limits = start();
        struct limits before = limits;
        struct err err = {0};

        assert_int_equal(apply(&limits, bad[i], false, &err), -1);
        assert_int_equal(err.kind, ERR_INPUT);
        assert_memory_equal(&limits, &before, sizeof limits);
    }
}

static void test_command_line_values_parse(void **state)
{
    json_t *object = json_object();
    struct err err;

    (void)state;
    assert_int_equal(limits_parse(object, "turn_soft=123", &err), 0);
    assert_int_equal(json_integer_value(json_object_get(object, "turn_soft")),
                     123);
    assert_int_equal(limits_parse(object, "turns=9007199254740991", &err), 0);
    static const char *const bad[] = {
        "",
        "=",
        "turn_soft",
        "turn_soft=",
        "=5",
        "x=5",
        "turn_soft=-5",
        "turn_soft=5x",
        "turn_soft= 5",
        "turn_soft=9007199254740992",
        "turn_soft=99999999999999999999999999",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(limits_parse(object, bad[i], &err), -1);
        assert_int_equal(err.kind, ERR_INPUT);
    }
    json_decref(object);
}

static void test_json_has_the_log_s_order_and_reads_back(void **state)
{
    struct limits limits = start();
    json_t *object = limits_json(&limits);
    char *text = json_dumps(object, JSON_COMPACT);

    (void)state;
    assert_string_equal(
        text,
        "{\"turn_soft\":10000000,\"turn_hard\":30000000,"
        "\"match_total\":1000000000,\"startup\":100000000,"
        "\"memory_bytes\":67108864,\"stack_bytes\":8388608,"
        "\"reply_bytes\":65536,\"view_bytes\":1048576,\"log_bytes\":65536,"
        "\"log_match_bytes\":4194304,\"match_log_bytes\":8388608}");
    struct err err;
    assert_int_equal(limits_apply(&limits, object, true, &err), 0);
    free(text);
    json_decref(object);
}

static void test_view_bytes_cannot_be_less_than_the_game_needs(void **state)
{
    struct limits limits;
    struct err err;

    (void)state;
    limits_init(&limits, 0, 0, 10);
    limits.view_bytes = 1024;
    assert_int_equal(limits_check_views(&limits, "tron", 1024, &err), 0);
    assert_int_equal(limits_check_views(&limits, "tron", 1025, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_non_null(strstr(err.msg, "view_bytes must be at least 1025"));
}

static void test_cpu_net_does_not_wrap(void **state)
{
    (void)state;
    assert_int_equal(limits_cpu_ns(0), 1000000000);
    assert_int_equal(limits_cpu_ns(30000000), 16000000000);
    assert_true(limits_cpu_ns(UINT64_MAX) > UINT64_MAX / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_the_contract_s),
        cmocka_unit_test(test_a_game_s_soft_limit_moves_the_multiples),
        cmocka_unit_test(test_a_bank_is_the_game_s_to_give),
        cmocka_unit_test(test_multiples_follow_unless_given),
        cmocka_unit_test(test_only_lower_refuses_a_higher_value_by_name),
        cmocka_unit_test(test_only_lower_compares_with_what_was_there),
        cmocka_unit_test(test_only_lower_never_raises_a_multiple),
        cmocka_unit_test(test_multiples_saturate_at_2_53),
        cmocka_unit_test(test_bad_values_are_refused_whole),
        cmocka_unit_test(test_command_line_values_parse),
        cmocka_unit_test(test_json_has_the_log_s_order_and_reads_back),
        cmocka_unit_test(test_view_bytes_cannot_be_less_than_the_game_needs),
        cmocka_unit_test(test_cpu_net_does_not_wrap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
