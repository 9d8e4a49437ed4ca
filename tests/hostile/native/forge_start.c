/* expect: turn 0 forbidden turn protocol. Answers turn 0 before it is over. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    IO->answer = 0;
    await_turn();
}
