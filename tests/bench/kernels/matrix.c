/* Products of matrices of doubles. */
#include <stdio.h>

#define N 300
static double a[N][N], b[N][N], c[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            a[i][k] = i + k, b[i][k] = i - k;
    for (int round = 0; round < 36; round++)
        for (int i = 0; i < N; i++)
            for (int k = 0; k < N; k++)
                for (int j = 0; j < N; j++)
                    c[i][j] += a[i][k] * b[k][j];
    printf("%g\n", c[7][9]);
}
