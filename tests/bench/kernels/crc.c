/* CRC-32 by a table, and Adler-32, of a changing buffer. */
#include <stdint.h>
#include <stdio.h>

static uint32_t table[256];
static unsigned char data[1 << 16];

int main(void)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;

        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
    for (unsigned round = 0; round < 1200; round++) {
        uint32_t crc = ~0u, a = 1, b = 0;

        data[round * 97 % sizeof data] += (unsigned char)round;
        for (size_t i = 0; i < sizeof data; i++)
            crc = table[(crc ^ data[i]) & 255] ^ crc >> 8;
        for (size_t i = 0; i < sizeof data; i++) {
            a = (a + data[i]) % 65521;
            b = (b + a) % 65521;
        }
        sum ^= ~crc + (b << 16 | a);
    }
    printf("%08x\n", (unsigned)sum);
}
