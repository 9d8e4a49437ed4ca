/* Which addresses a webhook may reach. */
#include "api/http/webhook_address.h"

#include <setjmp.h>
#include <stdarg.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <netinet/in.h>
#include <string.h>

static bool is_public(const char *text)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    const void *any = &v4;

    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
        return webhook_is_public(any);
    assert_int_equal(inet_pton(AF_INET6, text, &v6.sin6_addr), 1);
    any = &v6;
    return webhook_is_public(any);
}

static void test_only_global_addresses_are_public(void **state)
{
    static const char *const ours[] = {
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.9.9.9",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:10.0.0.1",
        "::ffff:127.0.0.1",
        "fe80::1",
        "fc00::1",
        "fd12::1",
        "ff02::1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:0:1::1",
        "2001:db8::1",
    };
    static const char *const open[] = {
        "1.1.1.1",      "9.255.255.255", "11.0.0.1",       "100.63.255.255",
        "100.128.0.1",  "172.15.0.1",    "172.32.0.1",     "192.167.1.1",
        "198.17.0.1",   "223.255.255.1", "::ffff:8.8.8.8", "2606:4700::1",
        "2a00:1450::1",
    };

    (void)state;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (is_public(ours[i]))
            fail_msg("%s is taken for public", ours[i]);
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (!is_public(open[i]))
            fail_msg("%s is not taken for public", open[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_global_addresses_are_public),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
