/* expect: budget; detail over turn_hard of 30000000; turn 1; status stopped
 * Follows pointers all over its memory: each step waits for the memory, the
 * dearest that a load can be. The net is far away all the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT (1u << 22) /* a full circle: Hull and Dobell's conditions hold */

int main(void)
{
    uint32_t *next = malloc(COUNT * sizeof *next);

    for (uint32_t i = 0; i < COUNT; i++)
        next[i] = (i * 1664525u + 1013904223u) % COUNT;
    getchar();
    for (volatile uint32_t at = 0;; at = next[at])
        ;
}
