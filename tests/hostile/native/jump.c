/* expect: crash bad jmp_buf. Jumps about as C allows ("ok"), then into a frame
 * that has returned. */
#include "tests/hostile/native/native.h"

static long outer[8], inner[8], dead[8];

static void leave(long *env)
{
    __bout_longjmp(env, 5);
}

static void returns(void)
{
    uint64_t mark = __bout_jump_mark();

    if (__bout_setjmp(dead))
        __builtin_trap();
    __bout_jump_release(mark);
}

static void many(void)
{
    uint64_t mark = __bout_jump_mark();

    for (volatile int i = 0; i < 100000; i++)
        if (__bout_setjmp(inner) == 0)
            leave(inner);
    __bout_jump_release(mark);
}

void __bout_main(void)
{
    uint64_t mark = __bout_jump_mark();
    volatile int step = 0;

    await_turn();
    if (__bout_setjmp(outer) == 5) {
        step++;
        if (step < 3)
            leave(outer);
    } else {
        many();
        leave(outer);
    }
    if (step != 3)
        __builtin_trap();
    __bout_jump_release(mark);
    print("ok");
    returns();
    __bout_longjmp(dead, 1);
}
