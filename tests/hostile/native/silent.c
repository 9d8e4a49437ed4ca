/* expect: turn 0 exit 0. Never reads, never prints. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
}
