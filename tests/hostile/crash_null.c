/* expect: crash; detail null pointer; turn 1; status stopped; uncounted
 * Its move is printed, but the turn ends in a fault. */
#include <stdio.h>

int main(void)
{
    int *volatile nothing = NULL;

    getchar();
    puts("U");
    /* cppcheck-suppress nullPointer */
    return *nothing;
}
