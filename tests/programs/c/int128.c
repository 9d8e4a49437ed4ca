/* 128-bit arithmetic: the printed digits of 2^127-1, division, shifts. */
#include <stdio.h>

static void print(__int128 value)
{
    char text[64];
    int at = 63;
    unsigned __int128 rest = value < 0 ? -(unsigned __int128)value
                                       : (unsigned __int128)value;

    text[at] = 0;
    do {
        text[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest);
    if (value < 0)
        text[--at] = '-';
    puts(text + at);
}

int main(void)
{
    unsigned __int128 x = 1;
    __int128 top = (__int128)(((unsigned __int128)1 << 127) - 1);

    for (int i = 1; i < 34; i++) {
        x *= (unsigned)i;
        print((__int128)x);
    }
    print(top);
    print(-top - 1);
    print(top / 1000000007);
    print(-top % 998244353);
    print((-top) >> 65);
    print((__int128)-1e30);
    printf("%.17g\n", (double)(top / 3));
    struct { char c; __int128 v; } s = {'c', -5};
    print(s.v * (long)sizeof s);
    return 0;
}
