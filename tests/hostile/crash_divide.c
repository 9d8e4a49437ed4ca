/* expect: crash; detail division by zero; turn 1; status stopped */
#include <stdio.h>

int main(void)
{
    volatile int zero = 0;

    getchar();
    /* cppcheck-suppress zerodiv */
    printf("%d\n", 7 / zero);
    return 0;
}
