/* Tables of functions, functions that return functions, callbacks, equality. */
#include <stdio.h>

typedef int (*binary)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static binary choose(char c)
{
    return c == '+' ? add : c == '-' ? sub : c == '*' ? mul : NULL;
}

static int fold(binary f, const int *v, int n)
{
    int total = v[0];

    for (int i = 1; i < n; i++)
        total = f(total, v[i]);
    return total;
}

int main(void)
{
    static const binary table[] = {add, sub, mul, NULL};
    const int v[] = {7, 3, 2, 5};

    for (const char *c = "+-*/"; *c; c++) {
        binary f = choose(*c);
        printf("%c %d\n", *c, f ? fold(f, v, 4) : -1);
    }
    for (int i = 0; table[i]; i++)
        printf("%d %d\n", table[i](10, 4), table[i] == choose("+-*"[i]));
    int (*print)(const char *, ...) = printf;
    print("%s %d\n", "through a pointer", 1);
    return 0;
}
