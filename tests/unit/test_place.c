/* The line of an address, read from this very program, which has line tables of
 * the same version; and from what is left of it when bytes are changed. */
#include "runner/base/io.h"
#include "runner/build/place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char __executable_start;

static volatile int sink;

static const int here_line = __LINE__ + 3; /* of the brace */
__attribute__((noinline)) static void here(void)
{
    sink++;
}

/* The function's address as the file has it. */
static uint64_t address_of_here(void)
{
    return (uint64_t)((uintptr_t)&here - (uintptr_t)&__executable_start);
}

static void read_self(struct buf *bytes, struct build *build)
{
    struct err err;

    assert_int_equal(io_read_file("/proc/self/exe", 64u << 20, bytes, &err), 0);
    *build = (struct build){.elf = bytes->data, .elf_size = bytes->size};
}

static void test_a_line_is_found(void **state)
{
    auto_buf struct buf bytes = {0};
    struct build build;
    char text[512];
    char expected[512];

    (void)state;
    here();
    read_self(&bytes, &build);
    build_place(&build, address_of_here() + 4, text, sizeof text);
    bool found = false;
    for (int line = here_line - 1; line <= here_line + 2; line++) {
        snprintf(expected, sizeof expected,
                 "tests/unit/test_place.c:%d in here", line);
        found = found || !strcmp(text, expected);
    }
    if (!found)
        fail_msg("%s", text);
}

static void test_no_address_is_no_place(void **state)
{
    auto_buf struct buf bytes = {0};
    struct build build;
    char text[16] = "x";

    (void)state;
    read_self(&bytes, &build);
    assert_string_equal(build_place(&build, 0, text, sizeof text), "");
    assert_string_equal(build_place(&build, UINT64_MAX, text, sizeof text), "");
    build = (struct build){0};
    assert_string_equal(build_place(&build, 5, text, sizeof text), "");
}

static void test_a_long_place_is_cut(void **state)
{
    auto_buf struct buf bytes = {0};
    struct build build;
    char text[8];

    (void)state;
    read_self(&bytes, &build);
    build_place(&build, address_of_here(), text, sizeof text);
    assert_int_equal(strlen(text), 7);
}

/* Whatever the file holds, reading stays inside it (the sanitizers look). */
static void test_changed_bytes_break_nothing(void **state)
{
    auto_buf struct buf bytes = {0};
    struct build build;
    char text[512];
    uint64_t chaos = 1;

    (void)state;
    read_self(&bytes, &build);
    for (int round = 0; round < 400; round++) {
        size_t at[32];
        char old[32];
        for (int i = 0; i < 32; i++) {
            chaos = chaos * 6364136223846793005u + 1442695040888963407u;
            /* The head, the tables at the end, anywhere. */
            size_t span = round % 3 == 0 ? 64 : bytes.size;
            at[i] = (chaos >> 20) % span;
            old[i] = bytes.data[at[i]];
            bytes.data[at[i]] = (char)(chaos >> 56);
        }
        build_place(&build, address_of_here() + 4, text, sizeof text);
        assert_true(strlen(text) < sizeof text);
        for (int i = 31; i >= 0; i--)
            bytes.data[at[i]] = old[i];
    }
}

static void test_a_cut_file_breaks_nothing(void **state)
{
    auto_buf struct buf bytes = {0};
    struct build build;
    char text[512];

    (void)state;
    read_self(&bytes, &build);
    for (size_t size = 0; size < bytes.size; size += bytes.size / 200 + 1) {
        build.elf = malloc(size ? size : 1);
        build.elf_size = size;
        memcpy(build.elf, bytes.data, size);
        build_place(&build, address_of_here(), text, sizeof text);
        free(build.elf);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_is_found),
        cmocka_unit_test(test_no_address_is_no_place),
        cmocka_unit_test(test_a_long_place_is_cut),
        cmocka_unit_test(test_changed_bytes_break_nothing),
        cmocka_unit_test(test_a_cut_file_breaks_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
