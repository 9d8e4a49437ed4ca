/* sample_greedy: takes the whole of the last pile. */
#include <stdio.h>

int main(void)
{
    int piles;

    while (scanf("%d", &piles) == 1) {
        int pile = 0;
        int count = 0;
        int matches;

        for (int i = 0; i < piles; i++) {
            if (scanf("%d", &matches) == 1 && matches) {
                pile = i;
                count = matches;
            }
        }
        printf("%d %d\n", pile, count);
    }
    return 0;
}
