/* expect: crash trap
 * A function that promised not to return does. */
#include <stdio.h>

__attribute__((noreturn, noinline)) static void leave(int really)
{
    if (really)
        __builtin_trap();
}

int main(void)
{
    int got = getchar();

    leave(got == 'x');
    puts("came back");
}
