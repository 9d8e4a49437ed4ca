/* expect: forbidden fork. Without a stack the handler must still work. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    __asm__ volatile("xorl %esp, %esp\n\tmovl $57, %eax\n\tsyscall");
}
