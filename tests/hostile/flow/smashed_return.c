/* expect: ok | crash bad address | crash null pointer
 * Overwrites all around a local array: no return address lies there. */
#include <stdio.h>

__attribute__((noinline)) static void smash(void)
{
    volatile unsigned long local[4];

    for (int i = 4; i < 40; i++)
        local[i] = 0x400000;
}

__attribute__((noinline)) static int outer(int x)
{
    smash();
    return x;
}

int main(void)
{
    outer(3);
    puts("back");
    return 0;
}
