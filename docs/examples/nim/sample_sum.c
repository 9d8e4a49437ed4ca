/* sample_sum: leaves piles whose exclusive or is 0 where it can: it then wins
 * whatever the other does (C. L. Bouton, 1901). */
#include <stdio.h>

int main(void)
{
    int piles;

    while (scanf("%d", &piles) == 1) {
        int matches[16] = {0};
        int sum = 0;
        int move = -1;
        int count = 1;

        for (int i = 0; i < piles && i < 16; i++) {
            if (scanf("%d", &matches[i]) != 1)
                return 1;
            sum ^= matches[i];
        }
        for (int i = 0; i < piles && i < 16; i++) {
            if (matches[i] && (move < 0 || (matches[i] ^ sum) < matches[i])) {
                move = i;
                count = (matches[i] ^ sum) < matches[i]
                            ? matches[i] - (matches[i] ^ sum)
                            : 1;
            }
        }
        printf("%d %d\n", move, count);
    }
    return 0;
}
