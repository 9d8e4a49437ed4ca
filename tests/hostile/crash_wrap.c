/* expect: crash; detail bad address; turn 1; status stopped; uncounted
 * It writes over the end of the address space, where null pointers begin. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static volatile uintptr_t address = (uintptr_t)-64;
    char line[16];

    fgets(line, sizeof line, stdin);
    memset((void *)address, 1, 128);
    puts("0");
}
