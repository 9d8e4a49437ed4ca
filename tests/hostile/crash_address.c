/* expect: crash; detail bad address; turn 1; status stopped; uncounted */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    int *volatile wild = (int *)(uintptr_t)0x123456789000;

    getchar();
    *wild = 7;
    return 0;
}
