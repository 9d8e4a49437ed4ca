/* A smoothing of a grid, and the game of life. */
#include <stdio.h>
#include <string.h>

#define N 256
static double grid[2][N][N];
static unsigned char life[2][N][N];

int main(void)
{
    long alive = 0;

    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            grid[0][i][k] = i * k % 17, life[0][i][k] = (i * 7 + k * 3) % 5 < 2;
    for (int t = 0; t < 1200; t++) {
        int a = t & 1, b = !a;

        for (int i = 1; i < N - 1; i++)
            for (int k = 1; k < N - 1; k++) {
                int n = 0;

                grid[b][i][k] = .25 * (grid[a][i - 1][k] + grid[a][i + 1][k] +
                                       grid[a][i][k - 1] + grid[a][i][k + 1]);
                for (int y = -1; y <= 1; y++)
                    for (int x = -1; x <= 1; x++)
                        n += life[a][i + y][k + x];
                life[b][i][k] = n == 3 || (n == 4 && life[a][i][k]);
                alive += life[b][i][k];
            }
    }
    printf("%ld %g\n", alive, grid[0][9][9]);
}
