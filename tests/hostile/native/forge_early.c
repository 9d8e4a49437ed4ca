/* expect: asked, or forbidden turn protocol. As forge, in turn 0: the seed
 * holds the offset, the value, and then 0 to ask or 2 to exit with the code
 * that the fourth word is. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    union {
        uint8_t key[32];
        long word[4];
    } seed;

    __bout_seed(seed.key);
    *(volatile uint32_t *)(PAGE_IO_ADDRESS + (uint64_t)seed.word[0]) =
        (uint32_t)seed.word[1];
    if (seed.word[2] == 2)
        __bout_exit((int)seed.word[3]);
    await_turn();
}
