/* The bytes of the match log (contract section 8), and reading them back. */
#include "runner/match/match_log.h"
#include "runner/match/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define HASH_A \
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HASH_B \
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

/* Takes the log of two turns over 1,000 bytes. */
#define LONG_VIEW                                                            \
    "0123456789012345678901234567890123456789012345678901234567890123456789" \
    "\n"

static struct limits limits;

static void begin(struct match_log *log, struct buf *to, uint64_t cap)
{
    limits_init(&limits, 0, 0, 9);
    limits.match_log_bytes = cap;
    const struct match_log_head head = {
        .game = "tron",
        .game_version = HASH_A,
        .fingerprint = HASH_B,
        .seed = "7",
        .limits = &limits,
        .build = {HASH_A, HASH_B},
        .slots = 2,
    };

    match_log_begin(log, to, &head);
}

static void step(struct match_log *log, uint32_t turn, const char *view,
                 const char *reply, size_t reply_size)
{
    auto_buf struct buf bytes = {0};

    buf_add(&bytes, reply, reply_size);
    const struct match_turn row = {
        .turn = turn,
        .slot = 1,
        .status = TURN_STATUS_OK,
        .counted = turn != 2,
        .instructions = turn == 1 ? UINT64_MAX : 5,
        .memory_bytes = 4096,
        .reply = bytes.data,
        .reply_size = bytes.size,
    };
    const struct match_log_entry entry = {view, strlen(view), &row};

    match_log_step(log, turn, &entry, 1);
}

static void finish(struct match_log *log)
{
    static const struct match_result result[2] = {
        {.verdict = VERDICT_CRASH,
         .detail = "null \"pointer\"",
         .rank = 2,
         .score = -3,
         .instructions = 11},
        {.verdict = VERDICT_OK, .rank = 1, .score = 4, .instructions = 12},
    };

    match_log_end(log, result, 2);
}

/* A whole log of turns 0 to 3. */
static void write_log(struct buf *to, uint64_t cap)
{
    struct match_log log;

    begin(&log, to, cap);
    step(&log, 0, "", "hello", 5);
    step(&log, 1, "a \"b\"\\\n\t\x01\x7f\xc3\xa9\n", "R\n", 2);
    step(&log, 2, "\xff\n", "\0", 1);
    step(&log, 3, "x\n", "", 0);
    finish(&log);
}

static void test_lines_are_exactly_the_contract_s(void **state)
{
    auto_buf struct buf to = {0};
    auto_buf struct buf expected = {0};
    char build_a[HASH_HEX_SIZE], build_b[HASH_HEX_SIZE];
    char chain[HASH_HEX_SIZE];

    (void)state;
    write_log(&to, 1u << 20);
    hash_bytes_hex("bout log7" HASH_A, 9 + 64, build_a);
    hash_bytes_hex("bout log7" HASH_B, 9 + 64, build_b);
    buf_add_format(&expected,
                   "{\"bout\":1,\"game\":\"tron\",\"game_version\":\"" HASH_A
                   "\",\"fingerprint\":\"" HASH_B "\",\"seed\":7,\"limits\":{"
                   "\"turn_soft\":10000000,\"turn_hard\":30000000,"
                   "\"match_total\":1000000000,\"startup\":100000000,"
                   "\"memory_bytes\":67108864,\"stack_bytes\":8388608,"
                   "\"reply_bytes\":65536,\"view_bytes\":1048576,"
                   "\"log_bytes\":65536,\"log_match_bytes\":4194304,"
                   "\"match_log_bytes\":1048576,\"turns\":9},"
                   "\"builds\":[\"%s\",\"%s\"]}",
                   build_a, build_b);
    hash_bytes_hex(expected.data, expected.size, chain);
    buf_add_char(&expected, '\n');
    static const char *const bare[] = {
        "{\"turn\":0,\"slots\":[{\"slot\":1,\"view\":\"\",\"reply\":\"hello\","
        "\"status\":\"ok\",\"instructions\":5,\"memory_bytes\":4096}]",
        "{\"turn\":1,\"slots\":[{\"slot\":1,\"view\":\"a \\\"b\\\"\\\\\\n\\t"
        "\\u0001\\u007f\xc3\xa9\\n\",\"reply\":\"R\\n\",\"status\":\"ok\","
        "\"instructions\":9007199254740991,\"memory_bytes\":4096}]",
        "{\"turn\":2,\"slots\":[{\"slot\":1,\"view_base64\":\"/wo=\","
        "\"reply_base64\":\"AA==\",\"status\":\"ok\",\"instructions\":null,"
        "\"memory_bytes\":4096}]",
        "{\"turn\":3,\"slots\":[{\"slot\":1,\"view\":\"x\\n\",\"reply\":\"\","
        "\"status\":\"ok\",\"instructions\":5,\"memory_bytes\":4096}]",
        "{\"results\":[{\"slot\":0,\"rank\":2,\"score\":-3,\"verdict\":"
        "\"crash\",\"detail\":\"null \\\"pointer\\\"\",\"instructions\":11},"
        "{\"slot\":1,\"rank\":1,\"score\":4,\"verdict\":\"ok\",\"detail\":\"\","
        "\"instructions\":12}]",
    };
    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++) {
        auto_buf struct buf hashed = {0};
        buf_add_format(&hashed, "%s%s}", chain, bare[i]);
        hash_bytes_hex(hashed.data, hashed.size, chain);
        buf_add_format(&expected, "%s,\"chain\":\"%s\"}\n", bare[i], chain);
    }
    assert_string_equal(to.data, expected.data);
}

