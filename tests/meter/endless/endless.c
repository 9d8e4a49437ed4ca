/* Ways never to end; the first number of the input says which. Verdict: budget.
 * Turn 0 ends at the first read. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile unsigned sink;

static void empty(void)
{
    for (;;)
        ;
}

static void changing(void)
{
    for (;;)
        sink++;
}

/* Entered at both blocks of the cycle. */
static void irreducible(void)
{
    if (sink)
        goto second;
first:
    sink += 2;
second:
    sink += 3;
    if (sink)
        goto first;
    goto second;
}

static void computed(void)
{
    static void *const way[] = {&&one, &&two, &&three};

one:
    sink++;
    goto *way[sink % 3];
two:
    sink += 2;
    goto *way[sink % 3];
three:
    sink += 3;
    goto *way[sink % 3];
}

/* It never meets its bound. */
static void missed(void)
{
    for (unsigned i = 1; i != 0x80000000u; i += 2)
        sink = i;
}

__attribute__((noinline)) static int odd(int n);
__attribute__((noinline)) static int even(int n)
{
    sink++;
    return odd(n + 1);
}
static int odd(int n)
{
    sink += 3;
    return even(n + 1);
}

/* Deep and back, over and over: long ways back without a loop. */
__attribute__((noinline)) static unsigned deep(unsigned n)
{
    unsigned below = n ? deep(n - 1) : 0;

    if (sink & 1)
        sink += below;
    if (sink & 2)
        sink ^= n;
    return sink;
}

static void rounds(void)
{
    for (;;)
        deep(5000);
}

/* Each level calls the next one twice: 2^60 calls, no loop. */
#define LEVEL(n, next)                                                         \
    __attribute__((noinline)) static void level##n(void)                      \
    {                                                                          \
        next();                                                                \
        next();                                                                \
    }
__attribute__((noinline)) static void leaf(void)
{
    sink++;
}
#define TEN(a, from)                                                           \
    LEVEL(a##0, from)                                                          \
    LEVEL(a##1, level##a##0)                                                   \
    LEVEL(a##2, level##a##1)                                                   \
    LEVEL(a##3, level##a##2)                                                   \
    LEVEL(a##4, level##a##3)                                                   \
    LEVEL(a##5, level##a##4)                                                   \
    LEVEL(a##6, level##a##5)                                                   \
    LEVEL(a##7, level##a##6)                                                   \
    LEVEL(a##8, level##a##7)                                                   \
    LEVEL(a##9, level##a##8)
TEN(1, leaf)
TEN(2, level19)
TEN(3, level29)
TEN(4, level39)
TEN(5, level49)
TEN(6, level59)

static void jumping(void)
{
    static jmp_buf again;

    setjmp(again);
    sink++;
    longjmp(again, 1);
}

static void (*volatile pointer)(void);
static void by_pointer(void)
{
    sink++;
    pointer();
}
static void through_pointer(void)
{
    pointer = leaf;
    for (;;)
        by_pointer();
}

static int compare(const void *a, const void *b)
{
    sink++;
    return *(const int *)a - *(const int *)b;
}

static void sorting(void)
{
    static int numbers[1000];

    for (;;) {
        for (int i = 0; i < 1000; i++)
            numbers[i] = (int)(sink = sink * 1103515245u + 12345u) >> 8;
        qsort(numbers, 1000, sizeof *numbers, compare);
    }
}

/* Straight on, 3 instructions a step. */
#define STEP sink++;
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS_64                                                               \
    STEPS_8 STEPS_8 STEPS_8 STEPS_8 STEPS_8 STEPS_8 STEPS_8 STEPS_8
#define STEPS_512                                                              \
    STEPS_64 STEPS_64 STEPS_64 STEPS_64 STEPS_64 STEPS_64 STEPS_64 STEPS_64
#define STEPS_4096                                                             \
    STEPS_512 STEPS_512 STEPS_512 STEPS_512 STEPS_512 STEPS_512 STEPS_512      \
        STEPS_512
static void straight(void)
{
    for (;;) {
        STEPS_4096 STEPS_4096 STEPS_4096 STEPS_4096
    }
}

static void writing(void)
{
    for (;;)
        fprintf(stderr, "%u\n", sink++);
}

int main(void)
{
    static void (*const ways[])(void) = {
        empty,   changing, irreducible, computed, missed,
        rounds,  level69,  jumping,     straight, through_pointer,
        sorting, writing,
    };
    unsigned way;

    if (scanf("%u", &way) != 1)
        return 1;
    if (way < sizeof ways / sizeof *ways)
        ways[way]();
    else
        even(0);
    return 0;
}
