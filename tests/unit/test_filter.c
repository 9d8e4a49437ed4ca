/* The table that the in-bot runtime loads is what libseccomp makes of
 * syscalls.def. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "instrument/bot/filter.h"
#include "runner/jail/filter.h"

#include <linux/audit.h>
#include <string.h>

static void print_table(const char *name, const struct filter *filter)
{
    print_message("instrument/bot/filter.h, %s, should hold:\n", name);
    for (size_t i = 0; i < filter->count; i++)
        print_message("    {0x%02x, %u, %u, 0x%08x},\n", filter->code[i].code,
                      filter->code[i].jt, filter->code[i].jf,
                      filter->code[i].k);
}

static void check_table(const char *name, unsigned arch,
                        const struct sock_filter *table, size_t bytes)
{
    struct filter filter;
    struct err err;

    assert_int_equal(filter_compile(&filter, arch, &err), 0);
    if (filter.count * sizeof *filter.code != bytes ||
        memcmp(filter.code, table, bytes) != 0) {
        print_table(name, &filter);
        fail_msg("syscalls.def and instrument/bot/filter.h differ");
    }
}

static void test_table_is_what_libseccomp_compiles(void **state)
{
    (void)state;
    check_table("filter_x86_64", AUDIT_ARCH_X86_64, filter_x86_64,
                sizeof filter_x86_64);
    check_table("filter_aarch64", AUDIT_ARCH_AARCH64, filter_aarch64,
                sizeof filter_aarch64);
}

static void test_calls_have_names(void **state)
{
    char name[64];

    (void)state;
    filter_call_name(41, AUDIT_ARCH_X86_64, name, sizeof name);
    assert_string_equal(name, "socket");
    filter_call_name(41, AUDIT_ARCH_AARCH64, name, sizeof name);
    assert_string_equal(name, "pivot_root");
    filter_call_name(12345, AUDIT_ARCH_X86_64, name, sizeof name);
    assert_string_equal(name, "system call 12345");
    filter_call_name(1, AUDIT_ARCH_I386, name, sizeof name);
    assert_string_equal(name, "32-bit system call");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_is_what_libseccomp_compiles),
        cmocka_unit_test(test_calls_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
