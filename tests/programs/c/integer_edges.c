/* Wrapping, shifts, rotations, byte order, builtins, overflow checks. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    uint32_t u = 0xdeadbeef;
    volatile unsigned long v = 0x00f0000000000100;
    int r;

    printf("%u %u %u\n", u << 4 | u >> 28, u * u, (uint32_t)-1 / 7);
    printf("%d %d %d\n", -7 / 2, -7 % 2, -7 >> 1);
    printf("%d %d %d %d\n", __builtin_clzl(v), __builtin_ctzl(v),
           __builtin_popcountl(v), __builtin_parityl(v));
    printf("%x %llx\n", __builtin_bswap32(u),
           (unsigned long long)__builtin_bswap64(v));
    printf("%d %d", __builtin_add_overflow(INT_MAX, 1, &r), r);
    printf(" %d %d", __builtin_mul_overflow(46341, 46341, &r), r);
    printf(" %d %d\n", __builtin_sub_overflow(5, 3, &r), r);
    div_t d = div(-17, 5);
    printf("%d %d %ld\n", d.quot, d.rem, labs(-5L));
    printf("%d %d\n", (signed char)200, (short)40000);
    printf("%llu %lld\n", ULLONG_MAX, LLONG_MIN);
    return 0;
}
