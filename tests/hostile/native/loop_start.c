/* expect: turn 0 budget. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    for (;;)
        charge(10);
}
