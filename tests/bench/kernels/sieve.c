/* Primes below 4,000,000, some times. */
#include <stdio.h>
#include <string.h>

static char composite[4000000];

int main(void)
{
    int count = 0;

    for (int round = 0; round < 40; round++) {
        memset(composite, 0, sizeof composite);
        for (int i = 2; i * i < 4000000; i++)
            for (int k = i * i; !composite[i] && k < 4000000; k += i)
                composite[k] = 1;
        for (int i = 2; i < 4000000; i++)
            count += !composite[i];
    }
    printf("%d\n", count);
}
