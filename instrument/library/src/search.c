/* search: strlen, memchr and what is built on them, over priced natives.
 *
 * Nothing here depends on an address's alignment, so counts do not either. */
#include <stdint.h>
#include <string.h>

#include "instrument/library/src/price.h"
#include "instrument/library/src/system.h"

/* A search whose end is unknown starts small, so that a near hit in a long
 * text stays cheap. */
#define FIRST_PIECE_BYTES 64u

static size_t piece_of(size_t left)
{
    return left < PRICE_PIECE_BYTES ? left : PRICE_PIECE_BYTES;
}

size_t strnlen(const char *text, size_t most)
{
    size_t sum = 0;

    price_pay_base();
    while (sum < most) {
        size_t piece = piece_of(most - sum);
        size_t got = __bout_strnlen(text + sum, piece);

        price_pay_bytes(got < piece ? got + 1 : piece);
        sum += got;
        if (got < piece)
            break;
    }
    return sum;
}

size_t strlen(const char *text)
{
    size_t sum = 0;

    price_pay_base();
    for (;;) {
        size_t got = __bout_strnlen(text + sum, PRICE_PIECE_BYTES);

        price_pay_bytes(got < PRICE_PIECE_BYTES ? got + 1 : got);
        sum += got;
        if (got < PRICE_PIECE_BYTES)
            return sum;
    }
}

void *memchr(const void *from, int byte, size_t size)
{
    const char *at = from;

    price_pay_base();
    while (size > 0) {
        size_t piece = piece_of(size);
        const char *hit = __bout_memchr(at, byte, piece);

        price_pay_bytes(hit ? (size_t)(hit - at) + 1 : piece);
        if (hit)
            return (void *)(uintptr_t)hit;
        at += piece;
        size -= piece;
    }
    return NULL;
}

char *strchrnul(const char *text, int character)
{
    size_t piece = FIRST_PIECE_BYTES;
    int byte = (unsigned char)character;

    if (byte == 0)
        return (char *)(uintptr_t)text + strlen(text);
    for (;;) {
        size_t length = __bout_strnlen(text, piece);
        const char *hit = __bout_memchr(text, byte, length);

        price_pay_base();
        price_pay_bytes(2 * length);
        if (hit || length < piece)
            return (char *)(uintptr_t)(hit ? hit : text + length);
        text += piece;
        if (piece < PRICE_PIECE_BYTES)
            piece *= 2;
    }
}

/* musl's own name. */
weak_alias(strchrnul, __strchrnul);

char *strchr(const char *text, int character)
{
    char *hit = strchrnul(text, character);

    return *(unsigned char *)hit == (unsigned char)character ? hit : NULL;
}

void *memrchr(const void *from, int byte, size_t size)
{
    const unsigned char *at = from;

    while (size-- > 0)
        if (at[size] == (unsigned char)byte)
            return (void *)(uintptr_t)(at + size);
    return NULL;
}

char *strrchr(const char *text, int character)
{
    return memrchr(text, character, strlen(text) + 1);
}

weak_alias(memrchr, __memrchr);
