/* expect: crash; detail bad jmp_buf; turn 1; status stopped
 * longjmp into a function that has returned. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;

__attribute__((noinline)) static int visit(void)
{
    return setjmp(place);
}

int main(void)
{
    if (visit())
        return 0;
    getchar();
    longjmp(place, 1);
}
