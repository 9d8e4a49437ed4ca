/* expect: ok; status empty; turn 1
 * A megabyte on standard error before the move: cut, never a verdict. */
#include <stdio.h>

int main(void)
{
    static char noise[65536];
    char line[64];

    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '1' && line[1] == ' ')
            for (int i = 0; i < 16; i++)
                fwrite(noise, 1, sizeof noise, stderr);
    }
    return 0;
}
