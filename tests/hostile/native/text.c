/* expect: crash bad address. Writes on its own code. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    *(volatile char *)(uintptr_t)__bout_main = 1;
}
