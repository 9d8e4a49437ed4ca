/* expect: net. A loop that nobody charges: the last wall. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    for (;;)
        __asm__ volatile("");
}
