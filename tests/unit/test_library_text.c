/* The metered library's searching, comparing and copying of texts, compiled
 * natively and held against the libc that the test runs on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

/* The natives, and what is paid for them. */
static uint64_t charged;

void __bout_charge(uint64_t instructions);
size_t __bout_strnlen(const char *text, size_t most);
const void *__bout_memchr(const void *from, int byte, size_t size);
size_t __bout_mismatch(const void *a, const void *b, size_t size);

void __bout_charge(uint64_t instructions)
{
    charged += instructions;
}

size_t __bout_strnlen(const char *text, size_t most)
{
    assert_true(most <= 4096);
    return strnlen(text, most);
}

const void *__bout_memchr(const void *from, int byte, size_t size)
{
    assert_true(size <= 4096);
    return memchr(from, byte, size);
}

size_t __bout_mismatch(const void *a, const void *b, size_t size)
{
    const char *x = a, *y = b;
    size_t i = 0;

    assert_true(size <= 4096);
    while (i < size && x[i] == y[i])
        i++;
    return i;
}

#define strnlen text_strnlen
#define strlen text_strlen
#define memchr text_memchr
#define strchr text_strchr
#define strchrnul text_strchrnul
#define memrchr text_memrchr
#define strrchr text_strrchr
#define memcmp text_memcmp
#define strcmp text_strcmp
#define strncmp text_strncmp
#define stpcpy text_stpcpy
#define strcpy text_strcpy
#define stpncpy text_stpncpy
#define strncpy text_strncpy
#define strcat text_strcat
#define strncat text_strncat
#define strlcpy text_strlcpy
#define strlcat text_strlcat
#define mempcpy text_mempcpy
#define memccpy text_memccpy
#define weak_alias(old, new) _Static_assert(1, "")
size_t strnlen(const char *text, size_t most);
size_t strlen(const char *text);
void *memchr(const void *from, int byte, size_t size);
char *strchr(const char *text, int character);
char *strchrnul(const char *text, int character);
void *memrchr(const void *from, int byte, size_t size);
char *strrchr(const char *text, int character);
int memcmp(const void *a, const void *b, size_t size);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t most);
char *stpcpy(char *restrict to, const char *restrict from);
char *strcpy(char *restrict to, const char *restrict from);
char *stpncpy(char *restrict to, const char *restrict from, size_t size);
char *strncpy(char *restrict to, const char *restrict from, size_t size);
char *strcat(char *restrict to, const char *restrict from);
char *strncat(char *restrict to, const char *restrict from, size_t most);
size_t strlcpy(char *to, const char *from, size_t size);
size_t strlcat(char *to, const char *from, size_t size);
void *mempcpy(void *to, const void *from, size_t size);
void *memccpy(void *restrict to, const void *restrict from, int byte,
              size_t size);
#include "instrument/library/src/search.c"
#include "instrument/library/src/compare.c"
#include "instrument/library/src/copy.c"
#undef strnlen
#undef strlen
#undef memchr
#undef strchr
#undef strchrnul
#undef memrchr
#undef strrchr
#undef memcmp
#undef strcmp
#undef strncmp
#undef stpcpy
#undef strcpy
#undef stpncpy
#undef strncpy
#undef strcat
#undef strncat
#undef mempcpy
#undef memccpy

#define TEXT_BYTES 9000
#define ROUNDS 20000

static char left[TEXT_BYTES + 1];
static char right[TEXT_BYTES + 1];

static uint64_t chance_state = 3;

static uint64_t chance(uint64_t below)
{
    chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
    return (chance_state >> 33) % below;
}

/* Two texts that are equal up to one place, perhaps, and their length. */
static size_t make_texts(void)
{
    size_t length = chance((uint64_t)1 << chance(14)) % TEXT_BYTES;

    for (size_t i = 0; i < length; i++)
        left[i] = right[i] = (char)(1 + chance(255));
    left[length] = right[length] = 0;
    if (length > 0 && chance(3) > 0)
        right[chance(length)] = (char)chance(256);
    return length;
}

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

