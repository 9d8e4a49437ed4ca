/* late: "\n" at the end of a format waits for what comes after the white
 * space, which is the next turn. */
#include <stdio.h>

int main(void)
{
    static char row[64];
    int turn, you, width, height, players, x, y, alive;
    char facing;

    while (scanf("%d %d %d %d %d", &turn, &you, &width, &height, &players) ==
           5) {
        for (int i = 0; i < players; i++)
            scanf("%d %d %c %d", &x, &y, &facing, &alive);
        for (int i = 0; i < height; i++)
            scanf("%63s\n", row);
        puts("U");
    }
}
