/* expect: forbidden time. The page that the kernel maps for everybody. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    ((long (*)(long *))0xffffffffff600400)(NULL);
}
