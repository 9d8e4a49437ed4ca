/* expect: forbidden turn protocol. Leaves behind the runtime's back. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    call_6(__NR_exit_group, 0, 0, 0, 0, 0);
}
