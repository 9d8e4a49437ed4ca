/* output: the profiler's own thread. It wakes up each wait_ms, writes all trees
 * that ended meanwhile, and shows its own work as the block "profile_io". */
#include "profiler/profile_internal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#define HEAD_EVERY 12 /* writes with something in them */
#define BATCH 64      /* records a call of the writer */

struct batch {
    profile_write_fn writer;
    struct record record[BATCH];
    size_t count;
};

static void batch_flush(struct batch *batch)
{
    if (batch->count && batch->writer)
        batch->writer(batch->record, batch->count * sizeof *batch->record);
    batch->count = 0;
}

static void batch_add(struct batch *batch, const struct record *record)
{
    batch->record[batch->count++] = *record;
    if (batch->count == BATCH)
        batch_flush(batch);
}

static void add_head(struct profiler *profiler, struct batch *batch)
{
    const char *rest = profiler->identifier;
    size_t size = strnlen(rest, RECORD_TEXT);
    struct record head = {
        .kind = RECORD_HEAD,
        .id = RECORD_VERSION,
        .parent = RECORD_BYTE_ORDER,
        .start = RECORD_MAGIC,
        .end = profiler->clock.per_second,
    };

    memcpy(head.text, rest, size);
    rest += size;
    head.more = (uint32_t)((strlen(rest) + RECORD_TEXT - 1) / RECORD_TEXT);
    batch_add(batch, &head);
    while (*rest) {
        struct record more = {.kind = RECORD_MORE};
        size = strnlen(rest, RECORD_TEXT);
        memcpy(more.text, rest, size);
        batch_add(batch, &more);
        rest += size;
    }
}

/* ---- trees --------------------------------------------------------------- */

static void write_one(struct profiler *profiler, struct batch *batch,
                      uint32_t index)
{
    struct block *block = &profiler->pool.block[index];
    uint32_t parent = block->parent;

    block->record.id = ++profiler->last_id;
    block->record.parent =
        parent == POOL_NONE ? 0 : profiler->pool.block[parent].record.id;
    batch_add(batch, &block->record);
    for (uint32_t i = block->text; i != POOL_NONE;) {
        uint32_t next = profiler->pool.block[i].text;
        batch_add(batch, &profiler->pool.block[i].record);
        pool_give(&profiler->pool, i);
        i = next;
    }
}

/* Children were hung in newest first. */
static uint32_t oldest_child(struct profiler *profiler, uint32_t index)
{
    struct block *all = profiler->pool.block;
    uint32_t newest = all[index].child;
    uint32_t oldest = POOL_NONE;

    while (newest != POOL_NONE) {
        uint32_t older = all[newest].sibling;
        all[newest].sibling = oldest;
        oldest = newest;
        newest = older;
    }
    return oldest;
}

/* Gives back block `index`, whose children are written, and those above it
 * whose last child it is. What comes next, or POOL_NONE behind the root. */
static uint32_t after_tree(struct profiler *profiler, uint32_t index,
                           uint32_t root)
{
    struct block *all = profiler->pool.block;

    for (;;) {
        uint32_t sibling = all[index].sibling;
        uint32_t parent = all[index].parent;
        bool was_root = index == root;
        pool_give(&profiler->pool, index);
        if (was_root)
            return POOL_NONE;
        if (sibling != POOL_NONE)
            return sibling;
        index = parent;
    }
}

/* A block before its children, whatever the depth; given back behind them. */
static void write_tree(struct profiler *profiler, struct batch *batch,
                       uint32_t root)
{
    uint32_t index = root;

    while (index != POOL_NONE) {
        write_one(profiler, batch, index);
        uint32_t child = oldest_child(profiler, index);
        index = child != POOL_NONE ? child : after_tree(profiler, index, root);
    }
}

static void add_own_work(struct profiler *profiler, struct batch *batch,
                         uint64_t start)
{
    struct record own = {
        .kind = RECORD_BLOCK,
        .id = ++profiler->last_id,
        .start = start,
        .text = "profile_io",
    };

    own.end = tick_now(&profiler->clock, &own.processor) - profiler->ground;
    batch_add(batch, &own);
}

static void write_ended(struct profiler *profiler)
{
    struct batch batch = {.writer = atomic_load(&profiler->writer)};
    uint32_t processor;
    uint64_t start = tick_now(&profiler->clock, &processor) - profiler->ground;
    uint32_t index = list_take_all(&profiler->pool, &profiler->ended);

    if (index == POOL_NONE)
        return;
    if (profiler->writes++ % HEAD_EVERY == 0)
        add_head(profiler, &batch);
    while (index != POOL_NONE) {
        uint32_t next = atomic_load_explicit(&profiler->pool.block[index].next,
                                             memory_order_relaxed);
        write_tree(profiler, &batch, index);
        index = next;
    }
    add_own_work(profiler, &batch, start);
    batch_flush(&batch);
}

/* ---- the thread ---------------------------------------------------------- */

/* True when it is time to end. */
static bool wait_a_while(struct profiler *profiler)
{
    uint64_t ms = atomic_load(&profiler->wait_ms);
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    uint64_t ns = (uint64_t)until.tv_nsec + ms % 1000 * 1000000;
    until.tv_sec += (time_t)(ms / 1000 + ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    pthread_mutex_lock(&profiler->lock);
    while (!profiler->is_ending &&
           pthread_cond_timedwait(&profiler->ending, &profiler->lock, &until) !=
               ETIMEDOUT)
        ;
    bool is_ending = profiler->is_ending;
    pthread_mutex_unlock(&profiler->lock);
    return is_ending;
}

static void *run(void *data)
{
    struct profiler *profiler = data;

    while (!wait_a_while(profiler))
        write_ended(profiler);
    write_ended(profiler);
    return NULL;
}

void output_start(struct profiler *profiler)
{
    sigset_t all, before;

    profiler->is_ending = false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&profiler->thread, NULL, run, profiler))
        atomic_store(&profiler->enabled, false);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void output_stop(struct profiler *profiler)
{
    pthread_mutex_lock(&profiler->lock);
    profiler->is_ending = true;
    pthread_cond_signal(&profiler->ending);
    pthread_mutex_unlock(&profiler->lock);
    pthread_join(profiler->thread, NULL);
}

void output_last(struct profiler *profiler)
{
    struct batch batch = {.writer = atomic_load(&profiler->writer)};
    struct record end = {
        .kind = RECORD_END,
        .start = atomic_load(&profiler->lost),
    };

    write_ended(profiler);
    if (!profiler->writes++)
        add_head(profiler, &batch);
    batch_add(&batch, &end);
    batch_flush(&batch);
}
