/* expect: budget. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    for (;;)
        charge(10);
}
