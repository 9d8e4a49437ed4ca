/* expect: stack; detail over stack_bytes of 8388608; turn 1; status stopped
 * Recursion without an end. */
#include <stdio.h>

static volatile int sink;

__attribute__((noinline)) static int deeper(int depth)
{
    volatile char frame[256];

    frame[depth & 255] = (char)depth;
    sink = deeper(depth + 1) + frame[0];
    return sink;
}

int main(void)
{
    getchar();
    return deeper(0);
}
