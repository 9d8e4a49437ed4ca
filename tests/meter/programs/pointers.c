/* Function pointers of every kind: tables, callbacks, library functions, the
 * natives' stand-ins, comparison, addresses as numbers. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static double half(double x) { return x / 2; }

static int (*const operation[])(int, int) = {add, sub};
static struct node {
    int (*visit)(struct node *);
    int value;
} nodes[3];

static int visit(struct node *n) { return n->value++; }

static int descending(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

int main(void)
{
    int numbers[] = {3, 1, 4, 1, 5, 9, 2, 6};
    void *(*volatile copy)(void *, const void *, size_t) = memcpy;
    int (*volatile upper)(int) = toupper;
    double (*volatile f)(double) = half;
    char text[16];
    long sum = 0;

    qsort(numbers, 8, sizeof *numbers, descending);
    copy(text, "checked", 8);
    for (int i = 0; i < 1000; i++)
        sum += operation[i & 1](i, 3);
    for (int i = 0; i < 3; i++) {
        nodes[i].visit = visit;
        nodes[i].value = i;
    }
    for (int i = 0; i < 9; i++)
        sum += nodes[i % 3].visit(&nodes[i % 3]);
    printf("%d %d %s %c %g %ld\n", numbers[0], numbers[7], text, upper('x'),
           f(5), sum);
    printf("%d %d %d\n", operation[0] == add, operation[0] == sub,
           (uintptr_t)operation[1] == (uintptr_t)sub);
    return 0;
}
