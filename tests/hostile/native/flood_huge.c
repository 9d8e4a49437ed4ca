/* expect: budget. One write of nearly all memory there could be: the price is
 * taken before the size is looked at. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    await_turn();
    __bout_write(1, (void *)PAGE_DATA_ADDRESS, SIZE_MAX);
}
