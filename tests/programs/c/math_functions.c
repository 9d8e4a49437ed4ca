/* Roots, powers, angles: printed with digits that every libm agrees on. */
#include <math.h>
#include <stdio.h>

int main(void)
{
    for (double x = -3; x < 3.1; x += 0.75) {
        printf("%.9g %.9g %.9g %.9g ", sin(x), cos(x), tan(x), atan2(x, 2));
        printf("%.9g %.9g %.9g ", exp(x), log(x * x + 1), pow(x * x, 0.7));
        printf("%g %g %g %g %g\n", floor(x), ceil(x), round(x), trunc(x),
               fmod(x, 0.5));
    }
    int e;
    double whole, m = frexp(1234.5, &e), part = modf(-3.25, &whole);
    printf("%.9g %d %g %g %g %ld\n", m, e, part, whole, hypot(3, 4),
           lround(2.5));
    printf("%g %g %g %d %d\n", fmax(1, NAN), fmin(-1, 2), copysign(2, -0.0),
           isinf(1 / 0.0) != 0, isnan(NAN) != 0);
    printf("%.9g %.9g %.9g %.9g\n", cbrt(27.5), tgamma(5.5), erf(0.3),
           sinh(1.25));
    return 0;
}
