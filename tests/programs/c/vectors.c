/* Loops that the optimiser turns into vectors, and vectors by hand. */
#include <stdint.h>
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
static int a[1003], b[1003];
static float f[777];
static uint8_t bytes[4001];

int main(void)
{
    long sum = 0;
    float total = 0;
    unsigned most = 0;

    for (int i = 0; i < 1003; i++) {
        a[i] = i * 7 - 300;
        b[i] = a[i] > 100 ? a[i] >> 2 : -a[i];
    }
    for (int i = 0; i < 1003; i++)
        sum += a[i] * b[i] ^ i;
    for (int i = 0; i < 777; i++)
        f[i] = (float)i * 0.5f;
    for (int i = 0; i < 777; i++)
        total += f[i] * f[i];
    for (int i = 0; i < 4001; i++)
        bytes[i] = (uint8_t)(i * i);
    for (int i = 0; i < 4001; i++)
        most = bytes[i] > most ? bytes[i] : most;
    v4 x = {1, 2, 3, 4}, y = x * x + (v4){10, 20, 30, 40};
    y = (y & (x > 2)) - (y & (x <= 2));
    printf("%ld %g %u %d %d %d %d\n", sum, total, most, y[0], y[1], y[2], y[3]);
    return 0;
}
