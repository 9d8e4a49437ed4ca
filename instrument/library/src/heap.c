/* heap: malloc and its family over one arena that grows upwards.
 *
 * A block is its head, one word, and then the payload, which is 16-aligned;
 * blocks are multiples of 16 bytes and touch each other. The head holds the
 * block's size and in its low bits HEAP_USED or, in front of an over-aligned
 * payload, HEAP_SHIFTED with the way back to the block's own payload.
 *
 *   small   up to SMALL_MAX bytes, rounded up to a class with a free list of
 *           its own: taken and given back in a handful of instructions
 *   large   any size; free ones form a list by address in which neighbours are
 *           joined; the first that fits is taken and cut
 *
 * New blocks are cut from `fresh`: the arena's end, or a piece of a free large
 * block. The arena grows by whole pages, no more than needed, since each page
 * has its price and memory its limit. Addresses follow from the calls alone.
 *
 * Memory does not run out here: the runtime ends the program (verdict
 * `memory`). Only a size that no machine has gives NULL and ENOMEM. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "instrument/bot/page.h"
#include "instrument/bot/runtime.h"

#define ALIGN 16u
#define HEAD_BYTES 8u
#define HEAP_USED 1u
#define HEAP_SHIFTED 2u
#define HEAP_FLAGS 15u

#define FINE_MAX 1024u   /* up to here a class every 16 bytes, */
#define SMALL_MAX 32768u /* then four for each doubling */
#define FINE_CLASSES (FINE_MAX / ALIGN)
#define SMALL_CLASSES (FINE_CLASSES + 20)

#define CUT_MIN_BYTES 1024u   /* a smaller rest stays with the block */
#define PIECE_BYTES SMALL_MAX /* of a large block, to become fresh */

/* A free block's payload. */
struct block {
    struct block *next;
};

static struct block *small_free[SMALL_CLASSES];
static struct block *large_free; /* by address */

/* Payload of the next fresh block; the first byte past fresh memory. The head
 * of a block's successor lies in its last 8 bytes, hence HEAD_BYTES in
 * fresh_room. */
static char *fresh;
static char *fresh_end;

static size_t *head_of(void *payload)
{
    return (size_t *)((char *)payload - HEAD_BYTES);
}

static size_t size_of(void *payload)
{
    return *head_of(payload) & ~(size_t)HEAP_FLAGS;
}

static size_t round_up(size_t size, size_t to)
{
    return (size + to - 1) & ~(to - 1);
}

/* The class of a small block of `size` bytes; *size becomes the class's. */
static unsigned small_class(size_t *size)
{
    if (*size <= FINE_MAX)
        return (unsigned)(*size / ALIGN) - 1;

    int doubling = 63 - __builtin_clzll(*size - 1); /* 2^doubling < size */
    size_t step = (size_t)1 << (doubling - 2);
    size_t steps = (*size - 1) / step + 1; /* 5 to 8 */
    *size = steps * step;
    return FINE_CLASSES + (unsigned)(doubling - 10) * 4 + (unsigned)steps - 5;
}

/* The largest class size that is not above `size`. */
static size_t small_below(size_t size)
{
    if (size <= FINE_MAX)
        return size;
    size_t step = (size_t)1 << (63 - __builtin_clzll(size) - 2);
    return size / step * step;
}

static void small_give(void *payload, size_t size)
{
    struct block *block = payload;
    unsigned class = small_class(&size);

    *head_of(payload) = size;
    block->next = small_free[class];
    small_free[class] = block;
}

/* Puts a large block into its place in the list, joined with its neighbours. */
static void large_give(char *payload, size_t size)
{
    struct block **link = &large_free;

    while (*link && (char *)*link < payload) {
        char *before = (char *)*link;
        if (before + size_of(before) == payload) {
            payload = before;
            size += size_of(before);
            *link = (*link)->next;
            break;
        }
        link = &(*link)->next;
    }
    struct block *after = *link;
    if (after && payload + size == (char *)after) {
        size += size_of(after);
        after = after->next;
    }
    if (payload + size == fresh) {
        fresh = payload;
        *link = after;
        return;
    }
    *head_of(payload) = size;
    ((struct block *)payload)->next = after;
    *link = (struct block *)payload;
}

/* Takes the first free large block of at least `size` bytes off the list, or
 * its first `most` bytes if it is longer; NULL: none. Its size in the head. */
static char *large_cut(size_t size, size_t most)
{
    struct block **link = &large_free;

    while (*link && size_of(*link) < size)
        link = &(*link)->next;
    if (!*link)
        return NULL;

    char *payload = (char *)*link;
    size_t whole = size_of(payload);
    if (whole < most || whole - most < CUT_MIN_BYTES) {
        *link = (*link)->next;
        return payload;
    }
    struct block *rest = (struct block *)(payload + most);
    rest->next = (*link)->next;
    *link = rest;
    *head_of(rest) = whole - most;
    *head_of(payload) = most;
    return payload;
}

static size_t fresh_room(void)
{
    if (!fresh)
        return 0;
    return (size_t)(fresh_end - fresh + HEAD_BYTES) / ALIGN * ALIGN;
}

/* Another part takes fresh memory's place: what is left becomes free blocks. */
static void fresh_replace(char *start, char *end)
{
    char *payload = fresh;
    size_t left = fresh_room();

    fresh = start;
    fresh_end = end;
    if (left > SMALL_MAX) {
        large_give(payload, left);
        return;
    }
    while (left > 0) {
        size_t size = small_below(left);
        small_give(payload, size);
        payload += size;
        left -= size;
    }
}

