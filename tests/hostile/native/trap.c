/* expect: crash abort. The trap of a charged program. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    __bout_trap(PAGE_TRAP_ABORT);
}
