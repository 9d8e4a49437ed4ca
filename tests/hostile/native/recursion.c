/* expect: stack. Uses up the native stack, which charged code cannot: its
 * linear stack is smaller. */
#include "tests/hostile/native/native.h"

static int deeper(volatile int *above)
{
    volatile int here[1000];

    here[0] = *above + 1;
    return here[0] ? deeper(here) + here[0] : 0;
}

void __bout_main(void)
{
    volatile int first = 0;

    await_turn();
    deeper(&first);
}
