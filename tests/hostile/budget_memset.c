/* expect: budget; detail over turn_hard of 30000000; turn 1; status stopped
 * One call that clears a gigabyte that is not there: stopped before it runs,
 * so it is no bad address. */
#include <stdio.h>
#include <string.h>

static char small[16];

int main(void)
{
    volatile size_t size = (size_t)1 << 30;
    char *volatile where = small;

    getchar();
    memset(where, 1, size);
    puts("U");
    return 0;
}
