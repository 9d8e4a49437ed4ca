/* expect: exit 7. Ends by itself after a reply. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    print("bye\n");
    __bout_exit(7);
}
