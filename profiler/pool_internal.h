/* pool: the blocks in the caller's memory, and two lists of them without locks.
 *
 * A free list is a stack whose head is an index and a tag that counts changes:
 * a block that was taken and put back meanwhile changes the tag, so the
 * exchange of a head that was read before fails (the ABA problem; Treiber,
 * 1986). A list of ended trees is only pushed to and taken whole, so it needs
 * no tag. Index 0 is "none". */
#pragma once

#include "profiler/record.h"

#include <stdatomic.h>
#include <stdint.h>

#define POOL_NONE 0u

struct block {
    struct record record;
    uint32_t parent;       /* while it is open */
    uint32_t child;        /* the newest one */
    uint32_t sibling;      /* the next older child */
    uint32_t text;         /* continuation, in order */
    _Atomic uint32_t next; /* in a list */
    uint32_t unused[3];
};

_Static_assert(sizeof(struct block) == 96, "what the manual says");

struct pool {
    struct block *block; /* [0] is not used */
    uint32_t count;
    uint32_t batch;        /* how many a thread takes at once */
    _Atomic uint64_t free; /* tag << 32 | index */
};

/* Returns how many blocks there are. */
uint32_t pool_init(struct pool *pool, void *buffer, uint64_t size);

/* Takes up to pool->batch blocks, linked by `next`; POOL_NONE where there is
 * none. What other threads do to the list meanwhile changes the tag, so what
 * was read on the way is either right or not used. */
static inline uint32_t pool_take(struct pool *pool)
{
    uint64_t head = atomic_load_explicit(&pool->free, memory_order_acquire);
    uint32_t first, last, next;

    do {
        first = last = (uint32_t)head;
        if (first == POOL_NONE)
            return POOL_NONE;
        next =
            atomic_load_explicit(&pool->block[last].next, memory_order_relaxed);
        for (uint32_t i = 1; i < pool->batch && next != POOL_NONE; i++) {
            last = next;
            next = atomic_load_explicit(&pool->block[last].next,
                                        memory_order_relaxed);
        }
    } while (!atomic_compare_exchange_weak_explicit(
        &pool->free, &head, ((head >> 32) + 1) << 32 | next,
        memory_order_acq_rel, memory_order_acquire));
    atomic_store_explicit(&pool->block[last].next, POOL_NONE,
                          memory_order_relaxed);
    return first;
}

static inline void pool_give(struct pool *pool, uint32_t index)
{
    uint64_t head = atomic_load_explicit(&pool->free, memory_order_relaxed);
    uint64_t now;

    pool->block[index].record.kind = 0;
    do {
        atomic_store_explicit(&pool->block[index].next, (uint32_t)head,
                              memory_order_relaxed);
        now = ((head >> 32) + 1) << 32 | index;
    } while (!atomic_compare_exchange_weak_explicit(
        &pool->free, &head, now, memory_order_acq_rel, memory_order_relaxed));
}

/* How many blocks hold something; when nothing else runs. */
uint32_t pool_used_count(const struct pool *pool);

static inline void list_push(struct pool *pool, _Atomic uint32_t *list,
                             uint32_t index)
{
    uint32_t head = atomic_load_explicit(list, memory_order_relaxed);

    do
        atomic_store_explicit(&pool->block[index].next, head,
                              memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(
        list, &head, index, memory_order_release, memory_order_relaxed));
}

/* Takes all, oldest first, linked by `next`. */
uint32_t list_take_all(struct pool *pool, _Atomic uint32_t *list);
