/* expect: ok
 * A copy of a live jmp_buf leads where the original does. */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static jmp_buf place, copy;

    if (setjmp(place)) {
        puts("back");
        return 0;
    }
    memcpy(copy, place, sizeof copy);
    memset(place, 0, sizeof place);
    longjmp(copy, 1);
}
