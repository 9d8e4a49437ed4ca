/* sample_random: any column that has room. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int turn, you, columns, rows;
    char row[16][17];

    while (scanf("%d %d %d %d", &turn, &you, &columns, &rows) == 4) {
        for (int i = 0; i < rows; i++)
            scanf("%16s", row[i]);
        int column = rand() % columns;
        while (row[0][column] != '.')
            column = (column + 1) % columns;
        printf("%d\n", column);
    }
    return 0;
}