static void test_searching_and_comparing_agree_with_libc(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        size_t length = make_texts();
        size_t most = chance(length + 20);
        int byte = (int)chance(256);
        assert_int_equal(text_strlen(left), strlen(left));
        assert_int_equal(text_strlen(right), strlen(right));
        assert_int_equal(text_strnlen(left, most), strnlen(left, most));
        assert_ptr_equal(text_memchr(left, byte, length),
                         memchr(left, byte, length));
        assert_ptr_equal(text_memrchr(left, byte, length),
                         memrchr(left, byte, length));
        assert_ptr_equal(text_strchr(left, byte), strchr(left, byte));
        assert_ptr_equal(text_strchrnul(left, byte), strchrnul(left, byte));
        assert_ptr_equal(text_strrchr(left, byte), strrchr(left, byte));
        assert_int_equal(sign(text_strcmp(left, right)),
                         sign(strcmp(left, right)));
        assert_int_equal(sign(text_strncmp(left, right, most)),
                         sign(strncmp(left, right, most)));
        assert_int_equal(sign(text_memcmp(left, right, length)),
                         sign(memcmp(left, right, length)));
    }
}

static void test_copying_agrees_with_libc(void **state)
{
    static char ours[3 * TEXT_BYTES], theirs[3 * TEXT_BYTES];

    (void)state;
    for (int round = 0; round < ROUNDS / 10; round++) {
        size_t length = make_texts();
        size_t most = chance(length + 50);
        memset(ours, '.', sizeof ours);
        memset(theirs, '.', sizeof theirs);
        assert_int_equal(text_stpcpy(ours, left) - ours,
                         stpcpy(theirs, left) - theirs);
        text_strcat(ours, right);
        strcat(theirs, right); // NOLINT: compared with, and fits
        text_strncat(ours, left, most);
        strncat(theirs, left, most);
        assert_memory_equal(ours, theirs, sizeof ours);
        assert_int_equal(text_stpncpy(ours, left, most) - ours,
                         stpncpy(theirs, left, most) - theirs);
        assert_memory_equal(ours, theirs, sizeof ours);
        char *end = text_memccpy(ours, left, 'x', most);
        char *wanted = memccpy(theirs, left, 'x', most);
        assert_int_equal(end ? end - ours : -1, wanted ? wanted - theirs : -1);
        assert_memory_equal(ours, theirs, sizeof ours);
    }
}

static void test_bounded_copies_cut_and_end_the_text(void **state)
{
    char to[8] = "ab";

    (void)state;
    assert_int_equal(text_strlcat(to, "cdefghij", sizeof to), 10);
    assert_string_equal(to, "abcdefg");
    assert_int_equal(text_strlcpy(to, "xyz", sizeof to), 3);
    assert_string_equal(to, "xyz");
    assert_int_equal(text_strlcpy(to, "xyz", 0), 3);
}

static uint64_t price_of_strlen(size_t length)
{
    static char text[20001];

    memset(text, 'x', length);
    text[length] = 0;
    charged = 0;
    text_strlen(text);
    return charged;
}

static void test_strlen_costs_a_word_for_eight_bytes_examined(void **state)
{
    (void)state;
    for (size_t length = 0; length <= 20000; length += 1 + length / 50)
        assert_int_equal(price_of_strlen(length), 1 + (length + 1 + 7) / 8);
}

static void test_memchr_pays_for_what_it_examined(void **state)
{
    static char bytes[10000];

    (void)state;
    memset(bytes, 'x', sizeof bytes);
    bytes[5000] = 'y';
    charged = 0;
    assert_ptr_equal(text_memchr(bytes, 'y', sizeof bytes), bytes + 5000);
    assert_int_equal(charged, 1 + (5001 + 7) / 8);
    charged = 0;
    assert_null(text_memchr(bytes, 'z', sizeof bytes));
    assert_int_equal(charged, 1 + 10000 / 8);
}

static void test_a_near_hit_in_a_long_text_is_cheap(void **state)
{
    (void)state;
    memset(left, 'x', TEXT_BYTES);
    left[5] = 'y';
    charged = 0;
    assert_ptr_equal(text_strchr(left, 'y'), left + 5);
    assert_true(charged < 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_searching_and_comparing_agree_with_libc),
        cmocka_unit_test(test_copying_agrees_with_libc),
        cmocka_unit_test(test_bounded_copies_cut_and_end_the_text),
        cmocka_unit_test(test_strlen_costs_a_word_for_eight_bytes_examined),
        cmocka_unit_test(test_memchr_pays_for_what_it_examined),
        cmocka_unit_test(test_a_near_hit_in_a_long_text_is_cheap),
    };

    return cmocka_run_group_tests_name("library text", tests, NULL, NULL);
}
