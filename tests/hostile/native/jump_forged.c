/* expect: crash bad jmp_buf. A jmp_buf that nobody filled. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    uint64_t mark = __bout_jump_mark();
    uint64_t env[8], copy[8];

    await_turn();
    __bout_setjmp(env);
    copy[0] = env[0] + (1 << 16);
    (void)mark;
    __bout_longjmp(copy, 1);
}
