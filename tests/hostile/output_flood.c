/* expect: output; detail over reply_bytes of 65536; turn 1; status stopped
 * Prints without an end and without a newline. */
#include <stdio.h>

int main(void)
{
    getchar();
    for (;;)
        putchar('U');
}
