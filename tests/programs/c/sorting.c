/* qsort of ints, of strings, of structs; bsearch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    char name[12];
    int key;
};

static int by_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}
static int by_key(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return x->key != y->key ? x->key - y->key : strcmp(x->name, y->name);
}

int main(void)
{
    static int numbers[5000];
    const char *words[] = {"pear", "fig", "apple", "", "figs", "zebra", "a"};
    struct item items[50];
    unsigned x = 1;

    for (int i = 0; i < 5000; i++)
        numbers[i] = (int)((x = x * 1664525 + 1013904223) >> 8) % 3000;
    qsort(numbers, 5000, sizeof *numbers, by_int);
    for (int i = 0; i < 5000; i += 499)
        printf("%d ", numbers[i]);
    qsort(words, 7, sizeof *words, by_text);
    for (int i = 0; i < 7; i++)
        printf("[%s]", words[i]);
    for (int i = 0; i < 50; i++) {
        items[i].key = i * 37 % 11;
        snprintf(items[i].name, sizeof items[i].name, "n%02d", 97 - i);
    }
    qsort(items, 50, sizeof *items, by_key);
    for (int i = 0; i < 50; i++)
        printf("\n%d %s", items[i].key, items[i].name);
    int key = numbers[777];
    int *found = bsearch(&key, numbers, 5000, sizeof *numbers, by_int);
    printf("\n%d\n", found && *found == key);
    return 0;
}
