/* expect: budget; detail over turn_hard of 30000000; turn 1; status stopped
 * Moves, returns from main, and never comes back from a handler of atexit: its
 * move is dropped with the stop. */
#include <stdio.h>
#include <stdlib.h>

static void stay(void)
{
    volatile int going = 1;

    while (going)
        ;
}

int main(void)
{
    atexit(stay);
    getchar();
    puts("U");
    return 0;
}
