/* expect: turn 0 memory. The same during start-up. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    __bout_heap(1ull << 40);
}
