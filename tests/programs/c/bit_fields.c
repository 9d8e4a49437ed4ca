/* Signed, unsigned and mixed bit-fields. */
#include <stdio.h>

struct fields {
    unsigned a : 3;
    int b : 5;
    unsigned long c : 40;
    unsigned d : 1;
    int : 0;
    signed char e : 2;
};

int main(void)
{
    struct fields f = {0};

    for (int i = 0; i < 40; i++) {
        f.a += 3;
        f.b = f.b * 3 + i;
        f.c = f.c * 1103515245 + 12345;
        f.d = !f.d;
        f.e = (signed char)i;
        printf("%u %d %lu %u %d\n", f.a, f.b, (unsigned long)f.c, f.d, f.e);
    }
    printf("%zu\n", sizeof f);
    return 0;
}
