/* expect: forbidden (the view says which). Makes the system call whose number
 * and first two arguments the view holds as raw longs. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    const long *view = (const long *)(const void *)await_turn();

    call_6(view[0], view[1], view[2], 0, 0, 0);
    await_turn();
}
