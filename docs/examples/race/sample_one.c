/* sample_one: always one. */
#include <stdio.h>

int main(void)
{
    int count;

    while (scanf("%d", &count) == 1)
        puts("1");
    return 0;
}
