/* expect: budget; detail over turn_hard of 30000000; turn 1; status stopped
 * A function that calls itself twice, 40 deep: 2^40 calls. */
#include <stdio.h>

static volatile int sink;

__attribute__((noinline)) static void twice(int depth)
{
    if (depth == 0) {
        sink++;
        return;
    }
    twice(depth - 1);
    twice(depth - 1);
}

int main(void)
{
    getchar();
    twice(40);
    puts("U");
    return 0;
}
