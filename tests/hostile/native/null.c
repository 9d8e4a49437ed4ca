/* expect: crash null pointer. Writes through NULL with an offset. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    *(volatile int *)(uintptr_t)(IO->reserved[0] + 24) = 1;
}
