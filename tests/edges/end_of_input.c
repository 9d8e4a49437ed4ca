/* never: reads until the end of input, which does not come between turns. */
#include <stdio.h>

int main(void)
{
    for (;;) {
        while (getchar() != EOF)
            ;
        puts("U");
    }
}
