/* Unions as other views of the same bytes. */
#include <stdint.h>
#include <stdio.h>

union view {
    double d;
    uint64_t u;
    uint8_t byte[8];
    struct { uint32_t low, high; } half;
};

int main(void)
{
    const double d[] = {1, -2.5, 1e-300, 0.1};

    for (int i = 0; i < 4; i++) {
        union view v = {d[i]};
        printf("%016llx %02x %08x %08x\n", (unsigned long long)v.u, v.byte[7],
               v.half.high, v.half.low);
        v.half.high ^= 0x80000000;
        v.byte[0] ^= 1;
        printf("%.17g\n", v.d);
    }
    return 0;
}
