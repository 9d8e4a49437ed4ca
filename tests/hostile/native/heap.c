/* expect: memory. Asks for memory until there is none. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    for (;;)
        *(char *)__bout_heap(1 << 20) = 1;
}
