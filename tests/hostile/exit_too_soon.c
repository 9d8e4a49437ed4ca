/* expect: exit; detail exit code 5; game connect4; turn 3; status ok; score 0
 * Ends after its second disc. */
#include <stdio.h>

int main(void)
{
    char line[64];

    for (int moves = 0; moves < 2; moves++) {
        for (int i = 0; i < 7; i++)
            fgets(line, sizeof line, stdin);
        puts("0");
    }
    return 5;
}
