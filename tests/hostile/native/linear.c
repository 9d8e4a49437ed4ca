/* expect: stack. The slow path of a charged program's endless recursion. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    uint64_t pointer = PAGE_STACK_TOP;

    await_turn();
    for (;;)
        __bout_stack(pointer -= 48);
}
