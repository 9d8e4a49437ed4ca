/* Open addressing, inserting and looking up. */
#include <stdint.h>
#include <stdio.h>

static uint64_t key[1 << 16];
static int value[1 << 16];

static int *find(uint64_t wanted)
{
    uint64_t at = wanted * 0x9e3779b97f4a7c15u >> 48;

    while (key[at] && key[at] != wanted)
        at = (at + 1) & 0xffff;
    key[at] = wanted;
    return &value[at];
}

int main(void)
{
    uint64_t seed = 1;
    long sum = 0;

    for (int i = 0; i < 80000000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        sum += ++*find(1 + (seed >> 40) % 30000);
    }
    printf("%ld\n", sum);
}
