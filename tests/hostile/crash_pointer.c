/* expect: crash; detail bad function pointer; turn 1; status stopped
 * Calls through a number that is no function's. */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    volatile uintptr_t number = 12345;
    int (*volatile call)(int) = (int (*)(int))number;

    getchar();
    return call(1);
}
