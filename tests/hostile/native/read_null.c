/* expect: crash null pointer. The runtime faults on the bot's behalf. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    __bout_read(NULL, 3);
}
