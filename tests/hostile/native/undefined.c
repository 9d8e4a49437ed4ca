/* expect: crash trap. An instruction that there is not. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    __builtin_trap();
}
