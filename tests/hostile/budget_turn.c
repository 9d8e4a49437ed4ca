/* expect: budget; detail over turn_hard of 30000000; turn 1; status stopped
 * Thinks for ever about its first move. */
#include <stdio.h>

int main(void)
{
    volatile int going = 1;

    getchar();
    while (going)
        ;
    return 0;
}
