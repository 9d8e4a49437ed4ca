/* expect: memory; detail over memory_bytes of 67108864; turn 0; status stopped
 * Its data alone is more than a bot may have. */
#include <stdio.h>

static char data[100 << 20];

int main(void)
{
    volatile int at = getchar();

    data[at] = 1;
    puts("U");
    return data[at + 1];
}
