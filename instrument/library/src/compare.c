/* compare: memcmp, strcmp, strncmp.
 *
 * Most differences come early: the first bytes are compared one by one, the
 * rest by priced natives in growing pieces. */
#include <stdint.h>
#include <string.h>

#include "instrument/library/src/price.h"

#define NEAR_BYTES 16u
#define FAR_PIECE_BYTES 64u

/* Index of the first difference, or size; paid. */
static size_t mismatch(const void *a, const void *b, size_t size)
{
    size_t sum = 0;

    price_pay_base();
    while (sum < size) {
        size_t piece =
            size - sum < PRICE_PIECE_BYTES ? size - sum : PRICE_PIECE_BYTES;
        size_t same = __bout_mismatch((const char *)a + sum,
                                      (const char *)b + sum, piece);

        price_pay_bytes(same < piece ? same + 1 : piece);
        sum += same;
        if (same < piece)
            break;
    }
    return sum;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a;
    const unsigned char *y = b;
    size_t same = mismatch(a, b, size);

    return same < size ? x[same] - y[same] : 0;
}

weak_alias(memcmp, bcmp);

/* What strcmp gives for texts that are equal up to here, within `most`. */
static int compare_far(const unsigned char *a, const unsigned char *b,
                       size_t most)
{
    size_t piece = FAR_PIECE_BYTES;

    for (;;) {
        if (piece > most)
            piece = most;
        /* neither is read past its end */
        size_t size = strnlen((const char *)a, piece);
        size = strnlen((const char *)b, size);
        size_t same = mismatch(a, b, size);
        if (same < size)
            return a[same] - b[same];
        if (size == most)
            return 0;
        if (size < piece)
            return a[size] - b[size];
        a += size;
        b += size;
        most -= size;
        if (piece < PRICE_PIECE_BYTES)
            piece *= 2;
    }
}

int strncmp(const char *a, const char *b, size_t most)
{
    const unsigned char *x = (const unsigned char *)a;
    const unsigned char *y = (const unsigned char *)b;

    for (size_t i = 0; i < NEAR_BYTES; i++) {
        if (i == most)
            return 0;
        if (x[i] != y[i] || x[i] == 0)
            return x[i] - y[i];
    }
    return compare_far(x + NEAR_BYTES, y + NEAR_BYTES, most - NEAR_BYTES);
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, SIZE_MAX);
}
