/* atomic: what clang calls for atomic objects that no processor's instruction
 * takes. There is one thread: plain copies. The names are builtins of clang's,
 * so the functions have others here. */
#include <stddef.h>
#include <string.h>

#pragma redefine_extname bout_atomic_load __atomic_load
#pragma redefine_extname bout_atomic_store __atomic_store
#pragma redefine_extname bout_atomic_exchange __atomic_exchange
#pragma redefine_extname bout_atomic_compare __atomic_compare_exchange
#pragma redefine_extname bout_atomic_is_lock_free __atomic_is_lock_free

void bout_atomic_load(size_t size, const void *from, void *to, int order)
{
    (void)order;
    memcpy(to, from, size);
}

void bout_atomic_store(size_t size, void *to, const void *from, int order)
{
    (void)order;
    memcpy(to, from, size);
}

void bout_atomic_exchange(size_t size, void *at, const void *new, void *old,
                          int order)
{
    (void)order;
    memcpy(old, at, size);
    memcpy(at, new, size);
}

_Bool bout_atomic_compare(size_t size, void *at, void *expected,
                          const void *new, int success, int failure)
{
    (void)success;
    (void)failure;
    if (memcmp(at, expected, size) != 0) {
        memcpy(expected, at, size);
        return 0;
    }
    memcpy(at, new, size);
    return 1;
}

_Bool bout_atomic_is_lock_free(size_t size, const volatile void *at)
{
    (void)size;
    (void)at;
    return 1;
}
