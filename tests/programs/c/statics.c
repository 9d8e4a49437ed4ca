/* Static locals, file-scope initialisers, addresses in them, tentative ones. */
#include <stdio.h>

static int values[5] = {1, [3] = 9};
static int *middle = &values[3];
static const char *const names[] = {"zero", "one", "two"};
static struct node { struct node *next; int v; } a, b = {&a, 2}, a = {&b, 1};
int tentative;
int tentative;

static int next(void)
{
    static int state = 41;
    static int *where = &state;

    return ++*where;
}

int main(void)
{
    for (int i = 0; i < 5; i++)
        printf("%d %d\n", next(), values[i]);
    printf("%d %d %s %d %d\n", *middle, middle[-3], names[2], b.next->v,
           a.next->next->v);
    return tentative;
}
