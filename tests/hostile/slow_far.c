/* expect: budget; detail over turn_hard of 30000000; turn 1; status stopped
 * One word a page in an order that nothing foresees: no translation is found
 * and no line is in a cache. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define STEP (4096u + 64u)
#define COUNT 8192u /* a full circle */

int main(void)
{
    char *memory = malloc(COUNT * STEP);
    uint32_t at = 0;

    for (uint32_t i = 0; i < COUNT; i++)
        *(uint32_t *)(memory + i * STEP) = (i * 1229u + 6925u) % COUNT;
    getchar();
    for (;;) {
        at = *(volatile uint32_t *)(memory + at * STEP);
        *(volatile uint32_t *)(memory + at * STEP + 4) += 1;
    }
}
