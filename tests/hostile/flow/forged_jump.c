/* expect: crash bad jmp_buf | ok
 * inputs: 0 1, 0 -1, 0 123456789, 0 16, 1 1, 5 4194304, 16 -1, 31 7
 * A word of a live jmp_buf is overwritten: the ticket is refused, the others
 * mean nothing. */
#include <setjmp.h>
#include <stdio.h>

int main(void)
{
    static jmp_buf place;
    long word = 0, value = 0;

    if (setjmp(place)) {
        puts("back");
        return 0;
    }
    scanf("%ld %ld", &word, &value);
    ((volatile long *)&place)[word] = value;
    longjmp(place, 1);
}
