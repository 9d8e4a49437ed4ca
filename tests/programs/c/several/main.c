/* Several files: a shared header, a static of the same name in each. */
#include "shared.h"

#include <stdio.h>

static int state = 100;

int main(void)
{
    int n;

    while (scanf("%d", &n) == 1)
        printf("%d %d\n", step(n), state += n);
    printf("%s\n", shared_name);
    return 0;
}
