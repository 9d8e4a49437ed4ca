/* expect: crash; detail trap; turn 1; status stopped */
#include <stdio.h>

int main(void)
{
    getchar();
    __builtin_trap();
}
