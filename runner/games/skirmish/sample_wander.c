/* sample_wander: trains anything and walks anywhere. A start, not a contender.
 */
#include <stdio.h>
#include <stdlib.h>

static void read_units(int mine)
{
    int count, id, x, y, hp;
    char kind;

    scanf("%d", &count);
    for (int i = 0; i < count; i++) {
        scanf("%d %c %d %d %d", &id, &kind, &x, &y, &hp);
        if (mine)
            printf("MOVE %d %c\n", id, "URDL"[rand() % 4]);
    }
}

int main(void)
{
    int turn, width, height, gold, mines;
    char row[64];

    while (scanf("%d %*d %*d %*d %*d %d %d", &turn, &width, &height) == 3) {
        for (int i = 0; i < height; i++)
            scanf("%63s", row);
        scanf("%*d %*d %*d %*d %*d %*d %d %d", &gold, &mines);
        for (int i = 0; i < mines; i++)
            scanf("%*d %*d %*d");
        printf("TRAIN %c\n", "WSA"[rand() % 3]);
        read_units(1);
        read_units(0);
    }
    return 0;
}
