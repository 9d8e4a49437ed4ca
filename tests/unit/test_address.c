/* Who asks: addresses, trusted proxies, and what these say. */
#include "api/http/address.h"
#include "api/http/crowd.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

static void test_networks_are_read_and_hold_what_is_in_them(void **state)
{
    static const struct {
        const char *address;
        bool in;
    } probe[] = {{"127.0.0.1", true},       {"127.255.0.9", true},
                 {"128.0.0.1", false},      {"192.0.2.7", true},
                 {"192.0.2.8", false},      {"10.1.15.255", true},
                 {"10.1.16.0", false},      {"2001:db8:1::5", true},
                 {"2001:db8:2::5", false},  {"::1", true},
                 {"::ffff:127.0.0.1", true}};
    struct proxies proxies;
    struct address address;
    struct err err;

    (void)state;
    assert_int_equal(proxies_parse(&proxies,
                                   "127.0.0.0/8, ::1,192.0.2.7,10.1.0.0/20,"
                                   "2001:db8:1::/48",
                                   &err),
                     0);
    assert_int_equal(proxies.count, 5);
    for (size_t i = 0; i < sizeof probe / sizeof *probe; i++) {
        assert_true(address_parse(&address, probe[i].address));
        if (proxies_have(&proxies, &address) != probe[i].in)
            fail_msg("%s", probe[i].address);
    }
    assert_int_equal(proxies_parse(&proxies, "", &err), 0);
    assert_false(proxies_have(&proxies, &address));
    assert_int_equal(proxies_parse(&proxies, "0.0.0.0/0", &err), 0);
    assert_true(proxies_have(&proxies, &address));
}

static void test_what_is_no_network_is_refused_by_name(void **state)
{
    static const char *const bad[] = {
        "localhost",   "127.0.0", "10.0.0.0/33",  "::/129",     "10.0.0.0/",
        "10.0.0.0/-1", "/8",      "10.0.0.0/8/8", "10.0.0.0/08"};
    struct proxies proxies;
    struct err err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(proxies_parse(&proxies, bad[i], &err), -1);
        assert_int_equal(err.kind, ERR_INPUT);
        assert_non_null(strstr(err.msg, bad[i]));
    }
}

static void test_a_key_is_an_address_or_a_customers_network(void **state)
{
    struct address one;
    struct address two;

    (void)state;
    assert_true(address_parse(&one, "192.0.2.1"));
    assert_true(address_parse(&two, "::ffff:192.0.2.1"));
    assert_int_equal(address_key(&one), 0xc0000201);
    assert_int_equal(address_key(&two), 0xc0000201);
    assert_true(address_parse(&one, "2001:db8::1"));
    assert_true(address_parse(&two, "2001:db8::ffff:2"));
    assert_int_equal(address_key(&one), address_key(&two));
    assert_true(address_parse(&two, "2001:db8:0:1::1"));
    assert_int_not_equal(address_key(&one), address_key(&two));
}

/* The client is the last one that no trusted proxy is. */
static void test_only_what_trusted_proxies_add_is_believed(void **state)
{
    static const struct {
        const char *list;
        const char *forwarded;
        const char *client; /* NULL: nobody; "": refused */
    } probe[] = {
        {NULL, NULL, NULL},
        {"192.0.2.1", NULL, "192.0.2.1"},
        {"9.9.9.9, 192.0.2.1", NULL, "192.0.2.1"},
        {"9.9.9.9,192.0.2.1,127.0.0.1, 10.0.0.4", NULL, "192.0.2.1"},
        {"127.0.0.1, 10.0.0.4", NULL, "127.0.0.1"},
        {"192.0.2.1:4711", NULL, "192.0.2.1"},
        {"[2001:db8::1]:4711", NULL, "2001:db8::1"},
        {"2001:db8::1", NULL, "2001:db8::1"},
        {"9.9.9.9, unknown", NULL, NULL},
        {"9.9.9.9, unknown, 127.0.0.1", NULL, NULL},
        {"", NULL, NULL},
        {" , ,", NULL, NULL},
        {NULL, "for=192.0.2.1", "192.0.2.1"},
        {NULL, "For=\"192.0.2.1:80\";proto=https", "192.0.2.1"},
        {NULL, "for=9.9.9.9, by=10.0.0.1;FOR=\"[2001:db8::1]:8\"",
         "2001:db8::1"},
        {NULL, "for=192.0.2.1;host=\"a,for=9.9.9.9\"", "192.0.2.1"},
        {NULL, "for=192.0.2.1;host=\"a\\\",for=9.9.9.9\"", "192.0.2.1"},
        {NULL, "for=192.0.2.1, for=127.0.0.1", "192.0.2.1"},
        {NULL, "for=9.9.9.9, for=_hidden", NULL},
        {NULL, "for=9.9.9.9, proto=http", NULL},
        {NULL, "for=\"192.0.2.1", "192.0.2.1"},
        {NULL, "for", NULL},
        {NULL, "=;,;=\"", NULL},
        {"192.0.2.1", "for=192.0.2.1", "192.0.2.1"},
        {"192.0.2.1", "for=9.9.9.9", ""},
        {"192.0.2.1", "for=unknown", "192.0.2.1"},
    };
    struct proxies proxies;
    struct err err;

    (void)state;
    proxies_parse(&proxies, "127.0.0.0/8,10.0.0.0/8", &err);
    for (size_t i = 0; i < sizeof probe / sizeof *probe; i++) {
        struct address client = {0};
        struct address wanted = {0};
        const char *name = probe[i].client;
        int found = address_forwarded(&proxies, probe[i].list,
                                      probe[i].forwarded, &client, &err);
        if (found != (!name ? 0 : *name ? 1 : -1))
            fail_msg("probe %zu: %d", i, found);
        if (found != 1)
            continue;
        assert_true(address_parse(&wanted, name));
        assert_memory_equal(&client, &wanted, sizeof client);
    }
}

static void test_a_crowd_counts_each_by_itself(void **state)
{
    struct crowd *crowd = crowd_new();

    (void)state;
    for (uint64_t key = 0; key < 5000; key++)
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(crowd_enter(crowd, key << 32, 2), i < 2);
    for (uint64_t key = 0; key < 5000; key += 2)
        crowd_leave(crowd, key << 32);
    for (uint64_t key = 0; key < 5000; key++)
        assert_int_equal(crowd_count(crowd, key << 32), key % 2 ? 2 : 1);
    assert_false(crowd_enter(crowd, 1, 0));
    crowd_free(crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_networks_are_read_and_hold_what_is_in_them),
        cmocka_unit_test(test_what_is_no_network_is_refused_by_name),
        cmocka_unit_test(test_a_key_is_an_address_or_a_customers_network),
        cmocka_unit_test(test_only_what_trusted_proxies_add_is_believed),
        cmocka_unit_test(test_a_crowd_counts_each_by_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
