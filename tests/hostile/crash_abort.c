/* expect: crash; detail abort; turn 1; status stopped
 * assert is on, and ends in abort. */
#include <assert.h>
#include <stdio.h>

int main(void)
{
    volatile int right = 0;

    getchar();
    assert(right);
    return 0;
}
