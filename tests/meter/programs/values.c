/* Structures by value, variable arguments, 128 bits, long jumps, VLAs. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct pair { double a, b; };
struct big { long v[9]; char name[8]; };

static struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }
static struct big grow(struct big b)
{
    for (int i = 0; i < 9; i++)
        b.v[i] += i;
    return b;
}

static double total(int count, ...)
{
    double sum = 0;
    va_list list;

    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum += i % 2 ? va_arg(list, double) : va_arg(list, int);
    va_end(list);
    return sum;
}

static jmp_buf back;
static int deep(int n)
{
    if (n == 0)
        longjmp(back, 7);
    return deep(n - 1) + 1;
}

static long vla(int n)
{
    long sum = 0;
    int square[n][n];

    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            square[i][k] = i * k;
    for (int i = 0; i < n; i++)
        sum += square[i][n - 1 - i];
    return sum;
}

int main(void)
{
    struct big b = {.name = "b"};
    unsigned __int128 wide = 1;

    for (int i = 1; i <= 30; i++)
        wide *= (unsigned)i;
    b = grow(grow(b));
    struct pair p = swap((struct pair){1.5, 2.5});
    printf("%g %g %ld %s %g\n", p.a, p.b, b.v[8], b.name,
           total(5, 1, 2.5, 3, 4.5, 5));
    printf("%" PRIu64 " %" PRIu64 "\n", (uint64_t)(wide / 1000000007u >> 32),
           (uint64_t)(wide % 1000000007u));
    printf("%d %ld\n", setjmp(back) ? 7 : deep(5), vla(17));
    printf("%.10f %.10f %.3e %d\n", sin(1.0), pow(2.0, 0.5), exp(20.0),
           (int)floor(-2.5));
    return 0;
}
