/* expect: crash bad address. Guesses where the counters are. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    *(volatile int *)0x123456789000 = 1;
}
