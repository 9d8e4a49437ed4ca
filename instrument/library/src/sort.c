/* sort: qsort and qsort_r as a stable merge sort.
 *
 * Stable, as programs written against the usual libraries expect; n log2 n
 * comparisons whatever the input, nearly n when it is sorted. A comparator that
 * contradicts itself gives some order of the same elements and nothing worse.
 * If it leaves by longjmp or an exception, the elements are all there, in some
 * order or twice; scratch memory goes with the next sort that needs some.
 *
 * Short runs are sorted by insertion, then merged to and fro between the array
 * and scratch memory. Elements of 4, 8 and 16 bytes are moved by code of their
 * own; large ones are sorted by pointers and then moved once. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RUN 6             /* elements sorted by insertion */
#define SCRATCH_BYTES 512 /* on the stack */
#define MOVED_MAX 64      /* larger elements go by pointers */

#define INLINE static inline __attribute__((always_inline))

typedef int plain_compare(const void *a, const void *b);
typedef int state_compare(const void *a, const void *b, void *state);

struct order {
    plain_compare *plain;
    state_compare *with_state; /* where plain is NULL */
    void *state;
    int by_pointer; /* elements are pointers to what is compared */
};

INLINE int order_compare(const struct order *order, const char *a,
                         const char *b)
{
    if (order->by_pointer) {
        a = *(const char *const *)a;
        b = *(const char *const *)b;
    }
    return order->plain ? order->plain(a, b)
                        : order->with_state(a, b, order->state);
}

INLINE void insertion_sort(const struct order *order, char *run, char *end,
                           size_t size)
{
    char held[MOVED_MAX];

    for (char *next = run + size; next < end; next += size) {
        char *at = next;
        while (at > run && order_compare(order, at - size, next) > 0)
            at -= size;
        if (at == next)
            continue;
        memcpy(held, next, size);
        memmove(at + size, at, (size_t)(next - at));
        memcpy(at, held, size);
    }
}

/* Merges [a, b) and [b, end) to `to`, the first of equals first. */
INLINE void merge(const struct order *order, char *a, char *b, char *end,
                  char *to, size_t size)
{
    char *middle = b;

    if (b >= end || order_compare(order, b - size, b) <= 0) {
        memcpy(to, a, (size_t)(end - a));
        return;
    }
    while (a < middle && b < end) {
        if (order_compare(order, a, b) <= 0) {
            memcpy(to, a, size);
            a += size;
        } else {
            memcpy(to, b, size);
            b += size;
        }
        to += size;
    }
    memcpy(to, a, (size_t)(middle - a));
    memcpy(to + (middle - a), b, (size_t)(end - b));
}

/* Sorts `bytes` bytes of elements at `from`; `scratch` has as many. */
INLINE void merge_sort(const struct order *order, char *from, size_t bytes,
                       size_t size, char *scratch)
{
    char *start = from;
    char *to = scratch;

    for (size_t at = 0; at < bytes; at += RUN * size) {
        size_t left = bytes - at;
        insertion_sort(order, from + at,
                       from + at + (left < RUN * size ? left : RUN * size),
                       size);
    }
    for (size_t width = RUN * size; width < bytes; width *= 2) {
        for (size_t at = 0; at < bytes; at += 2 * width) {
            size_t middle = bytes - at < width ? bytes : at + width;
            size_t end = bytes - middle < width ? bytes : middle + width;
            merge(order, from + at, from + middle, from + end, to + at, size);
        }
        char *swap = from;
        from = to;
        to = swap;
    }
    if (from != start)
        memcpy(start, from, bytes);
}

/* A function of its own for each size that is moved without a call. */
static void sort_4(const struct order *o, char *at, size_t n, char *scratch)
{
    merge_sort(o, at, n * 4, 4, scratch);
}

static void sort_8(const struct order *o, char *at, size_t n, char *scratch)
{
    merge_sort(o, at, n * 8, 8, scratch);
}

