/* expect: crash trap. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    __asm__ volatile("int3");
}
