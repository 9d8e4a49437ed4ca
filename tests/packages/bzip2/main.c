/* bzip2: round trips at several block sizes, of text, of runs and of noise. */
#include "bzlib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 150000

static char plain[SIZE];
static char packed[SIZE * 2];
static char back[SIZE];

void bz_internal_error(int code)
{
    printf("bzip2 says %d\n", code);
    exit(3);
}

static void fill(int kind)
{
    unsigned seed = 99;

    for (size_t i = 0; i < SIZE; i++) {
        seed = seed * 1664525u + 1013904223u;
        plain[i] = (char)(kind == 0   ? seed >> 24
                          : kind == 1 ? "etaoin shrdlu\n"[(seed >> 20) % 14]
                                      : (int)(i / 1000));
    }
}

int main(void)
{
    printf("bzip2 %s\n", BZ2_bzlibVersion());
    for (int kind = 0; kind < 3; kind++)
        for (int block = 1; block <= 9; block += 4) {
            unsigned size = sizeof(packed);
            unsigned size_back = sizeof(back);
            unsigned sum = 0;

            fill(kind);
            if (BZ2_bzBuffToBuffCompress(packed, &size, plain, SIZE, block, 0,
                                         kind * 30) != BZ_OK)
                abort();
            for (unsigned i = 0; i < size; i++)
                sum = sum * 31 + (unsigned char)packed[i];
            if (BZ2_bzBuffToBuffDecompress(back, &size_back, packed, size,
                                           kind == 1, 0) != BZ_OK ||
                size_back != SIZE || memcmp(plain, back, SIZE) != 0)
                abort();
            printf("kind %d block %d: %u bytes, sum %08x\n", kind, block, size,
                   sum);
            packed[size / 2] ^= 1;
            size_back = sizeof(back);
            printf("damaged: %d\n", BZ2_bzBuffToBuffDecompress(
                                        back, &size_back, packed, size, 0, 0));
        }
}
