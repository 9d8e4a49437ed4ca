/* expect: asked. Prints how often reading gave nothing. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    for (;;) {
        char byte;

        if (__bout_read(&byte, 1) == 1)
            print("+");
        else
            __bout_exit(3);
    }
}
