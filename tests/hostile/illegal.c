/* expect: illegal; detail a move is one of U, R, D, L and nothing else; turn 1; status illegal */
#include <stdio.h>

int main(void)
{
    getchar();
    puts("up");
    while (getchar() != EOF)
        ;
    return 0;
}
