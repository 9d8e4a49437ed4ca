/* expect: exit; detail exit code 0; turn 0; status stopped
 * Ends at once: what it printed was no answer to anything. */
#include <stdio.h>

int main(void)
{
    puts("R");
    return 0;
}
