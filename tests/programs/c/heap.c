/* malloc, calloc, realloc, aligned_alloc: contents survive, zeros are zeros. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    unsigned char *block[100] = {0};
    size_t size[100] = {0};
    unsigned x = 7;
    unsigned long sum = 0;

    for (int round = 0; round < 3000; round++) {
        x = x * 1103515245 + 12345;
        unsigned at = x / 65536 % 100;
        size_t want = x / 7 % 5000 + 1;
        size_t keep = size[at] < want ? size[at] : want;
        block[at] = realloc(block[at], want);
        for (size_t i = 0; i < keep; i++)
            if (block[at][i] != (unsigned char)at)
                return 1;
        memset(block[at], (int)at, want);
        size[at] = want;
        sum += want;
    }
    for (int i = 0; i < 100; i++)
        free(block[i]);
    long *zeros = calloc(1000, sizeof *zeros);
    for (int i = 0; i < 1000; i++)
        sum += (unsigned long)zeros[i];
    void *aligned = aligned_alloc(4096, 8192);
    printf("%lu %d\n", sum, (int)((uintptr_t)aligned % 4096));
    free(zeros);
    free(aligned);
    return 0;
}
