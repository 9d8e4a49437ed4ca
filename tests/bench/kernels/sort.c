/* Insertion sort of runs, then qsort with a comparison by pointer. */
#include <stdio.h>
#include <stdlib.h>

static int number[50000];

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

int main(void)
{
    unsigned seed = 1;
    long sum = 0;

    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 50000; i++)
            number[i] = (int)((seed = seed * 1103515245 + 12345) >> 8);
        for (int run = 0; run < 50000; run += 500)
            for (int i = run + 1; i < run + 500; i++) {
                int value = number[i], k = i;

                for (; k > run && number[k - 1] > value; k--)
                    number[k] = number[k - 1];
                number[k] = value;
            }
        qsort(number, 50000, sizeof *number, compare);
        sum += number[777];
    }
    printf("%ld\n", sum);
}
