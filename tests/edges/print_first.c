/* early: prints a move before it has read anything. */
#include <stdio.h>

int main(void)
{
    static char line[64];
    int turn, you, width, height, players;

    puts("U");
    while (scanf("%d %d %d %d %d", &turn, &you, &width, &height, &players) ==
           5) {
        for (int i = 0; i <= players + height; i++)
            fgets(line, sizeof line, stdin);
        puts("U");
    }
}
