/* va_arg of every width, va_copy, and a list handed on. */
#include <stdarg.h>
#include <stdio.h>

struct pair {
    int a;
    double b;
};

static double sum(int count, va_list list)
{
    double total = 0;

    while (count--)
        total += va_arg(list, double);
    return total;
}

static double twice(int count, ...)
{
    va_list list, copy;

    va_start(list, count);
    va_copy(copy, list);
    double total = sum(count, list) + sum(count, copy);
    va_end(copy);
    va_end(list);
    return total;
}

static void mixed(const char *kinds, ...)
{
    va_list list;

    va_start(list, kinds);
    for (; *kinds; kinds++) {
        if (*kinds == 'i')
            printf("%d ", va_arg(list, int));
        else if (*kinds == 'l')
            printf("%lld ", va_arg(list, long long));
        else if (*kinds == 's')
            printf("%s ", va_arg(list, char *));
        else if (*kinds == 'd')
            printf("%g ", va_arg(list, double));
        else {
            struct pair pair = va_arg(list, struct pair);
            printf("{%d %g} ", pair.a, pair.b);
        }
    }
    va_end(list);
    printf("\n");
}

int main(void)
{
    printf("%g\n", twice(4, 1.0, 2.5, -3.0, 1e6));
    mixed("ilsdp", -7, 1LL << 40, "text", 0.125, (struct pair){3, 4.5});
    mixed("idididid", 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5);
    return 0;
}
