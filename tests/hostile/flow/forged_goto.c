/* expect: crash trap
 * inputs: 0, 3, 4, 16, 4194304, 1073741824, -1
 * A computed goto to a number that is no label's. */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    static void *const labels[] = {&&one, &&two};
    long value = 1;
    void *volatile target = labels[0];

    if (scanf("%ld", &value) != 1)
        target = labels[value];
    else
        target = (void *)(uintptr_t)value;
    goto *target;
one:
    puts("one");
    return 0;
two:
    puts("two");
    return 0;
}
