/* expect: exit; detail exit code 0; turn 1; status ok
 * A move followed by an end is played; the game goes on without the bot. */
#include <stdio.h>

int main(void)
{
    getchar();
    puts("R");
    return 0;
}
