/* expect: asked, or forbidden turn protocol. The view holds an offset into the
 * I/O page, a value, and what to do then: 0 ask, 1 loop, 2 exit 0, 3 crash;
 * as raw longs. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    const long *view = (const long *)(const void *)await_turn();
    volatile uint32_t *word =
        (volatile uint32_t *)(PAGE_IO_ADDRESS + (uint64_t)view[0]);

    *word = (uint32_t)view[1];
    print("forged");
    while (view[2] == 1)
        charge(1);
    if (view[2] == 2)
        __bout_exit(0);
    if (view[2] == 3)
        __builtin_trap();
    await_turn();
}
