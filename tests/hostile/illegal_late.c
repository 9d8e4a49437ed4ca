/* expect: illegal; detail that column is full; game connect4; turn 7; status illegal; against itself
 * Column 3 is full when both have dropped three discs into it. */
#include <stdio.h>

int main(void)
{
    char line[64];

    for (;;) {
        for (int i = 0; i < 7; i++)
            fgets(line, sizeof line, stdin);
        puts("3");
    }
}
