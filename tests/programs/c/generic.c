/* _Generic, compound literals, _Static_assert, flexible arrays, typeof. */
#include <stdio.h>
#include <stdlib.h>

#define KIND(x) _Generic((x), int: "int", double: "double", char *: "text", \
                         float: "float", default: "other")
#define MAX(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); \
                     x_ > y_ ? x_ : y_; })
_Static_assert(sizeof(long) == 8, "LP64");

struct flexible {
    int count;
    int value[];
};

int main(void)
{
    struct flexible *f = malloc(sizeof *f + 5 * sizeof(int));
    int *p = (int[]){4, 5, 6};

    f->count = 5;
    for (int i = 0; i < f->count; i++)
        f->value[i] = p[i % 3] * i;
    printf("%s %s %s %s %s\n", KIND(1), KIND(1.0), KIND((char *)0), KIND(1.0f),
           KIND(1L));
    printf("%d %d %g\n", MAX(f->value[4], 7), f->value[2], MAX(1.5, 0.5));
    free(f);
    return 0;
}
