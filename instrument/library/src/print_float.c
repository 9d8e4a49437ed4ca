/* print_float: floating point in decimal, where 128 bits hold it exactly.
 *
 * A double is m * 2^e with m < 2^53. Its digits up to the place 10^-s are the
 * integer nearest to m * 2^e * 10^s, a tie to the even one: the product with
 * 10^s is formed exactly and what the shift by e drops is what rounding looks
 * at. No step of it rounds but the last, so what is printed is what musl's
 * arithmetic of arbitrary length prints. */
#include <stdint.h>
#include <string.h>

#include "instrument/library/src/print.h"

#define MANTISSA_BITS 52
#define EXPONENT_BIAS 1075 /* of m as an integer */
#define DIGITS_MAX 17

const uint64_t print_power[20] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    10000000000000000,
    100000000000000000,
    1000000000000000000,
    10000000000000000000U,
};

/* m * 2^e */
struct binary {
    uint64_t m;
    int e;
};

static struct binary binary_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    uint64_t m = bits & ((1ULL << MANTISSA_BITS) - 1);
    int e = (int)(bits >> MANTISSA_BITS);
    if (e > 0)
        m |= 1ULL << MANTISSA_BITS;
    else
        e = 1;
    return (struct binary){m, e - EXPONENT_BIAS};
}

/* The integer nearest to product / 2^shift, shift 1 to 127. */
static int round_shift(unsigned __int128 product, int shift, uint64_t *digits)
{
    unsigned __int128 whole = product >> shift;
    unsigned __int128 rest = product - (whole << shift);
    unsigned __int128 half = (unsigned __int128)1 << (shift - 1);

    if (whole >> 63)
        return 0;
    *digits = (uint64_t)whole;
    if (rest > half || (rest == half && (*digits & 1)))
        (*digits)++;
    return 1;
}

/* The integer nearest to m * 2^e / 10^places. */
static int round_division(struct binary b, int places, uint64_t *digits)
{
    uint64_t divisor = print_power[places];
    uint64_t whole = b.m;
    int is_more = 0; /* than `whole`, by less than 1 */

    if (b.e > 10 || b.e < -63)
        return 0;
    if (b.e >= 0) {
        whole <<= b.e;
    } else {
        whole >>= -b.e;
        is_more = whole << -b.e != b.m;
    }
    uint64_t quotient = whole / divisor;
    uint64_t rest = whole - quotient * divisor;
    uint64_t half = divisor / 2;
    *digits = quotient;
    if (rest > half || (rest == half && (is_more || (quotient & 1))))
        (*digits)++;
    return 1;
}

/* The integer nearest to m * 2^e * 10^places; 0: not below 2^63, or not exact.
 */
static int scale(struct binary b, int places, uint64_t *digits)
{
    if (places > 19 || places < -19)
        return 0;
    if (places < 0)
        return round_division(b, -places, digits);
    unsigned __int128 product = (unsigned __int128)b.m * print_power[places];
    if (b.e < 0)
        return b.e > -128 && round_shift(product, -b.e, digits);
    if (b.e > 10 || product >> (63 - b.e))
        return 0;
    *digits = (uint64_t)product << b.e;
    return 1;
}

/* Writes `count` digits of `value`, zeros in front included. */
static char *put_digits(char *to, uint64_t value, int count)
{
    for (int i = count; i-- > 0; value /= 10)
        to[i] = (char)('0' + value % 10);
    return to + count;
}

static int count_digits(uint64_t value)
{
    int count = 1;

    while (count < 20 && value >= print_power[count])
        count++;
    return count;
}

/* `digits` with the last `places` of them behind the point. */
static char *put_fixed(char *to, uint64_t digits, int places)
{
    int count = count_digits(digits);

    if (places == 0)
        return put_digits(to, digits, count);
    uint64_t whole = digits / print_power[places];
    to = put_digits(to, whole, count > places ? count - places : 1);
    *to++ = '.';
    return put_digits(to, digits - whole * print_power[places], places);
}

static char *put_exponent(char *to, int exponent, char letter)
{
    *to++ = letter;
    *to++ = exponent < 0 ? '-' : '+';
    if (exponent < 0)
        exponent = -exponent;
    return put_digits(to, (uint64_t)exponent, exponent < 100 ? 2 : 3);
}

/* The first `count` digits of a number, and the place of the first one. */
static int lead(struct binary b, int count, uint64_t *digits, int *exponent)
{
    if (b.m == 0) {
        *digits = 0;
        *exponent = 0;
        return 1;
    }
    /* floor(log2 * log10(2)): right, or one too low */
    int log2 = b.e + 63 - __builtin_clzll(b.m);
    int place = (log2 * 78913) >> 18;
    if (!scale(b, count - 1 - place, digits))
        return 0;
    if (*digits >= print_power[count]) {
        place++;
        if (!scale(b, count - 1 - place, digits))
            return 0;
    }
    *exponent = place;
    return 1;
}

static char *put_scientific(char *to, uint64_t digits, int count, int exponent,
                            char letter)
{
    return put_exponent(put_fixed(to, digits, count - 1), exponent, letter);
}

/* As %g: the shorter form, without the zeros at its end. */
static char *put_general(char *to, uint64_t digits, int count, int exponent,
                         char letter)
{
    int is_fixed = exponent >= -4 && exponent < count;
    int places = is_fixed ? count - 1 - exponent : count - 1;

    while (places > 0 && digits % 10 == 0) {
        digits /= 10;
        places--;
    }
    if (is_fixed)
        return put_fixed(to, digits, places);
    return put_scientific(to, digits, places + 1, exponent, letter);
}

size_t print_float(char *to, double magnitude, const struct print_spec *spec)
{
    struct binary b = binary_of(magnitude);
    int precision = spec->precision < 0 ? 6 : spec->precision;
    char lower = (char)(spec->type | 32);
    char letter = (char)(spec->type == lower ? 'e' : 'E');
    int exponent;
    uint64_t digits;

    if (precision >= DIGITS_MAX)
        return 0;
    if (lower == 'f')
        return scale(b, precision, &digits)
                   ? (size_t)(put_fixed(to, digits, precision) - to)
                   : 0;
    int count = precision + (lower == 'e' || precision == 0);
    if (!lead(b, count, &digits, &exponent))
        return 0;
    char *end = lower == 'e'
                    ? put_scientific(to, digits, count, exponent, letter)
                    : put_general(to, digits, count, exponent, letter);
    return (size_t)(end - to);
}
