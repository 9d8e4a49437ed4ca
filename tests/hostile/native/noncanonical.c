/* expect: crash bad address. No address at all to the processor. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    *(volatile int *)0x8000000000000000 = 1;
}
