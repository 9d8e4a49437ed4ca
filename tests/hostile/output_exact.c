/* expect: illegal; turn 1; status illegal
 * A reply of exactly reply_bytes is within the limit. */
#include <stdio.h>

int main(void)
{
    getchar();
    for (int i = 0; i < 65536; i++)
        putchar('U');
    while (getchar() != EOF)
        ;
    return 0;
}
