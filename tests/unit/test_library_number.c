/* The metered library's 128-bit integers and random stream, compiled natively.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static uint8_t key[32];

void __bout_seed(uint8_t to[32]);

void __bout_seed(uint8_t to[32])
{
    memcpy(to, key, sizeof key);
}

#include <sys/random.h>
#include <unistd.h>
#define getrandom number_getrandom
#define getentropy number_getentropy
#define arc4random number_arc4random
#define arc4random_buf number_arc4random_buf
#define arc4random_uniform number_arc4random_uniform
#define rand number_rand
#define srand number_srand
#define random number_random
#define srandom number_srandom
#define setstate number_setstate
#define initstate number_initstate
ssize_t getrandom(void *to, size_t size, unsigned flags);
int getentropy(void *to, size_t size);
uint32_t arc4random(void);
void arc4random_buf(void *to, size_t size);
uint32_t arc4random_uniform(uint32_t end);
int rand(void);
void srand(unsigned seed);
long random(void);
void srandom(unsigned seed);
char *setstate(char *home);
char *initstate(unsigned seed, char *home, size_t size);
#include "instrument/library/src/random.c"

#define __udivmodti4 our_udivmodti4
#define __udivti3 our_udivti3
#define __umodti3 our_umodti3
#define __divti3 our_divti3
#define __modti3 our_modti3
#define __floatuntidf our_floatuntidf
#define __floattidf our_floattidf
#define __floatuntisf our_floatuntisf
#define __floattisf our_floattisf
#define __fixunsdfti our_fixunsdfti
#define __fixdfti our_fixdfti
#define __fixunssfti our_fixunssfti
#define __fixsfti our_fixsfti
#define __powidf2 our_powidf2
#define __powisf2 our_powisf2
#include "instrument/library/src/wide.c"

#define ROUNDS 1000000

static uint64_t chance_state = 11;

static uint64_t word(void)
{
    uint64_t high, low;

    chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
    high = chance_state >> 32;
    chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
    low = chance_state >> 32;
    return high << 32 | low;
}

/* Of every length, with runs of ones and zeros among them. */
static u128 chance(void)
{
    u128 value = (u128)word() << 64 | word();

    if (word() % 4 == 0)
        value = ~(u128)0 << word() % 128;
    if (word() % 4 == 0)
        value |= ~(u128)0 << word() % 128;
    if (word() % 8 == 0)
        value -= 2;
    return value >> word() % 128;
}

static void test_wide_division_agrees_with_the_compilers(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        u128 a = chance(), b = chance(), rest;
        if (b == 0)
            continue;
        assert_true(our_udivmodti4(a, b, &rest) == a / b);
        assert_true(rest == a % b);
        if ((i128)b == -1)
            continue;
        assert_true(our_divti3((i128)a, (i128)b) == (i128)a / (i128)b);
        assert_true(our_modti3((i128)a, (i128)b) == (i128)a % (i128)b);
    }
}

static void test_wide_conversion_agrees_with_the_compilers(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        u128 a = chance();
        double d = (double)a;
        assert_true(our_floatuntidf(a) == (double)a);
        assert_true(our_floattidf((i128)a) == (double)(i128)a);
        assert_true(our_floatuntisf(a) == (float)a);
        assert_true(our_floattisf((i128)a) == (float)(i128)a);
        if (d < 0x1p127) {
            assert_true(our_fixunsdfti(d) == (u128)d);
            assert_true(our_fixdfti(-d) == (i128)-d);
        }
    }
    assert_true(our_fixunsdfti(0x1p128) == ~(u128)0);
    assert_true(our_fixunsdfti(-1) == 0);
    assert_true(our_fixdfti(0x1p127) == (i128)(~(u128)0 >> 1));
    assert_true(our_fixdfti(-0x1p130) == (i128)((u128)1 << 127));
}

static void test_powers_go_by_squaring(void **state)
{
    (void)state;
    assert_true(our_powidf2(3, 5) == 243);
    assert_true(our_powidf2(2, -3) == 0.125);
    assert_true(our_powidf2(7, 0) == 1);
    assert_true(our_powisf2(2, 10) == 1024);
    assert_true(our_powidf2(1, -2147483647 - 1) == 1);
}

/* The first block of the all-zero key and nonce: RFC 8439, appendix A.1, #1. */
static void test_the_random_stream_is_chacha20(void **state)
{
    static const uint8_t wanted[32] = {
        0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90, 0x40, 0x5d, 0x6a,
        0xe5, 0x53, 0x86, 0xbd, 0x28, 0xbd, 0xd2, 0x19, 0xb8, 0xa0, 0x8d,
        0xed, 0x1a, 0xa8, 0x36, 0xef, 0xcc, 0x8b, 0x77, 0x0d, 0xc7};
    uint8_t got[32];
    uint8_t second[4];

    (void)state;
    memset(&stream, 0, sizeof stream);
    memset(key, 0, sizeof key);
    for (size_t i = 0; i < sizeof got; i += 8) /* in parts */
        assert_int_equal(getrandom(got + i, 8, 0), 8);
    assert_memory_equal(got, wanted, sizeof wanted);
    assert_int_equal(getentropy(got, 32), 0);
    assert_int_equal(getentropy(second, 4), 0); /* A.1, #2 */
    assert_int_equal(second[0], 0x9f);
    assert_int_equal(second[1], 0x07);
    assert_int_equal(second[2], 0xe7);
    assert_int_equal(second[3], 0xbe);
    assert_int_equal(getentropy(got, 257), -1);
}

static int first_rand(uint8_t slot)
{
    memset(&stream, 0, sizeof stream);
    rand_generator = (struct generator){0};
    memset(key, slot, sizeof key);
    return rand();
}

static void test_rand_differs_by_slot_until_it_is_seeded(void **state)
{
    (void)state;
    assert_int_equal(first_rand(1), first_rand(1));
    assert_int_not_equal(first_rand(1), first_rand(2));
    first_rand(1);
    srand(5);
    int seeded = rand();
    first_rand(2);
    srand(5);
    assert_int_equal(rand(), seeded);
}

static void test_random_state_can_be_swapped(void **state)
{
    static char home[64], other[64]; /* random keeps the last */

    (void)state;
    assert_null(initstate(1, home, 4));
    initstate(1, home, sizeof home);
    long first = random();
    long second = random();
    assert_ptr_equal(initstate(1, other, sizeof other), home);
    assert_int_equal(random(), first);
    assert_ptr_equal(setstate(home), other);
    assert_int_not_equal(random(), second);
    srandom(1);
    assert_int_equal(random(), first);
}

static void test_uniform_numbers_stay_below_their_end(void **state)
{
    (void)state;
    for (uint32_t end = 0; end < 3000000000u; end = end * 2 + 1)
        for (int i = 0; i < 20; i++)
            assert_true(arc4random_uniform(end) < (end ? end : 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide_division_agrees_with_the_compilers),
        cmocka_unit_test(test_wide_conversion_agrees_with_the_compilers),
        cmocka_unit_test(test_powers_go_by_squaring),
        cmocka_unit_test(test_the_random_stream_is_chacha20),
        cmocka_unit_test(test_rand_differs_by_slot_until_it_is_seeded),
        cmocka_unit_test(test_random_state_can_be_swapped),
        cmocka_unit_test(test_uniform_numbers_stay_below_their_end),
    };

    return cmocka_run_group_tests_name("library number", tests, NULL, NULL);
}
