/* bulk: memcpy, memmove and memset where their address is taken.
 *
 * Direct calls become priced natives of the same names (bout-meter), so the names
 * themselves cannot be charged functions. */
#include <string.h>

void *__bout_memcpy(void *restrict to, const void *restrict from, size_t size);
void *__bout_memmove(void *to, const void *from, size_t size);
void *__bout_memset(void *to, int byte, size_t size);

void *__bout_memcpy(void *restrict to, const void *restrict from, size_t size)
{
    return memcpy(to, from, size);
}

void *__bout_memmove(void *to, const void *from, size_t size)
{
    return memmove(to, from, size);
}

void *__bout_memset(void *to, int byte, size_t size)
{
    return memset(to, byte, size);
}
