/* expect: crash null pointer. Pushes with a stack pointer of 16. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    __asm__ volatile(
        "movl $16, %esp\n\tpushq %rax\n\tpushq %rax\n\tpushq %rax");
}
