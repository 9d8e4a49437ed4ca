/* expect: memory. One request whose size wraps when rounded. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    __bout_heap(SIZE_MAX - 10);
}
