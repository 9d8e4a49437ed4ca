/* Labels as values: a small interpreter. */
#include <stdio.h>

static long run(const unsigned char *code)
{
    static void *const op[] = {&&push, &&add, &&mul, &&dup, &&loop, &&end};
    long stack[16], counter = 5;
    int top = 0;
    const unsigned char *at = code;

    goto *op[*at++];
push:
    stack[top++] = *at++;
    goto *op[*at++];
add:
    top--;
    stack[top - 1] += stack[top];
    goto *op[*at++];
mul:
    top--;
    stack[top - 1] *= stack[top];
    goto *op[*at++];
dup:
    stack[top] = stack[top - 1];
    top++;
    goto *op[*at++];
loop:
    at = --counter ? code + 2 : at;
    goto *op[*at++];
end:
    return stack[top - 1];
}

int main(void)
{
    const unsigned char code[] = {0, 2, 3, 2, 0, 1, 1, 4, 5};

    printf("%ld\n", run(code));
    return 0;
}
