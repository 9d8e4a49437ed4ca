/* expect: output; detail over reply_bytes of 65536; turn 0; status stopped
 * Never reads. */
#include <stdio.h>

int main(void)
{
    for (;;)
        puts("U");
}
