/* expect: crash bad address. Runs what it wrote into the heap. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    unsigned char *code = __bout_heap(4096);

    await_turn();
    code[0] = 0xc3;
    ((void (*)(void))(uintptr_t)code)();
}
