/* expect: illegal; turn 1; status illegal;
 * detail a move is one of U, R, D, L and nothing else
 * Prints a word where a letter is asked for. */
#include <stdio.h>

int main(void)
{
    getchar();
    puts("up");
    while (getchar() != EOF)
        ;
    return 0;
}
