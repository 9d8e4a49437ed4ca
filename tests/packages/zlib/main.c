/* zlib: every level and strategy, raw, zlib and gzip frames, whole and in
 * small pieces; prints sizes and checksums of what was packed. */
#include "zlib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 120000

static unsigned char text[SIZE];
static unsigned char packed[SIZE + SIZE / 8 + 1000];
static unsigned char back[SIZE + 1];

static void make_text(void)
{
    static const char *const words[] = {"bot ", "turn ", "move\n", "north ",
                                        "gold, ", "17 ", "tower ", "; "};
    unsigned seed = 12345;
    size_t at = 0;

    while (at < SIZE) {
        seed = seed * 1103515245u + 12345u;
        const char *word = words[seed >> 16 & 7];
        for (; *word && at < SIZE; word++)
            text[at++] = (unsigned char)*word;
        if (seed >> 27 == 3)
            for (int i = 0; i < 40 && at < SIZE; i++)
                text[at++] = (unsigned char)(seed = seed * 69069u + 1u) & 127;
    }
}

static size_t pack(int level, int bits, int strategy, size_t piece)
{
    z_stream z = {0};

    if (deflateInit2(&z, level, Z_DEFLATED, bits, 8, strategy) != Z_OK)
        abort();
    z.next_out = packed;
    z.avail_out = sizeof(packed);
    for (size_t at = 0; at < SIZE; at += piece) {
        z.next_in = text + at;
        z.avail_in = (uInt)(SIZE - at < piece ? SIZE - at : piece);
        int flush = at + piece >= SIZE ? Z_FINISH : Z_NO_FLUSH;
        int said = deflate(&z, flush);
        if (said != (flush == Z_FINISH ? Z_STREAM_END : Z_OK))
            abort();
    }
    size_t size = z.total_out;
    deflateEnd(&z);
    return size;
}

static void unpack(int bits, size_t size, size_t piece)
{
    z_stream z = {0};
    int said = Z_OK;

    memset(back, 0, sizeof(back));
    if (inflateInit2(&z, bits) != Z_OK)
        abort();
    z.next_out = back;
    z.avail_out = sizeof(back);
    for (size_t at = 0; at < size && said == Z_OK; at += piece) {
        z.next_in = packed + at;
        z.avail_in = (uInt)(size - at < piece ? size - at : piece);
        said = inflate(&z, Z_NO_FLUSH);
    }
    if (said != Z_STREAM_END || z.total_out != SIZE ||
        memcmp(back, text, SIZE) != 0)
        abort();
    inflateEnd(&z);
}

int main(void)
{
    static const int bits[] = {-15, 15, 31, 9};

    printf("zlib %s\n", zlibVersion());
    make_text();
    for (int level = 0; level <= 9; level++)
        for (int strategy = 0; strategy <= 4; strategy += 1 + (level < 6)) {
            int b = bits[(level + strategy) % 4];
            size_t size = pack(level, b, strategy, 7001);
            printf("level %d strategy %d bits %d: %zu crc %08lx\n", level,
                   strategy, b, size, crc32(0, packed, (uInt)size));
            unpack(b, size, level & 1 ? 13 : 4096);
        }
    packed[100] ^= 0x55; /* damage is noticed, nothing worse */
    uLongf room = sizeof(back);
    printf("damaged: %d\n", uncompress(back, &room, packed, 3000));
    printf("adler %08lx\n", adler32(1, text, SIZE));
}
