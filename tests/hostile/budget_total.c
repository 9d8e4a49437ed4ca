/* expect: budget; limit match_total=300000; limit turn_soft=200000;
 * detail over match_total of 300000
 * Every turn is within turn_soft, all of them together are not within
 * match_total. */
#include <stdio.h>

int main(void)
{
    char line[64];

    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '.' || line[0] == '#')
            continue;
        for (volatile int i = 0; i < 4000; i++)
            ;
    }
    return 0;
}
