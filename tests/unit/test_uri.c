/* What strangers write into a request: targets, forms, and how often. */
#include "api/http/multipart.h"
#include "api/http/rate.h"
#include "api/http/uri.h"
#include "runner/base/buf.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* ---- targets ------------------------------------------------------------ */

static void test_a_target_is_split_before_it_is_decoded(void **state)
{
    auto_uri struct uri uri = {0};
    struct err err;

    (void)state;
    assert_int_equal(uri_parse(&uri, "/v1/games/a%20b?x=1+2&flag&y=%26", &err),
                     0);
    assert_int_equal(uri.segment_count, 3);
    assert_string_equal(uri.segment[2], "a b");
    assert_string_equal(uri_query(&uri, "x"), "1 2");
    assert_string_equal(uri_query(&uri, "flag"), "");
    assert_string_equal(uri_query(&uri, "y"), "&");
    assert_null(uri_query(&uri, "z"));
}

static void test_targets_that_mean_two_things_are_refused(void **state)
{
    static const char *const bad[] = {
        "",         "v1",           "*",
        "//",       "/a//b",        "/a/",
        "/.",       "/a/..",        "/%2e%2e",
        "/a%2fb",   "/%00",         "/%1f",
        "/%",       "/%4",          "/%g0",
        "/%c0%80",  "/%ed%a0%80",   "/%f5%80%80%80",
        "/a#b",     "/a?b=%00",     "/a?b=1&b=2",
        "/a?b=%ff", "http://host/a"};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        auto_uri struct uri uri = {0};
        struct err err;
        if (uri_parse(&uri, bad[i], &err) == 0)
            fail_msg("%s was taken", bad[i]);
        assert_int_equal(err.kind, ERR_INPUT);
    }
}

static void test_numbers_are_plain_and_bounded(void **state)
{
    static const char *const bad[] = {"",
                                      "-1",
                                      "+1",
                                      "01",
                                      "1 ",
                                      "1e3",
                                      "0x1",
                                      "9007199254740992",
                                      "99999999999999999999999"};
    int64_t value = 0;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(uri_parse_count(bad[i], &value));
    assert_true(uri_parse_count("0", &value));
    assert_true(uri_parse_count("9007199254740991", &value));
    assert_int_equal(value, INT64_C(9007199254740991));
}

static void test_utf8_is_judged_as_the_rfc_does(void **state)
{
    (void)state;
    assert_true(uri_is_utf8("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 10));
    assert_false(uri_is_utf8("\xc3", 1));
    assert_false(uri_is_utf8("\xc0\x80", 2));
    assert_false(uri_is_utf8("\xe0\x80\x80", 3));
    assert_false(uri_is_utf8("\xed\xa0\x80", 3));
    assert_false(uri_is_utf8("\xf4\x90\x80\x80", 4));
    assert_false(uri_is_utf8("\x80", 1));
}

/* ---- forms -------------------------------------------------------------- */

static int parse(struct multipart *form, const char *body, struct err *err)
{
    return multipart_parse(form, "multipart/form-data; boundary=\"B c\"", body,
                           strlen(body), err);
}

static void test_parts_point_at_their_exact_bytes(void **state)
{
    static const char body[] =
        "preamble\r\n--B c \r\n"
        "Content-Disposition: form-data; name=\"a\"; filename=\"x; name=y\"\r\n"
        "Content-Type: text/plain\r\n\r\nline\r\n--B\r\n\r\n--B c\r\n"
        "content-disposition: form-data; name=b\r\n\r\n\r\n--B c--epilogue";
    auto_multipart struct multipart form = {0};
    struct err err;

    (void)state;
    assert_int_equal(parse(&form, body, &err), 0);
    assert_int_equal(form.count, 2);
    assert_string_equal(form.part[0].name, "a");
    assert_string_equal(form.part[0].filename, "x; name=y");
    assert_int_equal(form.part[0].size, 11);
    assert_memory_equal(form.part[0].bytes, "line\r\n--B\r\n", 11);
    assert_int_equal(multipart_find(&form, "b")->size, 0);
    assert_null(multipart_find(&form, "b")->filename);
}

static void test_every_cut_of_a_form_is_refused(void **state)
{
    static const char body[] =
        "--B c\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nvalue\r\n"
        "--B c--";

    (void)state;
    for (size_t size = 0; size < sizeof body - 1; size++) {
        auto_multipart struct multipart form = {0};
        struct err err;
        char *cut = mem_dup(body, size); /* so that reading on is seen */
        int result = multipart_parse(&form,
                                     "multipart/form-data; boundary=\"B "
                                     "c\"",
                                     cut, size, &err);
        free(cut);
        if (result == 0)
            fail_msg("taken after %zu bytes", size);
        assert_int_equal(err.kind, ERR_INPUT);
    }
}

static void test_forms_without_boundary_or_name_are_refused(void **state)
{
    static const char *const types[] = {
        "multipart/form-data",
        "multipart/form-data; boundary=", "multipart/form-data; boundary=\"B",
        "multipart/form-data; x=boundary"};
    struct err err;

    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        auto_multipart struct multipart form = {0};
        assert_int_equal(multipart_parse(&form, types[i], "--B--", 5, &err),
                         -1);
    }
    auto_multipart struct multipart form = {0};
    assert_int_equal(parse(&form, "--B c\r\nX: y\r\n\r\nz\r\n--B c--", &err),
                     -1);
}

/* ---- rates -------------------------------------------------------------- */

static void test_a_bucket_empties_and_fills_for_each_client(void **state)
{
    const struct rate_spec spec = {.per_second = 2, .burst = 3, .buckets = 64};
    struct rate *rate = rate_new(&spec);

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(rate_take(rate, 1, 1000000000), 0);
    uint64_t wait_ns = rate_take(rate, 1, 1000000000);
    assert_in_range(wait_ns, 499000000, 501000000);
    assert_int_equal(rate_take(rate, 2, 1000000000), 0);
    assert_int_equal(rate_take(rate, 1, 1000000000 + wait_ns), 0);
    assert_true(rate_take(rate, 1, 1000000000 + wait_ns) > 0);
    rate_free(rate);
}

static void test_no_rate_means_no_limit(void **state)
{
    struct rate *rate = rate_new(&(struct rate_spec){.buckets = 8});

    (void)state;
    for (int i = 0; i < 1000; i++)
        assert_int_equal(rate_take(rate, 1, 1), 0);
    rate_free(rate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_target_is_split_before_it_is_decoded),
        cmocka_unit_test(test_targets_that_mean_two_things_are_refused),
        cmocka_unit_test(test_numbers_are_plain_and_bounded),
        cmocka_unit_test(test_utf8_is_judged_as_the_rfc_does),
        cmocka_unit_test(test_parts_point_at_their_exact_bytes),
        cmocka_unit_test(test_every_cut_of_a_form_is_refused),
        cmocka_unit_test(test_forms_without_boundary_or_name_are_refused),
        cmocka_unit_test(test_a_bucket_empties_and_fills_for_each_client),
        cmocka_unit_test(test_no_rate_means_no_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
