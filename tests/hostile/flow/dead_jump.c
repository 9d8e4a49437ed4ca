/* expect: crash bad jmp_buf
 * A copy made while the frame lived, used after another frame took its place.
 */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf copy;

__attribute__((noinline)) static int visit(int keep)
{
    jmp_buf place;

    if (setjmp(place)) {
        puts("entered again");
        return 1;
    }
    if (keep)
        memcpy(copy, place, sizeof copy);
    else
        longjmp(copy, 1);
    return 0;
}

int main(void)
{
    visit(1);
    return visit(0);
}
