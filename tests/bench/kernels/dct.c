/* Cosine transforms of 8 x 8 blocks, quantised and run-length coded. */
#include <math.h>
#include <stdio.h>

static float basis[8][8];
static unsigned char image[256][256];

static void transform(float in[8][8], float out[8][8])
{
    float rows[8][8];

    for (int i = 0; i < 8; i++)
        for (int u = 0; u < 8; u++) {
            float sum = 0;

            for (int k = 0; k < 8; k++)
                sum += in[i][k] * basis[u][k];
            rows[i][u] = sum;
        }
    for (int u = 0; u < 8; u++)
        for (int v = 0; v < 8; v++) {
            float sum = 0;

            for (int k = 0; k < 8; k++)
                sum += rows[k][u] * basis[v][k];
            out[v][u] = sum;
        }
}

int main(void)
{
    long bits = 0;

    for (int u = 0; u < 8; u++)
        for (int k = 0; k < 8; k++)
            basis[u][k] = (float)(cos((2 * k + 1) * u * 3.14159265 / 16) *
                                  (u ? .5 : .35355339));
    for (int i = 0; i < 256; i++)
        for (int k = 0; k < 256; k++)
            image[i][k] = (unsigned char)(i * k / 31 ^ (i - k) * 5);
    for (int round = 0; round < 800; round++)
        for (int y = 0; y < 256; y += 8)
            for (int x = 0; x < 256; x += 8) {
                float in[8][8], out[8][8];
                int run = 0;

                for (int i = 0; i < 64; i++)
                    in[i / 8][i % 8] =
                        (float)image[y + i / 8][(x + i % 8 + round) & 255];
                transform(in, out);
                for (int i = 0; i < 64; i++) {
                    int level = (int)(out[i / 8][i % 8] / (float)(8 + i));

                    if (!level) {
                        run++;
                        continue;
                    }
                    bits += run + (level < 0 ? -level : level) % 16;
                    run = 0;
                }
            }
    printf("%ld\n", bits);
}
