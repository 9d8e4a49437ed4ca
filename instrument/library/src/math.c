/* math: what is one machine instruction everywhere, exactly rounded; and what
 * musl does by tests of bits or a loop over them: rounding to whole numbers,
 * the remainder. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define MANTISSA_BITS 52
#define EXPONENT_MAX 0x7ff
#define STEP_BITS 11 /* a mantissa of 53 bits has so much room in 64 */
#define HIDDEN_BIT (1ULL << MANTISSA_BITS)

double sqrt(double x)
{
    return __builtin_sqrt(x);
}

float sqrtf(float x)
{
    return __builtin_sqrtf(x);
}

double fabs(double x)
{
    return __builtin_fabs(x);
}

float fabsf(float x)
{
    return __builtin_fabsf(x);
}

double copysign(double x, double sign)
{
    return __builtin_copysign(x, sign);
}

float copysignf(float x, float sign)
{
    return __builtin_copysignf(x, sign);
}

/* The whole number nearest to x, ties to even, without its sign; x is below
 * 2^52: the sum has no place for a fraction. */
static double nearest(double x)
{
    return __builtin_fabs(x) + 0x1p52 - 0x1p52;
}

static int has_fraction(double x)
{
    return __builtin_fabs(x) < 0x1p52;
}

double rint(double x)
{
    return has_fraction(x) ? __builtin_copysign(nearest(x), x) : x;
}

double nearbyint(double x)
{
    return rint(x);
}

double floor(double x)
{
    if (!has_fraction(x))
        return x;
    double whole = __builtin_copysign(nearest(x), x);
    return __builtin_copysign(whole > x ? whole - 1 : whole, x);
}

double ceil(double x)
{
    if (!has_fraction(x))
        return x;
    double whole = __builtin_copysign(nearest(x), x);
    return __builtin_copysign(whole < x ? whole + 1 : whole, x);
}

double trunc(double x)
{
    if (!has_fraction(x))
        return x;
    double whole = nearest(x);
    return __builtin_copysign(whole > __builtin_fabs(x) ? whole - 1 : whole, x);
}

/* Away from zero where x is halfway. */
double round(double x)
{
    if (!has_fraction(x))
        return x;
    double size = __builtin_fabs(x);
    double whole = nearest(x);
    if (whole - size == -0.5)
        whole += 1;
    return __builtin_copysign(whole, x);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The mantissa as an integer; *exponent is then at least 1. */
static uint64_t split(uint64_t bits, int *exponent)
{
    *exponent = (int)(bits >> MANTISSA_BITS);
    bits &= HIDDEN_BIT - 1;
    if (*exponent > 0)
        return bits | HIDDEN_BIT;
    *exponent = 1;
    return bits;
}

/* Long division of the mantissas, 11 bits a step. */
double fmod(double x, double y)
{
    uint64_t size = bits_of(__builtin_fabs(x));
    uint64_t divisor_size = bits_of(__builtin_fabs(y));
    int exponent, divisor_exponent;

    if (divisor_size == 0 || y != y ||
        size >= (uint64_t)EXPONENT_MAX << MANTISSA_BITS)
        return (x * y) / (x * y);
    if (size < divisor_size)
        return x;
    uint64_t rest = split(size, &exponent);
    uint64_t divisor = split(divisor_size, &divisor_exponent);
    rest %= divisor;
    for (int left = exponent - divisor_exponent; left > 0 && rest > 0;) {
        int step = left < STEP_BITS ? left : STEP_BITS;
        rest = (rest << step) % divisor;
        left -= step;
    }
    if (rest == 0)
        return __builtin_copysign(0, x);
    /* rest * 2^(divisor_exponent - 1075), as long as that is normal */
    int shift = __builtin_clzll(rest) - (63 - MANTISSA_BITS);
    if (shift >= divisor_exponent)
        rest <<= divisor_exponent - 1;
    else
        rest = ((rest << shift) & (HIDDEN_BIT - 1)) |
               (uint64_t)(divisor_exponent - shift) << MANTISSA_BITS;
    double result;
    memcpy(&result, &rest, sizeof result);
    return __builtin_copysign(result, x);
}

/* The remainder of two floats is a float. */
float fmodf(float x, float y)
{
    return (float)fmod(x, y);
}
