/* Reads its view by stdio, answers by stdio. */
#include <stdio.h>

int main(void)
{
    int step, slot;
    long score[2];
    char rest[64];

    while (scanf("%d %d %ld %ld %63s", &step, &slot, &score[0], &score[1],
                 rest) == 5)
        printf("%d\n", (step + slot) % 10);
}
