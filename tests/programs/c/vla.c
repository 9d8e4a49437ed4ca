/* Variable-length arrays of one and two dimensions, as parameters too. */
#include <stdio.h>

static long trace(int n, long a[n][n])
{
    long total = 0;

    for (int i = 0; i < n; i++)
        total += a[i][i];
    return total;
}

int main(void)
{
    for (int n = 1; n < 40; n += 7) {
        long a[n][n];
        char line[n + 1];

        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                a[i][j] = (long)i * n + j;
            line[i] = (char)('a' + i % 26);
        }
        line[n] = 0;
        printf("%zu %ld %s\n", sizeof a, trace(n, a), line);
    }
    return 0;
}
