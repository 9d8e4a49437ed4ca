/* expect: ok; status empty; turn 1
 * Reads everything and never prints: the pass move, turn after turn. */
#include <stdio.h>

int main(void)
{
    while (getchar() != EOF)
        ;
    return 0;
}
