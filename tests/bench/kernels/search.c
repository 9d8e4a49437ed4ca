/* Branchy search: the queens' problem, by columns and diagonals. */
#include <stdio.h>

static int column[16], left[32], right[32], board[16];
static long found;

static void place(int n, int row)
{
    if (row == n) {
        found++;
        return;
    }
    for (int i = 0; i < n; i++) {
        if (column[i] || left[row + i] || right[row - i + n])
            continue;
        column[i] = left[row + i] = right[row - i + n] = 1;
        board[row] = i;
        place(n, row + 1);
        column[i] = left[row + i] = right[row - i + n] = 0;
    }
}

int main(void)
{
    place(13, 0);
    printf("%ld\n", found);
}
