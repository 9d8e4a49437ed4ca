/* expect: crash bad address. Only a kernel may halt. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    __asm__ volatile("hlt");
}
