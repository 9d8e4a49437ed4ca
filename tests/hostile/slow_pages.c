/* expect: budget; detail over turn_hard of 30000000; turn 1; status stopped
 * Touches pages of heap that it was not handed, for nothing and each for the
 * first time, then all of them again and again: a fault, then a miss in the
 * tables, for an instruction or two. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGE 4096u
#define BYTES (48u << 20) /* of the arena of 64 MiB */

int main(void)
{
    volatile char *heap = malloc(1);

    getchar();
    for (;;)
        for (uint32_t at = 0; at < BYTES; at += PAGE)
            heap[at] = 1;
}
