/* copy: copying of texts, as a measured length and one block copy.
 *
 * Calls of memcpy, memmove and memset become priced natives (bout-meter). */
#include <string.h>

#include "instrument/library/src/system.h"

char *stpcpy(char *restrict to, const char *restrict from)
{
    size_t length = strlen(from);

    memcpy(to, from, length + 1);
    return to + length;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t size)
{
    size_t length = strnlen(from, size);

    memcpy(to, from, length);
    memset(to + length, 0, size - length);
    return to + length;
}

char *strncpy(char *restrict to, const char *restrict from, size_t size)
{
    stpncpy(to, from, size);
    return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t most)
{
    size_t length = strnlen(from, most);
    char *end = to + strlen(to);

    memcpy(end, from, length);
    end[length] = 0;
    return to;
}

size_t strlcpy(char *to, const char *from, size_t size)
{
    size_t length = strlen(from);

    if (size > 0) {
        size_t kept = length < size ? length : size - 1;
        memcpy(to, from, kept);
        to[kept] = 0;
    }
    return length;
}

size_t strlcat(char *to, const char *from, size_t size)
{
    size_t length = strnlen(to, size);

    if (length == size)
        return length + strlen(from);
    return length + strlcpy(to + length, from, size - length);
}

void *mempcpy(void *to, const void *from, size_t size)
{
    memcpy(to, from, size);
    return (char *)to + size;
}

void *memccpy(void *restrict to, const void *restrict from, int byte,
              size_t size)
{
    const char *hit = memchr(from, byte, size);

    if (!hit) {
        memcpy(to, from, size);
        return NULL;
    }
    return mempcpy(to, from, (size_t)(hit - (const char *)from) + 1);
}

/* musl's own names. */
weak_alias(stpcpy, __stpcpy);
weak_alias(stpncpy, __stpncpy);
