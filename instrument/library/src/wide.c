/* wide: 128-bit integers where a machine has no instruction for them.
 *
 * The names are those that compilers call. Division after Hacker's Delight
 * (Warren), 9-4 and 9-5: an estimate from the divisor's top 64 bits, then one
 * correction. */
#include <limits.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

u128 __udivmodti4(u128 dividend, u128 divisor, u128 *rest);
u128 __udivti3(u128 dividend, u128 divisor);
u128 __umodti3(u128 dividend, u128 divisor);
i128 __divti3(i128 dividend, i128 divisor);
i128 __modti3(i128 dividend, i128 divisor);
double __floatuntidf(u128 value);
double __floattidf(i128 value);
float __floatuntisf(u128 value);
float __floattisf(i128 value);
u128 __fixunsdfti(double value);
i128 __fixdfti(double value);
u128 __fixunssfti(float value);
i128 __fixsfti(float value);
double __powidf2(double base, int exponent);
float __powisf2(float base, int exponent);

#define HALF 0xffffffffu

/* One 32-bit digit of (top:next) / divisor, the divisor's top bit set; *rest
 * gets what is left of top * 2^32 + next. */
static uint64_t digit(uint64_t top, uint64_t next, uint64_t divisor,
                      uint64_t *rest)
{
    uint64_t high = divisor >> 32;
    uint64_t low = divisor & HALF;
    uint64_t q = top / high;
    uint64_t r = top % high;

    while (q > HALF || q * low > (r << 32 | next)) {
        q--;
        r += high;
        if (r > HALF)
            break;
    }
    *rest = (top << 32 | next) - q * divisor; /* modulo 2^64: it fits */
    return q;
}

/* (high:low) / divisor where high < divisor. */
static uint64_t divide_long(uint64_t high, uint64_t low, uint64_t divisor,
                            uint64_t *rest)
{
    int shift = __builtin_clzll(divisor);
    u128 value = ((u128)high << 64 | low) << shift;
    uint64_t left;

    divisor <<= shift;
    uint64_t q1 =
        digit((uint64_t)(value >> 64), (uint64_t)value >> 32, divisor, &left);
    uint64_t q0 = digit(left, (uint64_t)value & HALF, divisor, &left);
    *rest = left >> shift;
    return q1 << 32 | q0;
}

/* As on 64 bits, division by zero is the machine's: a trap. */
static u128 divide_by_word(u128 dividend, uint64_t divisor, u128 *rest)
{
    uint64_t high = (uint64_t)(dividend >> 64) / divisor;
    uint64_t over = (uint64_t)(dividend >> 64) % divisor;
    uint64_t left;
    uint64_t low = divide_long(over, (uint64_t)dividend, divisor, &left);

    *rest = left;
    return (u128)high << 64 | low;
}

u128 __udivmodti4(u128 dividend, u128 divisor, u128 *rest)
{
    u128 unused;
    uint64_t top = (uint64_t)(divisor >> 64);

    if (!rest)
        rest = &unused;
    if (top == 0)
        return divide_by_word(dividend, (uint64_t)divisor, rest);

    int shift = __builtin_clzll(top);
    uint64_t normal = (uint64_t)(divisor << shift >> 64);
    uint64_t unneeded;
    uint64_t q = divide_long((uint64_t)(dividend >> 65),
                             (uint64_t)(dividend >> 1), normal, &unneeded);
    q = (uint64_t)((u128)q << shift >> 63);
    if (q != 0)
        q--;
    u128 left = dividend - q * divisor;
    if (left >= divisor) {
        left -= divisor;
        q++;
    }
    *rest = left;
    return q;
}

u128 __udivti3(u128 dividend, u128 divisor)
{
    return __udivmodti4(dividend, divisor, 0);
}

u128 __umodti3(u128 dividend, u128 divisor)
{
    u128 rest;

    __udivmodti4(dividend, divisor, &rest);
    return rest;
}

static u128 magnitude(i128 value)
{
    return value < 0 ? -(u128)value : (u128)value;
}

i128 __divti3(i128 dividend, i128 divisor)
{
    u128 q = __udivti3(magnitude(dividend), magnitude(divisor));

    return (i128)((dividend < 0) != (divisor < 0) ? -q : q);
}

i128 __modti3(i128 dividend, i128 divisor)
{
    u128 rest = __umodti3(magnitude(dividend), magnitude(divisor));

    return (i128)(dividend < 0 ? -rest : rest);
}

/* 2^exponent, 0 <= exponent < 128. */
static double power_of_two(int exponent)
{
    union {
        uint64_t bits;
        double value;
    } x = {.bits = (uint64_t)(1023 + exponent) << 52};

    return x.value;
}

/* The top 64 bits as *word, and the exponent that was taken off; what was cut
 * leaves its mark in the lowest bit, so that one rounding is enough. */
static int top_word(u128 value, uint64_t *word)
{
    uint64_t high = (uint64_t)(value >> 64);

    if (high == 0) {
        *word = (uint64_t)value;
        return 0;
    }
    int shift = 64 - __builtin_clzll(high);
    *word = (uint64_t)(value >> shift);
    if (value << (128 - shift) != 0)
        *word |= 1;
    return shift;
}

double __floatuntidf(u128 value)
{
    uint64_t word;
    int shift = top_word(value, &word);

    return (double)word * power_of_two(shift);
}

double __floattidf(i128 value)
{
    double size = __floatuntidf(magnitude(value));

    return value < 0 ? -size : size;
}

float __floatuntisf(u128 value)
{
    uint64_t word;
    int shift = top_word(value, &word);

    return (float)word * (float)power_of_two(shift);
}

float __floattisf(i128 value)
{
    float size = __floatuntisf(magnitude(value));

    return value < 0 ? -size : size;
}

/* Towards zero; out of range gives the nearest that fits, a NaN gives 0. */
u128 __fixunsdfti(double value)
{
    if (!(value >= 1))
        return 0;
    if (value >= power_of_two(127) * 2)
        return ~(u128)0;
    if (value < power_of_two(63) * 2)
        return (uint64_t)value;
    return (u128)(uint64_t)(value / power_of_two(64)) << 64 |
           (uint64_t)(value - (double)(uint64_t)(value / power_of_two(64)) *
                                  power_of_two(64));
}

i128 __fixdfti(double value)
{
    const u128 limit = (u128)1 << 127;
    u128 size = __fixunsdfti(value < 0 ? -value : value);

    if (value < 0)
        return size >= limit ? (i128)limit : -(i128)size;
    return size >= limit ? (i128)(limit - 1) : (i128)size;
}

u128 __fixunssfti(float value)
{
    return __fixunsdfti(value);
}

i128 __fixsfti(float value)
{
    return __fixdfti(value);
}

/* __builtin_powi: by squaring. */
double __powidf2(double base, int exponent)
{
    unsigned left = exponent < 0 ? -(unsigned)exponent : (unsigned)exponent;
    double product = 1;

    for (;; base *= base) {
        if (left & 1)
            product *= base;
        left >>= 1;
        if (left == 0)
            break;
    }
    return exponent < 0 ? 1 / product : product;
}

float __powisf2(float base, int exponent)
{
    unsigned left = exponent < 0 ? -(unsigned)exponent : (unsigned)exponent;
    float product = 1;

    for (;; base *= base) {
        if (left & 1)
            product *= base;
        left >>= 1;
        if (left == 0)
            break;
    }
    return exponent < 0 ? 1 / product : product;
}
