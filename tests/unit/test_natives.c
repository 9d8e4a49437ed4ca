/* The in-bot natives against plain loops, at every size and alignment around
 * their cases, and at the edge of a mapping. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The natives have the C library's names: here they get others. */
#define memcpy native_memcpy
#define memmove native_memmove
#define memset native_memset
#if defined(__clang__)
#include "instrument/bot/natives.c"
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcast-qual"
#include "instrument/bot/natives.c"
#pragma GCC diagnostic pop
#endif
#undef memcpy
#undef memmove
#undef memset

enum { ROOM = 12000 };

static uint8_t from[ROOM], to[ROOM], wanted[ROOM];

static void fill(void)
{
    for (size_t i = 0; i < ROOM; i++) {
        from[i] = (uint8_t)(i * 7 + i / 251);
        to[i] = wanted[i] = 0xee;
    }
}

/* 0 to 300, then around the block size and some pages. */
static size_t next_size(size_t size)
{
    return size < 300 ? size + 1 : size + size / 7;
}

static void test_memcpy_copies_exactly(void **state)
{
    (void)state;
    for (size_t size = 0; size < ROOM - 64; size = next_size(size)) {
        for (size_t shift = 0; shift < 20; shift += 3) {
            fill();
            for (size_t i = 0; i < size; i++)
                wanted[shift + i] = from[7 + i];
            assert_ptr_equal(native_memcpy(to + shift, from + 7, size),
                             to + shift);
            assert_memory_equal(to, wanted, ROOM);
        }
    }
}

static void test_memmove_copes_with_every_overlap(void **state)
{
    static const int distances[] = {-4000, -200, -65, -64, -33, -16, -1,  0,
                                    1,     15,   17,  63,  64,  100, 3000};

    (void)state;
    for (size_t size = 0; size < 4000; size = next_size(size)) {
        for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
            uint8_t *place = from + 4100;

            fill();
            for (size_t i = 0; i < ROOM; i++)
                wanted[i] = from[i];
            for (size_t i = 0; i < size; i++)
                wanted[4100 + distances[d] + (int)i] = place[i];
            native_memmove(place + distances[d], place, size);
            assert_memory_equal(from, wanted, ROOM);
        }
    }
}

static void test_memset_sets_exactly(void **state)
{
    (void)state;
    for (size_t size = 0; size < ROOM - 64; size = next_size(size)) {
        for (size_t shift = 0; shift < 20; shift += 3) {
            fill();
            for (size_t i = 0; i < size; i++)
                wanted[shift + i] = 0x5a;
            assert_ptr_equal(native_memset(to + shift, 0x15a, size),
                             to + shift);
            assert_memory_equal(to, wanted, ROOM);
        }
    }
}

/* The last `ROOM` bytes before a page that cannot be read. */
static uint8_t *edge(void)
{
    uint8_t *pages = mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(pages != MAP_FAILED);
    mprotect(pages + 3 * 4096, 4096, PROT_NONE);
    return pages + 3 * 4096;
}

static void test_searches_stop_at_the_edge(void **state)
{
    uint8_t *end = edge();

    (void)state;
    memset(end - 4096, 'x', 4096);
    for (size_t size = 0; size < 200; size++) {
        assert_int_equal(__bout_strnlen((char *)end - size, size), size);
        assert_null(__bout_memchr(end - size, 'y', size));
        for (size_t at = 0; at < size; at++) {
            end[-(long)size + (long)at] = 'y';
            assert_ptr_equal(__bout_memchr(end - size, 'y', size),
                             end - size + at);
            assert_null(__bout_memchr(end - size, 'y', at));
            end[-(long)size + (long)at] = '\0';
            assert_int_equal(__bout_strnlen((char *)end - size, 4096), at);
            end[-(long)size + (long)at] = 'x';
        }
    }
}

static void test_search_ignores_what_lies_before(void **state)
{
    (void)state;
    memset(to, 'y', ROOM);
    memset(to + 64, 'x', 64);
    for (size_t start = 64; start < 128; start++)
        assert_ptr_equal(__bout_memchr(to + start, 'y', ROOM - start),
                         to + 128);
}

static void test_mismatch_finds_the_first_difference(void **state)
{
    (void)state;
    for (size_t size = 0; size < 100; size++) {
        for (size_t at = 0; at <= size; at++) {
            memset(to, 'a', ROOM);
            memset(wanted, 'a', ROOM);
            to[3 + at] = 'b';
            to[3 + at + 1] = 'c';
            assert_int_equal(__bout_mismatch(to + 3, wanted + 8, size), at);
            int order = __bout_memcmp(to + 3, wanted + 8, size);
            assert_int_equal(order > 0, at < size);
            order = __bout_memcmp(wanted + 8, to + 3, size);
            assert_int_equal(order < 0, at < size);
        }
    }
    to[3] = 0x80;
    wanted[8] = 0x7f;
    assert_true(__bout_memcmp(to + 3, wanted + 8, 1) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memcpy_copies_exactly),
        cmocka_unit_test(test_memmove_copes_with_every_overlap),
        cmocka_unit_test(test_memset_sets_exactly),
        cmocka_unit_test(test_searches_stop_at_the_edge),
        cmocka_unit_test(test_search_ignores_what_lies_before),
        cmocka_unit_test(test_mismatch_finds_the_first_difference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
