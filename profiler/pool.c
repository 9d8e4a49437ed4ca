#include "profiler/pool_internal.h"

#include <stddef.h>
#include <string.h>

uint32_t pool_init(struct pool *pool, void *buffer, uint64_t size)
{
    uintptr_t start = ((uintptr_t)buffer + 15) & ~(uintptr_t)15;
    uint64_t lost = start - (uintptr_t)buffer;
    uint64_t count = size > lost ? (size - lost) / sizeof(struct block) : 0;

    *pool = (struct pool){0};
    if (count < 2)
        return 0;
    if (count > UINT32_MAX)
        count = UINT32_MAX;
    pool->block = (struct block *)start;
    pool->count = (uint32_t)count;
    pool->batch = pool->count / 256 < 16 ? pool->count / 256 : 16;
    for (uint32_t i = 1; i < count; i++) {
        pool->block[i].record.kind = 0;
        atomic_init(&pool->block[i].next, i + 1 < count ? i + 1 : POOL_NONE);
    }
    atomic_init(&pool->free, 1);
    return (uint32_t)count - 1;
}

uint32_t pool_used_count(const struct pool *pool)
{
    uint32_t count = 0;

    for (uint32_t i = 1; i < pool->count; i++)
        count += pool->block[i].record.kind != 0;
    return count;
}

uint32_t list_take_all(struct pool *pool, _Atomic uint32_t *list)
{
    uint32_t newest =
        atomic_exchange_explicit(list, POOL_NONE, memory_order_acquire);
    uint32_t oldest = POOL_NONE;

    while (newest != POOL_NONE) {
        struct block *block = &pool->block[newest];
        uint32_t older =
            atomic_load_explicit(&block->next, memory_order_relaxed);
        atomic_store_explicit(&block->next, oldest, memory_order_relaxed);
        oldest = newest;
        newest = older;
    }
    return oldest;
}
