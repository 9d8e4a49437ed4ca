/* expect: forbidden 32-bit system call. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    __asm__ volatile("int $0x80" : : "a"(1), "b"(0));
}
