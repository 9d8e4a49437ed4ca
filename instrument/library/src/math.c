/* math: what is one machine instruction everywhere, exactly rounded. */
#include <math.h>

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
