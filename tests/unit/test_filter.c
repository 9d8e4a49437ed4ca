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

static void print_table(const struct filter *filter)
{
    print_message("instrument/bot/filter.h should hold:\n");
    for (size_t i = 0; i < filter->count; i++)
        print_message("    {0x%02x, %u, %u, 0x%08x},\n", filter->code[i].code,
                      filter->code[i].jt, filter->code[i].jf,
                      filter->code[i].k);
}

static void test_table_is_what_libseccomp_compiles(void **state)
{
    struct filter filter;
    struct err err;

    (void)state;
    assert_int_equal(filter_compile(&filter, &err), 0);
    if (filter.count * sizeof *filter.code != sizeof filter_code ||
        memcmp(filter.code, filter_code, sizeof filter_code) != 0) {
        print_table(&filter);
        fail_msg("syscalls.def and instrument/bot/filter.h differ");
    }
}

static void test_calls_have_names(void **state)
{
    char name[64];

    (void)state;
    filter_call_name(41, AUDIT_ARCH_X86_64, name, sizeof name);
    assert_string_equal(name, "socket");
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
