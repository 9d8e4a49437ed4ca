/* Five bodies, by steps. */
#include <math.h>
#include <stdio.h>

static double at[5][3] = {{0, 0, 0}, {4, 1, 0}, {8, 4, 1}, {12, 15, 2}, {15, 25, 1}};
static double speed[5][3] = {{0, 0, 0}, {.6, 2, 0}, {1, 1, 0}, {1, .8, 0}, {.9, .5, 0}};
static const double mass[5] = {39, .03, .01, .001, .002};

int main(void)
{
    for (int step = 0; step < 3000000; step++) {
        for (int i = 0; i < 5; i++)
            for (int k = i + 1; k < 5; k++) {
                double d[3], square = 0;

                for (int x = 0; x < 3; x++) {
                    d[x] = at[i][x] - at[k][x];
                    square += d[x] * d[x];
                }
                double pull = .01 / (square * sqrt(square));
                for (int x = 0; x < 3; x++) {
                    speed[i][x] -= d[x] * mass[k] * pull;
                    speed[k][x] += d[x] * mass[i] * pull;
                }
            }
        for (int i = 0; i < 5; i++)
            for (int x = 0; x < 3; x++)
                at[i][x] += .01 * speed[i][x];
    }
    printf("%g\n", at[1][0]);
}
