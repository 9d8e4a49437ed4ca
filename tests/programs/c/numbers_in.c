/* strtol, strtoull, strtod and sscanf at their edges. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const char *doubles[] = {"0", "-0.0", "1e308", "1e309", "4.9e-324", "2e-324",
                             "0x1.8p3", "inf", "nan", "1e", ".5.", "+7e+2x",
                             "179769313486231580793728971405301e276",
                             "0.1000000000000000055511151231257827"};
    const char *longs[] = {"42", " -42x", "0x1F", "077", "9223372036854775808",
                           "-9223372036854775809", "z", "+"};

    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        char *end;
        errno = 0;
        double d = strtod(doubles[i], &end);
        printf("%.17g %d \"%s\" %d\n", d, isnan(d), end,
               errno == ERANGE && isinf(d));
    }
    for (size_t i = 0; i < sizeof longs / sizeof *longs; i++) {
        char *end;
        errno = 0;
        long l = strtol(longs[i], &end, 0);
        printf("%ld \"%s\" %d\n", l, end, errno == ERANGE);
    }
    printf("%llu\n", strtoull("ffffffffffffffff", NULL, 16));
    printf("%ld\n", strtol("zz", NULL, 36));
    int a = 0, b = 0, n = 0;
    char word[10] = "", set[10] = "";
    float f = 0;
    printf("%d ", sscanf("12:34 hello abcx 1.5e2!", "%d:%d %9s %9[a-c]x %f%n",
                         &a, &b, word, set, &f, &n));
    printf("%d %d %s %s %g %d\n", a, b, word, set, f, n);
    return 0;
}
