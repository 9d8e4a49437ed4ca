/* setjmp: out of recursion, several times, and from a signal-free retry. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf out;

static void dive(int depth)
{
    char ballast[64];

    ballast[depth % 64] = (char)depth;
    if (depth == 50)
        longjmp(out, ballast[50]);
    dive(depth + 1);
}

int main(void)
{
    volatile int tries = 0;
    int code = setjmp(out);

    printf("code %d tries %d\n", code, tries);
    if (tries++ < 3)
        dive(0);
    jmp_buf inner;
    if (setjmp(inner) == 0)
        longjmp(inner, 0);
    else
        printf("zero becomes one\n");
    return 0;
}
