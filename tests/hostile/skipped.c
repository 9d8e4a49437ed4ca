/* expect: ok; status skipped; turn 1
 * Its first reply comes after more than turn_soft and is dropped. It is no
 * legal move: had it counted, the verdict would be illegal. */
#include <stdio.h>

int main(void)
{
    char line[64];

    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '.' || line[0] == '#')
            continue;
        if (line[0] == '1' && line[1] == ' ')
            for (volatile int i = 0; i < 3000000; i++)
                ;
        puts("x");
        break;
    }
    while (getchar() != EOF)
        ;
    return 0;
}
