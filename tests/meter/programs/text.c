/* Reading, writing, the heap and strings, with work that depends on input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char word[64];
    char *all = calloc(1, 1);
    size_t size = 0;
    int count = 0;
    double sum = 0;

    while (scanf("%63s", word) == 1) {
        size_t length = strlen(word);

        all = realloc(all, size + length + 1);
        memcpy(all + size, word, length + 1);
        size += length;
        sum += strtod(word, NULL);
        count++;
    }
    for (size_t i = 0; i < size / 2; i++) {
        char c = all[i];
        all[i] = all[size - 1 - i];
        all[size - 1 - i] = c;
    }
    memset(word, 'x', sizeof word);
    word[size % 63] = 0;
    printf("%d %zu %.3f %.20s %s %d\n", count, size, sum, all, word,
           strcmp(all, word) > 0);
    free(all);
    return 0;
}
