/* printf: widths, precisions, flags, rounding of halves, %g. */
#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    const double d[] = {0.5, 1.5, 2.5, 0.125, 1e23, 9.995, 1 / 3.0, DBL_MAX,
                        DBL_MIN, 5e-324, 123456789.0, 1e-5, 100000, 1e6};

    for (size_t i = 0; i < sizeof d / sizeof *d; i++)
        printf("%.0f|%.2f|%e|%g|%.17g|%12.4f|%-12.3e|%+G\n", d[i], d[i], d[i],
               d[i], d[i], d[i], d[i]);
    printf("%d %i %u %x %X %o %c %%\n", INT_MIN, INT_MAX, UINT_MAX, 48879,
           48879, 511, 'z');
    printf("%5d|%-5d|%05d|%+d|% d|%#x|%#o|%.3d|%.0d|\n", 42, 42, 42, 42, 42, 42,
           42, 7, 0);
    printf("%ld %lld %hd %hhd %zu %jd %td\n", LONG_MIN, LLONG_MAX, (short)70000,
           (signed char)300, (size_t)-1, INTMAX_MIN, (ptrdiff_t)-3);
    printf("%10s|%-10s|%.2s|%*d|%-*d|%.*f\n", "abc", "abc", "abc", 6, 1, 6, 2,
           3, 3.14159);
    printf("%s|%5c|%-5c|\n", "", 'x', 'y');
    char small[5];
    printf("%d %s\n", snprintf(small, sizeof small, "%d", 1234567), small);
    return 0;
}
