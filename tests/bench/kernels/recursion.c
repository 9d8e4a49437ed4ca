/* Fibonacci, and Ackermann's function. */
#include <stdio.h>

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int ackermann(int m, int n)
{
    if (!m)
        return n + 1;
    return ackermann(m - 1, n ? ackermann(m, n - 1) : 1);
}

int main(void)
{
    printf("%d %d\n", fibonacci(40), ackermann(2, 2000));
}
