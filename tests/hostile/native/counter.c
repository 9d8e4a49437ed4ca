/* expect: forbidden turn protocol. Gives itself instructions (the toolchain
 * refuses what can reach a segment base). */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    __asm__ volatile("movq $-1, %rax\n\tshrq $1, %rax\n\tmovq %rax, %fs:0");
    await_turn();
}
