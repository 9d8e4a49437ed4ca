/* expect: asked. What does not fit into the log is dropped and counted. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    for (int i = 0; i < 1000; i++)
        __bout_write(2, "0123456789", 10);
    await_turn();
}
