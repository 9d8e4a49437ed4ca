/* expect: ok; game connect4; turn 7; status ok; score 2
 * Its fourth disc makes a line, and then it ends: the game was over by then. */
#include <stdio.h>

int main(void)
{
    char line[64];
    int moves = 0;

    while (moves < 4) {
        for (int i = 0; i < 7; i++)
            fgets(line, sizeof line, stdin);
        puts("0");
        moves++;
    }
    return 5;
}
