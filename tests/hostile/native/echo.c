/* expect: asked. Answers each view with itself; its start-up prints "hello". */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    print("hello");
    for (;;) {
        char *view = await_turn();

        charge(100);
        print(view);
        __bout_write(2, "log", 3);
        if (!*view)
            __bout_exit(0);
    }
}
