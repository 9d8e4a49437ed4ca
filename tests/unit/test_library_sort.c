/* The metered library's qsort, compiled natively. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#define qsort sort_qsort
#define qsort_r sort_qsort_r
#define weak_alias(old, new) _Static_assert(1, "")
void qsort(void *at, size_t count, size_t size,
           int (*compare)(const void *, const void *));
void qsort_r(void *at, size_t count, size_t size,
             int (*compare)(const void *, const void *, void *), void *state);
#include "instrument/library/src/sort.c"

#define COUNT_MAX 1000
#define SIZE_MAX_BYTES 200

static uint64_t chance_state = 7;
static size_t comparisons;

static uint64_t chance(uint64_t below)
{
    chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
    return (chance_state >> 33) % below;
}

/* Elements start with a 16-bit key; then comes where they stood. */
static int compare_keys(const void *a, const void *b)
{
    uint16_t x, y;

    comparisons++;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

static int compare_through_state(const void *a, const void *b, void *state)
{
    *(int *)state += 1;
    return compare_keys(a, b);
}

static void fill(unsigned char *at, size_t count, size_t size, uint64_t keys)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t key = (uint16_t)chance(keys);
        uint16_t place = (uint16_t)i;
        unsigned char *element = at + i * size;
        memset(element, key & 0xff, size);
        memcpy(element, &key, sizeof key);
        memcpy(element + 2, &place, sizeof place);
    }
}

static void check_stable(const unsigned char *at, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t now[2], before[2];
        memcpy(now, at + i * size, sizeof now);
        for (size_t k = 4; k < size; k++)
            assert_int_equal(at[i * size + k], now[0] & 0xff);
        if (i == 0)
            continue;
        memcpy(before, at + (i - 1) * size, sizeof before);
        assert_true(before[0] < now[0] ||
                    (before[0] == now[0] && before[1] < now[1]));
    }
}

static void test_sorting_is_stable_for_all_sizes(void **state)
{
    static unsigned char array[COUNT_MAX * SIZE_MAX_BYTES];

    (void)state;
    for (size_t size = 4; size <= SIZE_MAX_BYTES; size += 1 + size / 9) {
        for (size_t count = 0; count <= COUNT_MAX; count += 1 + count / 3) {
            fill(array, count, size, 1 + chance(2 * count + 1));
            qsort(array, count, size, compare_keys);
            check_stable(array, count, size);
        }
    }
}

static void test_state_reaches_the_comparator(void **state)
{
    unsigned char array[100 * 8];
    int calls = 0;

    (void)state;
    fill(array, 100, 8, 50);
    qsort_r(array, 100, 8, compare_through_state, &calls);
    check_stable(array, 100, 8);
    assert_true(calls > 100);
}

static void test_sorted_input_needs_few_comparisons(void **state)
{
    static unsigned char array[COUNT_MAX * 4];

    (void)state;
    fill(array, COUNT_MAX, 4, 60000);
    comparisons = 0;
    qsort(array, COUNT_MAX, 4, compare_keys);
    assert_true(comparisons < 10 * COUNT_MAX); /* log2 1000 = 9.97 */
    comparisons = 0;
    qsort(array, COUNT_MAX, 4, compare_keys);
    assert_true(comparisons < 2 * COUNT_MAX);
}

static int compare_by_chance(const void *a, const void *b)
{
    (void)a, (void)b;
    return (int)chance(3) - 1;
}

static void test_a_lying_comparator_loses_no_element(void **state)
{
    static unsigned char array[COUNT_MAX * 100];

    (void)state;
    for (size_t size = 4; size <= 100; size += 32) {
        char seen[COUNT_MAX] = {0};
        fill(array, COUNT_MAX, size, 100);
        qsort(array, COUNT_MAX, size, compare_by_chance);
        for (size_t i = 0; i < COUNT_MAX; i++) {
            uint16_t place;
            memcpy(&place, array + i * size + 2, sizeof place);
            assert_int_equal(seen[place]++, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorting_is_stable_for_all_sizes),
        cmocka_unit_test(test_state_reaches_the_comparator),
        cmocka_unit_test(test_sorted_input_needs_few_comparisons),
        cmocka_unit_test(test_a_lying_comparator_loses_no_element),
    };

    return cmocka_run_group_tests_name("library sort", tests, NULL, NULL);
}