static void sort_16(const struct order *o, char *at, size_t n, char *scratch)
{
    merge_sort(o, at, n * 16, 16, scratch);
}

static void sort_any(const struct order *o, char *at, size_t n, size_t size,
                     char *scratch)
{
    switch (size) {
    case 4:
        sort_4(o, at, n, scratch);
        break;
    case 8:
        sort_8(o, at, n, scratch);
        break;
    case 16:
        sort_16(o, at, n, scratch);
        break;
    default:
        merge_sort(o, at, n * size, size, scratch);
    }
}

/* Scratch memory in use, the innermost sort's first. The linear stack grows
 * downwards: a sort that began at `frame` or below it has ended, by longjmp or
 * an exception, once another one's frame is there. */
struct scratch {
    struct scratch *outer;
    uintptr_t frame;
};

static struct scratch *innermost;

static void drop_innermost(void)
{
    struct scratch *outer = innermost->outer;

    free(innermost);
    innermost = outer;
}

static void *scratch_take(size_t bytes, uintptr_t frame)
{
    while (innermost && innermost->frame <= frame)
        drop_innermost();
    if (bytes > SIZE_MAX / 2)
        bytes = SIZE_MAX / 2; /* more than there is: the verdict is malloc's */
    struct scratch *new = malloc(sizeof *new + bytes);
    *new = (struct scratch){.outer = innermost, .frame = frame};
    innermost = new;
    return new + 1;
}

static void scratch_give(void *memory)
{
    struct scratch *own = (struct scratch *)memory - 1;

    while (innermost != own) /* sorts that own one's comparator left */
        drop_innermost();
    drop_innermost();
}

/* Never inlined: its frame lies below that of sort_by_pointers. */
__attribute__((noinline)) static void
sort_moving(const struct order *order, char *at, size_t count, size_t size)
{
    char nearby[SCRATCH_BYTES];
    char *scratch = nearby;

    if (count * size > sizeof nearby)
        scratch = scratch_take(count * size, (uintptr_t)nearby);
    sort_any(order, at, count, size, scratch);
    if (scratch != nearby)
        scratch_give(scratch);
}

/* Puts at[i] where order[i] points from, one cycle after the other. */
static void permute(char *at, char **order, size_t count, size_t size)
{
    char *held = malloc(size);

    for (size_t i = 0; i < count; i++) {
        size_t hole = i;
        if (order[i] == at + i * size)
            continue;
        memcpy(held, at + i * size, size);
        for (;;) {
            char *source = order[hole];
            order[hole] = at + hole * size;
            if (source == at + i * size)
                break;
            memcpy(at + hole * size, source, size);
            hole = (size_t)(source - at) / size;
        }
        memcpy(at + hole * size, held, size);
    }
    free(held);
}

static void sort_by_pointers(struct order order, char *at, size_t count,
                             size_t size)
{
    char here;
    char **pointer = scratch_take(count * sizeof *pointer, (uintptr_t)&here);

    for (size_t i = 0; i < count; i++)
        pointer[i] = at + i * size;
    order.by_pointer = 1;
    sort_moving(&order, (char *)pointer, count, sizeof *pointer);
    permute(at, pointer, count, size);
    scratch_give(pointer);
}

static void sort(const struct order *order, void *at, size_t count, size_t size)
{
    if (count < 2 || size == 0)
        return;
    if (size > MOVED_MAX)
        sort_by_pointers(*order, at, count, size);
    else
        sort_moving(order, at, count, size);
}

void qsort(void *at, size_t count, size_t size, plain_compare *compare)
{
    struct order order = {.plain = compare};

    sort(&order, at, count, size);
}

void qsort_r(void *at, size_t count, size_t size, state_compare *compare,
             void *state)
{
    struct order order = {.with_state = compare, .state = state};

    sort(&order, at, count, size);
}

/* musl's own name. */
weak_alias(qsort_r, __qsort_r);
