/* expect: output. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    for (;;)
        print("spam spam spam spam spam spam spam spam\n");
}
