/* expect: starved. Waits by itself for a turn that never comes: uses no time,
 * so nobody can be blamed. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    for (;;)
        call_6(__NR_futex, PAGE_IO_ADDRESS, 0, 1, 0, 0);
}
