/* The cleanup attribute: run on every way out of a block, backwards. */
#include <stdio.h>
#include <stdlib.h>

static void report(int *v) { printf("~%d ", *v); }
static void release(char **p) { free(*p); }

static int work(int n)
{
    __attribute__((cleanup(report))) int a = n;
    __attribute__((cleanup(release))) char *text = malloc(20);

    snprintf(text, 20, "<%d>", n);
    for (int i = 0; i < n; i++) {
        __attribute__((cleanup(report))) int b = 10 * i;
        if (i == 2)
            return (int)text[1];
        if (i == 1)
            continue;
        printf("%s ", text);
    }
    return n;
}

int main(void)
{
    for (int n = 0; n < 5; n++)
        printf("%d\n", work(n));
    return 0;
}
