/* expect: illegal; game connect4; against itself; turn 7; status illegal;
 * detail that column is full
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