static void test_a_log_reads_back(void **state)
{
    auto_buf struct buf to = {0};
    auto_buf struct buf text = {0};
    struct replay replay;
    struct err err = {0};

    (void)state;
    write_log(&to, 1u << 20);
    if (replay_parse(&replay, to.data, to.size, &err) < 0)
        fail_msg("%s", err.msg);
    assert_int_equal(replay.step_count, 4);
    assert_int_equal(replay.slots, 2);
    assert_string_equal(replay.seed, "7");
    assert_int_equal(replay.limits.turns, 9);
    const json_t *entry = replay_entry(&replay, 2, 1);
    assert_non_null(entry);
    assert_null(replay_entry(&replay, 2, 0));
    assert_null(replay_entry(&replay, 4, 1));
    assert_int_equal(replay_text(entry, "view", &text), 1);
    assert_int_equal(text.size, 2);
    assert_memory_equal(text.data, "\xff\n", 2);
    buf_clear(&text);
    assert_int_equal(replay_text(entry, "reply", &text), 1);
    assert_int_equal(text.size, 1);
    assert_int_equal(text.data[0], 0);
    struct build build = {.hash = HASH_B};
    assert_true(replay_is_build(&replay, 1, &build));
    assert_false(replay_is_build(&replay, 0, &build));
    replay_release(&replay);
}

static void test_over_the_cap_hashes_are_kept_from_there_on(void **state)
{
    auto_buf struct buf whole = {0};
    auto_buf struct buf cut = {0};
    struct replay replay;
    struct err err = {0};

    /* Room for turns 0 and 1 and not one byte more. */
    (void)state;
    struct match_log log;
    begin(&log, &whole, 9999);
    step(&log, 0, "", "hello", 5);
    step(&log, 1, LONG_VIEW, "R\n", 2);
    uint64_t room = whole.size;
    for (int less = 0; less < 2; less++) {
        buf_clear(&cut);
        /* 9999 and the caps below have as many digits. */
        assert_in_range(room - (uint64_t)less, 1000, 9999);
        begin(&log, &cut, room - (uint64_t)less);
        step(&log, 0, "", "hello", 5);
        step(&log, 1, LONG_VIEW, "R\n", 2);
        step(&log, 2, "y\n", "", 0);
        finish(&log);
        assert_int_equal(replay_parse(&replay, cut.data, cut.size, &err), 0);
        auto_buf struct buf text = {0};
        assert_int_equal(
            replay_text(replay_entry(&replay, 1, 1), "view", &text), !less);
        assert_int_equal(
            replay_text(replay_entry(&replay, 2, 1), "view", &text), 0);
        const json_t *hash =
            json_object_get(replay_entry(&replay, 2, 1), "view_sha256");
        char expected[HASH_HEX_SIZE];
        hash_bytes_hex("y\n", 2, expected);
        assert_string_equal(json_string_value(hash), expected);
        replay_release(&replay);
    }
}

static void test_utf8_is_told_from_bytes(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        bool plain;
    } cases[] = {
        {"", 0, true},
        {"abc", 3, true},
        {"\xc3\xa9", 2, true},
        {"\xe2\x82\xac", 3, true},
        {"\xf0\x9f\x98\x80", 4, true},
        {"\xf4\x8f\xbf\xbf", 4, true},
        {"a\0b", 3, false},
        {"\x80", 1, false},
        {"\xc3", 1, false},
        {"\xc0\xaf", 2, false},         /* overlong */
        {"\xe0\x9f\xbf", 3, false},     /* overlong */
        {"\xf0\x8f\xbf\xbf", 4, false}, /* overlong */
        {"\xed\xa0\x80", 3, false},     /* surrogate */
        {"\xf4\x90\x80\x80", 4, false}, /* over U+10FFFF */
        {"\xff", 1, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        auto_buf struct buf to = {0};
        match_log_text(&to, "k", cases[i].bytes, cases[i].size);
        assert_int_equal(strncmp(to.data, "\"k\":", 4) == 0, cases[i].plain);
    }
}

static void test_any_changed_byte_is_found(void **state)
{
    auto_buf struct buf to = {0};
    struct replay replay;
    struct err err;

    (void)state;
    write_log(&to, 1u << 20);
    for (size_t i = 0; i < to.size; i++) {
        to.data[i] ^= 1;
        assert_int_equal(replay_parse(&replay, to.data, to.size, &err), -1);
        assert_int_equal(err.kind, ERR_INPUT);
        to.data[i] ^= 1;
    }
}

static void test_any_cut_is_found(void **state)
{
    auto_buf struct buf to = {0};
    struct replay replay;
    struct err err;

    (void)state;
    write_log(&to, 1u << 20);
    for (size_t size = 0; size < to.size; size++) {
        char *cut = malloc(size ? size : 1);
        memcpy(cut, to.data, size);
        assert_int_equal(replay_parse(&replay, cut, size, &err), -1);
        free(cut);
    }
}

static void test_a_dropped_line_is_found(void **state)
{
    auto_buf struct buf to = {0};
    auto_buf struct buf without = {0};
    struct replay replay;
    struct err err;

    (void)state;
    write_log(&to, 1u << 20);
    char *turn_3 = strstr(to.data, "{\"turn\":3");
    char *results = strstr(to.data, "{\"results\"");
    buf_add(&without, to.data, (size_t)(turn_3 - to.data));
    buf_add_str(&without, results);
    assert_int_equal(replay_parse(&replay, without.data, without.size, &err),
                     -1);
    assert_non_null(strstr(err.msg, "chain"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_are_exactly_the_contract_s),
        cmocka_unit_test(test_a_log_reads_back),
        cmocka_unit_test(test_over_the_cap_hashes_are_kept_from_there_on),
        cmocka_unit_test(test_utf8_is_told_from_bytes),
        cmocka_unit_test(test_any_changed_byte_is_found),
        cmocka_unit_test(test_any_cut_is_found),
        cmocka_unit_test(test_a_dropped_line_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