/* Makes fresh memory hold a block of `size` bytes at the arena's end. */
static void fresh_grow(size_t size)
{
    while (fresh_room() < size) {
        size_t missing = fresh ? size - fresh_room() : size + HEAD_BYTES;
        size_t bytes = round_up(missing, PAGE_BYTES);
        char *start = __bout_heap(bytes);

        if (fresh && start == fresh_end)
            fresh_end += bytes;
        else
            fresh_replace(start + ALIGN, start + bytes);
    }
}

static void *fresh_take(size_t size)
{
    char *payload = fresh;

    *head_of(payload) = size | HEAP_USED;
    fresh += size;
    return payload;
}

/* A small block when its class has no free one. */
static void *small_make(size_t size)
{
    if (fresh_room() < size) {
        char *piece = large_cut(size, PIECE_BYTES);
        if (piece)
            fresh_replace(piece, piece + size_of(piece) - HEAD_BYTES);
        else
            fresh_grow(size);
    }
    return fresh_take(size);
}

static void *large_make(size_t size)
{
    char *payload = large_cut(size, size);

    if (!payload) {
        fresh_grow(size);
        return fresh_take(size);
    }
    *head_of(payload) |= HEAP_USED;
    return payload;
}

static int is_absurd(size_t size)
{
    if (size <= PTRDIFF_MAX - PAGE_BYTES)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    if (is_absurd(size))
        return NULL;
    size = round_up(size + HEAD_BYTES, ALIGN);
    if (size > SMALL_MAX)
        return large_make(size);

    unsigned class = small_class(&size);
    struct block *block = small_free[class];
    if (!block)
        return small_make(size);
    small_free[class] = block->next;
    *head_of(block) = size | HEAP_USED;
    return block;
}

static _Noreturn void misused(const char *text)
{
    write(STDERR_FILENO, text, strlen(text));
    abort();
}

/* The block's own payload; ends the program if there is none in use here. */
static char *block_of(void *payload)
{
    size_t head = *head_of(payload);

    if (head & HEAP_SHIFTED) {
        payload = (char *)payload - (head & ~(size_t)HEAP_FLAGS);
        head = *head_of(payload);
    }
    if (!(head & HEAP_USED))
        misused("free: not allocated, or freed before\n");
    return payload;
}

void free(void *payload)
{
    if (!payload)
        return;

    char *block = block_of(payload);
    size_t size = size_of(block);
    if (size <= SMALL_MAX)
        small_give(block, size);
    else
        large_give(block, size);
}

size_t malloc_usable_size(void *payload)
{
    if (!payload)
        return 0;

    char *block = block_of(payload);
    return size_of(block) - HEAD_BYTES - (size_t)((char *)payload - block);
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    void *payload = malloc(bytes);
    return payload ? memset(payload, 0, bytes) : NULL;
}

/* Gives a large block another size where it lies; 0: that cannot be. */
static int resize_in_place(char *block, size_t wanted)
{
    size_t size = size_of(block);

    if (wanted > size) {
        if (block + size != fresh)
            return 0;
        fresh_grow(wanted - size);
        if (block + size != fresh) /* memory went on elsewhere */
            return 0;
        fresh += wanted - size;
        *head_of(block) = wanted | HEAP_USED;
    } else if (size - wanted >= CUT_MIN_BYTES) {
        *head_of(block) = wanted | HEAP_USED;
        large_give(block + wanted, size - wanted);
    }
    return 1;
}

/* Whether a block may stay where it is; a large one is resized then. */
static int keeps_place(void *payload, size_t size)
{
    char *block = block_of(payload);
    size_t wanted = round_up(size + HEAD_BYTES, ALIGN);

    if (size_of(block) <= SMALL_MAX) {
        size_t room = malloc_usable_size(payload);
        return size <= room && size >= room / 2;
    }
    return block == payload && wanted > SMALL_MAX &&
           resize_in_place(block, wanted);
}

void *realloc(void *payload, size_t size)
{
    if (!payload)
        return malloc(size);
    if (is_absurd(size))
        return NULL;
    if (keeps_place(payload, size))
        return payload;

    size_t room = malloc_usable_size(payload);
    void *moved = malloc(size);
    memcpy(moved, payload, size < room ? size : room);
    free(payload);
    return moved;
}

void *aligned_alloc(size_t align, size_t size)
{
    if (align == 0 || (align & (align - 1)) != 0) {
        errno = EINVAL;
        return NULL;
    }
    if (is_absurd(align) || is_absurd(size) || is_absurd(size + align))
        return NULL;
    if (align <= ALIGN)
        return malloc(size);

    char *block = malloc(size + align - ALIGN);
    char *payload = (char *)round_up((size_t)block, align);
    if (payload != block)
        *head_of(payload) = (size_t)(payload - block) | HEAP_SHIFTED;
    return payload;
}

void *memalign(size_t align, size_t size)
{
    return aligned_alloc(align, size);
}

int posix_memalign(void **payload, size_t align, size_t size)
{
    int before = errno;

    if (align < sizeof(void *))
        return EINVAL;
    void *made = aligned_alloc(align, size);
    int problem = errno;
    errno = before;
    if (!made)
        return problem;
    *payload = made;
    return 0;
}

void *reallocarray(void *payload, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(payload, bytes);
}

/* musl's own names. */
weak_alias(malloc, __libc_malloc);
weak_alias(calloc, __libc_calloc);
weak_alias(realloc, __libc_realloc);
weak_alias(free, __libc_free);
