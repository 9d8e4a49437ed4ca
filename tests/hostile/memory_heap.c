/* expect: memory; detail over memory_bytes of 67108864; turn 1; status stopped
 * Takes heap until there is none; malloc never returns NULL for lack of it. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    getchar();
    for (;;) {
        char *volatile piece = malloc(1 << 20);
        if (!piece)
            puts("U");
    }
}
