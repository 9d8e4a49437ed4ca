/* Deep, double and mutual recursion. */
#include <stdio.h>

static long depth(long n) { return n ? 1 + depth(n - 1) : 0; }
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
static int is_odd(unsigned n) { return n != 0 && is_even(n - 1); }
static unsigned ackermann(unsigned m, unsigned n)
{
    if (!m)
        return n + 1;
    return ackermann(m - 1, n ? ackermann(m, n - 1) : 1);
}
static void hanoi(int n, int from, int to, long *moves)
{
    if (!n)
        return;
    hanoi(n - 1, from, 6 - from - to, moves);
    ++*moves;
    hanoi(n - 1, 6 - from - to, to, moves);
}

int main(void)
{
    volatile long start = 30000;
    long moves = 0;

    hanoi(12, 1, 3, &moves);
    printf("%ld %d %u %ld\n", depth(start), is_even(10001), ackermann(2, 50),
           moves);
    return 0;
}
