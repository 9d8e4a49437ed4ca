/* The metered library's heap, compiled natively over an arena of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <sys/mman.h>

#define ARENA_BYTES ((size_t)1 << 30)

static char *arena;
static size_t arena_used;
static jmp_buf aborted;

void *__bout_heap(size_t size);

void *__bout_heap(size_t size)
{
    char *start = arena + arena_used;

    assert_int_equal(size % 4096, 0);
    arena_used += size;
    assert_true(arena_used <= ARENA_BYTES);
    return start;
}

static _Noreturn void fake_abort(void)
{
    longjmp(aborted, 1);
}

static long fake_write(int fd, const void *from, size_t size)
{
    (void)fd, (void)from;
    return (long)size;
}

/* Its names give way to those of the libc that this test runs on. */
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>
#define malloc heap_malloc
#define free heap_free
#define calloc heap_calloc
#define realloc heap_realloc
#define aligned_alloc heap_aligned_alloc
#define memalign heap_memalign
#define posix_memalign heap_posix_memalign
#define reallocarray heap_reallocarray
#define malloc_usable_size heap_usable_size
#define abort fake_abort
#define write fake_write
#define weak_alias(old, new) _Static_assert(1, "")
void *malloc(size_t size);
void free(void *payload);
void *calloc(size_t count, size_t size);
void *realloc(void *payload, size_t size);
void *aligned_alloc(size_t align, size_t size);
void *memalign(size_t align, size_t size);
int posix_memalign(void **payload, size_t align, size_t size);
void *reallocarray(void *payload, size_t count, size_t size);
size_t malloc_usable_size(void *payload);
#include "instrument/library/src/heap.c"

#define SLOTS 600
#define STEPS 200000

struct held {
    unsigned char *at;
    size_t size;
    unsigned char mark;
};

static uint64_t chance_state = 1;

static uint64_t chance(uint64_t below)
{
    chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
    return (chance_state >> 33) % below;
}

/* Small ones mostly, some of every size up to a megabyte. */
static size_t chance_size(void)
{
    return (size_t)chance((uint64_t)1 << chance(21)) + 1;
}

static int set_up(void **state)
{
    (void)state;
    arena = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return arena == MAP_FAILED ? -1 : 0;
}

static void check_marks(const struct held *held, size_t size)
{
    for (size_t i = 0; i < size; i++)
        assert_int_equal(held->at[i], held->mark);
}

static void take_another(struct held *held)
{
    size_t align = (size_t)8 << chance(12);

    held->size = chance_size();
    held->mark = (unsigned char)chance(256);
    if (chance(8) == 0) {
        held->at = aligned_alloc(align, held->size);
        assert_int_equal((uintptr_t)held->at % align, 0);
    } else {
        held->at = malloc(held->size);
    }
    assert_int_equal((uintptr_t)held->at % 16, 0);
    assert_true(malloc_usable_size(held->at) >= held->size);
    memset(held->at, held->mark, held->size);
}

static void change_size(struct held *held)
{
    size_t size = chance_size();

    held->at = realloc(held->at, size);
    check_marks(held, size < held->size ? size : held->size);
    held->size = size;
    memset(held->at, held->mark, size);
}

static void test_blocks_keep_their_bytes_under_random_use(void **state)
{
    static struct held held[SLOTS];

    (void)state;
    for (int step = 0; step < STEPS; step++) {
        struct held *one = &held[chance(SLOTS)];
        if (!one->at) {
            take_another(one);
        } else if (chance(3) == 0) {
            change_size(one);
        } else {
            check_marks(one, one->size);
            free(one->at);
            one->at = NULL;
        }
    }
    for (int i = 0; i < SLOTS; i++) {
        if (held[i].at)
            check_marks(&held[i], held[i].size);
        free(held[i].at);
    }
}

static void test_freed_large_memory_is_used_again(void **state)
{
    (void)state;
    free(malloc(40000000));
    size_t used = arena_used;
    void *first = malloc(40000000);
    for (int i = 0; i < 1000; i++)
        free(malloc(39000000));
    free(first);
    for (int i = 0; i < 100000; i++) /* small ones live on it too */
        malloc(300);
    assert_true(arena_used - used < 40000000 + 65536);
}

static void test_a_growing_array_does_not_move_at_the_end(void **state)
{
    (void)state;
    char *array = malloc(2000000000 / 8);
    char *before = array;
    free(array);
    array = malloc(300000000);
    assert_true(array == before);
    assert_true(realloc(array, 310000000) == array);
    free(array);
}

static void test_absurd_sizes_give_null(void **state)
{
    void *payload = &payload;

    (void)state;
    assert_null(malloc(SIZE_MAX));
    assert_int_equal(errno, ENOMEM);
    assert_null(malloc((size_t)PTRDIFF_MAX + 1));
    assert_null(calloc(SIZE_MAX / 2, 3));
    assert_null(reallocarray(NULL, SIZE_MAX / 2, 3));
    assert_null(aligned_alloc(4096, SIZE_MAX - 100));
    assert_null(aligned_alloc(24, 100));
    assert_int_equal(posix_memalign(&payload, 4, 8), EINVAL);
    assert_int_equal(posix_memalign(&payload, 64, SIZE_MAX), ENOMEM);
    assert_true(payload == &payload);
}

static void test_calloc_clears_memory_that_was_used(void **state)
{
    (void)state;
    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        char *block = malloc(size);
        memset(block, 0xaa, size);
        free(block);
        block = calloc(size, 1);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(block[i], 0);
        free(block);
    }
}

static void test_a_double_free_ends_the_program(void **state)
{
    volatile int ended = 0;
    char *volatile block = malloc(100);

    (void)state;
    free(block);
    if (setjmp(aborted) == 0)
        free(block);
    else
        ended = 1;
    assert_true(ended);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_keep_their_bytes_under_random_use),
        cmocka_unit_test(test_freed_large_memory_is_used_again),
        cmocka_unit_test(test_a_growing_array_does_not_move_at_the_end),
        cmocka_unit_test(test_absurd_sizes_give_null),
        cmocka_unit_test(test_calloc_clears_memory_that_was_used),
        cmocka_unit_test(test_a_double_free_ends_the_program),
    };

    return cmocka_run_group_tests_name("library heap", tests, set_up, NULL);
}
