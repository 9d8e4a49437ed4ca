/* A dense and a sparse switch, ranges, fall through. */
#include <stdio.h>

static int dense(int n)
{
    switch (n) {
    case 0: return 5;  case 1: return 17; case 2: return 3;  case 3: return 8;
    case 4: return 99; case 5: return 1;  case 6: return 12; case 7: return 7;
    case 8: n += 2; /* fall through */
    case 9: return n * 2;
    case 10 ... 20: return -n;
    default: return 0;
    }
}

static const char *sparse(unsigned long n)
{
    switch (n) {
    case 1: return "one";
    case 1000: return "thousand";
    case 1000000: return "million";
    case 1000000000000: return "billion";
    case 0xffffffffffffffff: return "all";
    default: return "none";
    }
}

int main(void)
{
    for (int i = -1; i < 23; i++)
        printf("%d ", dense(i));
    for (unsigned long n = 1; n < 10000000000000; n *= 10)
        printf("%s ", sparse(n));
    printf("%s\n", sparse(-1UL));
    return 0;
}
