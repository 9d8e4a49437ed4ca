/* Finds repeats by a hash of three bytes and writes what is needed to undo. */
#include <stdio.h>
#include <string.h>

#define SIZE (1 << 18)
static unsigned char in[SIZE], out[2 * SIZE], back[SIZE];
static int last[1 << 12];

static int pack(void)
{
    int at = 0, to = 0;

    memset(last, -1, sizeof last);
    while (at < SIZE) {
        int length = 0, from = -1;

        if (at + 3 < SIZE) {
            unsigned hash =
                (in[at] * 31u + in[at + 1] * 17u + in[at + 2]) & 4095;

            from = last[hash];
            last[hash] = at;
            if (from >= 0 && at - from < 65536)
                while (length < 255 && at + length < SIZE &&
                       in[from + length] == in[at + length])
                    length++;
        }
        if (length < 4) {
            out[to++] = 0;
            out[to++] = in[at++];
            continue;
        }
        out[to++] = (unsigned char)length;
        out[to++] = (unsigned char)(at - from);
        out[to++] = (unsigned char)((at - from) >> 8);
        at += length;
    }
    return to;
}

static int unpack(int size)
{
    int to = 0;

    for (int i = 0; i < size;) {
        int length = out[i++];

        if (!length) {
            back[to++] = out[i++];
            continue;
        }
        int distance = out[i] | out[i + 1] << 8;

        for (i += 2; length--; to++)
            back[to] = back[to - distance];
    }
    return to;
}

int main(void)
{
    unsigned seed = 11;
    long sum = 0;

    for (int round = 0; round < 120; round++) {
        for (int i = 0; i < SIZE; i++) {
            seed = seed * 1103515245 + 12345;
            in[i] = (unsigned char)(seed >> 30 ? i * 7 / 64 : seed >> 24 & 7);
        }
        int size = pack();

        sum += size + (unpack(size) == SIZE && !memcmp(in, back, SIZE));
    }
    printf("%ld\n", sum);
}
