/* complex: multiplication and division as C11 annex G asks, under the names
 * that compilers call where an operand may be infinite. Written for double;
 * float goes through it, which only makes it more exact. */
#include <complex.h>
#include <math.h>

double _Complex __muldc3(double a, double b, double c, double d);
double _Complex __divdc3(double a, double b, double c, double d);
float _Complex __mulsc3(float a, float b, float c, float d);
float _Complex __divsc3(float a, float b, float c, float d);

/* An infinite part becomes 1, a finite one 0, with its sign. */
static double box(double part)
{
    return copysign(isinf(part) ? 1.0 : 0.0, part);
}

static double unless_nan(double part)
{
    return isnan(part) ? copysign(0.0, part) : part;
}

/* (a + ib)(c + id) where both parts came out as NaN. */
static double _Complex multiply_special(double a, double b, double c, double d)
{
    int recalculate = 0;

    if (isinf(a) || isinf(b)) {
        a = box(a), b = box(b);
        c = unless_nan(c), d = unless_nan(d);
        recalculate = 1;
    }
    if (isinf(c) || isinf(d)) {
        c = box(c), d = box(d);
        a = unless_nan(a), b = unless_nan(b);
        recalculate = 1;
    }
    if (!recalculate &&
        (isinf(a * c) || isinf(b * d) || isinf(a * d) || isinf(b * c))) {
        a = unless_nan(a), b = unless_nan(b);
        c = unless_nan(c), d = unless_nan(d);
        recalculate = 1;
    }
    if (!recalculate)
        return CMPLX(NAN, NAN);
    return CMPLX(INFINITY * (a * c - b * d), INFINITY * (a * d + b * c));
}

double _Complex __muldc3(double a, double b, double c, double d)
{
    double real = a * c - b * d;
    double imaginary = a * d + b * c;

    if (isnan(real) && isnan(imaginary))
        return multiply_special(a, b, c, d);
    return CMPLX(real, imaginary);
}

double _Complex __divdc3(double a, double b, double c, double d)
{
    double scale = logb(fmax(fabs(c), fabs(d)));
    int shift = 0;

    if (isfinite(scale)) {
        shift = (int)scale;
        c = scalbn(c, -shift);
        d = scalbn(d, -shift);
    }
    double size = c * c + d * d;
    double real = scalbn((a * c + b * d) / size, -shift);
    double imaginary = scalbn((b * c - a * d) / size, -shift);
    if (!isnan(real) || !isnan(imaginary))
        return CMPLX(real, imaginary);

    if (size == 0 && (!isnan(a) || !isnan(b)))
        return CMPLX(copysign(INFINITY, c) * a, copysign(INFINITY, c) * b);
    if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
        a = box(a), b = box(b);
        return CMPLX(INFINITY * (a * c + b * d), INFINITY * (b * c - a * d));
    }
    if (isinf(scale) && scale > 0 && isfinite(a) && isfinite(b)) {
        c = box(c), d = box(d);
        return CMPLX(0.0 * (a * c + b * d), 0.0 * (b * c - a * d));
    }
    return CMPLX(real, imaginary);
}

float _Complex __mulsc3(float a, float b, float c, float d)
{
    return (float _Complex)__muldc3(a, b, c, d);
}

float _Complex __divsc3(float a, float b, float c, float d)
{
    return (float _Complex)__divdc3(a, b, c, d);
}
