/* profile: the calls of profiled threads, and the thread that writes.
 *
 * A thread keeps the index of its innermost open block. begin takes a block
 * from the pool and hangs it under that one; end hangs it into its parent's
 * list of children, or, if it was outermost, pushes the whole tree to `ended`.
 * From there the writing thread takes it, gives numbers, writes it out in order
 * and puts the blocks back. Nobody else touches a block between.
 *
 * The one struct below is file-scope because the calls name no subject: that is
 * the interface of the ancestors, and one profiler a process is its point. */
#include "profiler/profile.h"

#include "profiler/profile_internal.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct profiler profiler;

struct thread {
    uint32_t generation; /* of the profiler that the rest belongs to */
    uint32_t id;
    uint32_t current; /* the innermost open block */
    uint32_t skipped; /* begins that failed and were not ended yet */
    uint32_t stash;   /* blocks that were taken beforehand, by `next` */
};

static _Thread_local struct thread thread;

/* ---- blocks -------------------------------------------------------------- */

static struct block *block_at(uint32_t index)
{
    return &profiler.pool.block[index];
}

static void say_lost(void)
{
    if (atomic_fetch_add_explicit(&profiler.lost, 1, memory_order_relaxed) == 0)
        fputs("profile: out of blocks: give profile_initialize a larger "
              "buffer, or profile_output_wait a shorter time\n",
              stderr);
}

static uint32_t take_block(void)
{
    uint32_t index = thread.stash;

    if (index == POOL_NONE) {
        index = pool_take(&profiler.pool);
        if (index == POOL_NONE) {
            say_lost();
            return POOL_NONE;
        }
    }
    thread.stash =
        atomic_load_explicit(&block_at(index)->next, memory_order_relaxed);
    return index;
}

/* The text that did not fit into the block's own record; cut where no block is
 * left. */
static void add_text(struct block *block, const char *text)
{
    uint32_t *link = &block->text;

    while (*text) {
        uint32_t index = take_block();
        if (index == POOL_NONE)
            return;
        struct block *part = block_at(index);
        size_t size = strnlen(text, RECORD_TEXT);
        memset(&part->record, 0, sizeof part->record);
        part->record.kind = RECORD_MORE;
        memcpy(part->record.text, text, size);
        part->text = POOL_NONE;
        *link = index;
        link = &part->text;
        block->record.more++;
        text += size;
    }
}

static uint32_t new_block(enum record_kind kind, const char *text, uint64_t now,
                          uint32_t processor)
{
    uint32_t index = take_block();

    if (index == POOL_NONE)
        return POOL_NONE;
    struct block *block = block_at(index);
    size_t size = 0;
    memset(block->record.text, 0, RECORD_TEXT);
    for (const char *from = text; *from && size < RECORD_TEXT; from++)
        block->record.text[size++] = *from;
    block->record.kind = kind;
    block->record.thread = thread.id;
    block->record.processor = processor;
    block->record.more = 0;
    block->record.start = now;
    block->record.end = 0;
    block->child = block->sibling = block->text = POOL_NONE;
    if (size == RECORD_TEXT)
        add_text(block, text + size);
    return index;
}

/* Hangs an ended block or a message into its parent, or hands it to the
 * writer. */
static void hand_over(uint32_t index, uint32_t parent)
{
    struct block *block = block_at(index);

    block->parent = parent;
    if (parent == POOL_NONE) {
        list_push(&profiler.pool, &profiler.ended, index);
        return;
    }
    block->sibling = block_at(parent)->child;
    block_at(parent)->child = index;
}

/* The same text again, for the other part of a block that is split. */
static void copy_text(struct block *to, const struct block *from)
{
    uint32_t *link = &to->text;

    memcpy(to->record.text, from->record.text, RECORD_TEXT);
    for (uint32_t i = from->text; i != POOL_NONE; i = block_at(i)->text) {
        uint32_t index = take_block();
        if (index == POOL_NONE)
            return;
        block_at(index)->record = block_at(i)->record;
        block_at(index)->text = POOL_NONE;
        *link = index;
        link = &block_at(index)->text;
        to->record.more++;
    }
}

/* Ends the open block `index` and begins it anew on another core. */
static void split(uint32_t index, uint64_t now, uint32_t processor)
{
    uint32_t again = new_block(RECORD_BLOCK, "", now, processor);

    if (again == POOL_NONE)
        return;
    struct block *block = block_at(index);
    copy_text(block_at(again), block);
    block_at(again)->parent = block->parent;
    block->record.end = now;
    thread.current = again;
    hand_over(index, block->parent);
}

/* ---- threads ------------------------------------------------------------- */

/* False: there is no profiler. */
static bool thread_is_ready(void)
{
    uint32_t now =
        atomic_load_explicit(&profiler.generation, memory_order_acquire);

    if (thread.generation == now)
        return now % 2;
    thread = (struct thread){.generation = now, .id = (uint32_t)gettid()};
    if (now % 2)
        pthread_setspecific(profiler.at_exit, &thread);
    return now % 2;
}

/* A thread that ends with open blocks: they end here. */
static void end_thread(void *data)
{
    (void)data;
    if (!thread_is_ready())
        return;
    while (thread.stash != POOL_NONE) {
        uint32_t index = thread.stash;
        thread.stash =
            atomic_load_explicit(&block_at(index)->next, memory_order_relaxed);
        pool_give(&profiler.pool, index);
    }
    if (thread.current == POOL_NONE)
        return;
    fprintf(stderr, "profile: thread %u ended with open blocks\n", thread.id);
    thread.skipped = 0;
    while (thread.current != POOL_NONE)
        profile_end_block();
}

static bool is_enabled(void)
{
    return atomic_load_explicit(&profiler.enabled, memory_order_relaxed) &&
           thread_is_ready();
}

static uint64_t now_ticks(uint32_t *processor)
{
    return tick_now(&profiler.clock, processor) - profiler.ground;
}

/* ---- the calls ----------------------------------------------------------- */

void profile_begin_block(const char *name)
{
    uint32_t processor;
    uint32_t index;

    if (!atomic_load_explicit(&profiler.enabled, memory_order_relaxed) ||
        !thread_is_ready() || thread.skipped) {
        thread.skipped += thread_is_ready();
        return;
    }
    uint64_t now = now_ticks(&processor);
    index = new_block(RECORD_BLOCK, name, now, processor);
    if (index == POOL_NONE) {
        thread.skipped++;
        return;
    }
    block_at(index)->parent = thread.current;
    thread.current = index;
}

void profile_end_block(void)
{
    uint32_t processor;
    uint32_t index;

    if (!thread_is_ready())
        return;
    if (thread.skipped) {
        thread.skipped--;
        return;
    }
    index = thread.current;
    if (index == POOL_NONE)
        return;
    uint64_t now = now_ticks(&processor);
    uint32_t parent = block_at(index)->parent;
    block_at(index)->record.end = now;
    thread.current = parent;
    hand_over(index, parent);
    if (parent != POOL_NONE && block_at(parent)->record.processor != processor)
        split(parent, now, processor);
}

void profile_update_block(void)
{
    uint32_t processor;

    if (!thread_is_ready() || thread.skipped || thread.current == POOL_NONE)
        return;
    uint64_t now = now_ticks(&processor);
    if (block_at(thread.current)->record.processor != processor)
        split(thread.current, now, processor);
}

static void message(enum record_kind kind, const char *text, uint64_t number,
                    uint32_t parent)
{
    uint32_t processor;
    uint64_t now = now_ticks(&processor);
    uint32_t index = new_block(kind, text, now, processor);

    if (index == POOL_NONE)
        return;
    block_at(index)->record.end = number;
    hand_over(index, parent);
}

void profile_end_frame(uint64_t number)
{
    if (is_enabled())
        message(RECORD_FRAME, "", number, POOL_NONE);
}

#define MESSAGE(function, KIND)                              \
    void function(const char *text)                          \
    {                                                        \
        if (is_enabled())                                    \
            message(RECORD_##KIND, text, 0, thread.current); \
    }

MESSAGE(profile_log, LOG)
MESSAGE(profile_trylock, TRYLOCK)
MESSAGE(profile_lock, LOCK)
MESSAGE(profile_unlock, UNLOCK)
MESSAGE(profile_wait, WAIT)
MESSAGE(profile_signal, SIGNAL)

/* ---- life ---------------------------------------------------------------- */

int profile_initialize(const char *identifier, void *buffer, uint64_t size)
{
    uint32_t generation = atomic_load(&profiler.generation);

    if (generation % 2 || !pool_init(&profiler.pool, buffer, size))
        return -1;
    if (!generation)
        pthread_key_create(&profiler.at_exit, end_thread);
    uint32_t processor;
    profiler.identifier = identifier;
    atomic_store(&profiler.writer, NULL);
    atomic_store(&profiler.wait_ms, 100);
    atomic_store(&profiler.ended, POOL_NONE);
    atomic_store(&profiler.lost, 0);
    profiler.last_id = 0;
    profiler.writes = 0;
    tick_init(&profiler.clock);
    profiler.ground = tick_now(&profiler.clock, &processor);
    pthread_mutex_init(&profiler.lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&profiler.ending, &attributes);
    pthread_condattr_destroy(&attributes);
    atomic_store_explicit(&profiler.generation, generation + 1,
                          memory_order_release);
    return 0;
}

uint64_t profile_shutdown(void)
{
    uint32_t generation = atomic_load(&profiler.generation);

    if (generation % 2 == 0)
        return 0;
    profile_enable(0);
    output_last(&profiler);
    atomic_store(&profiler.generation, generation + 1);
    uint64_t lost = atomic_load(&profiler.lost);
    uint64_t open = pool_used_count(&profiler.pool);
    if (open)
        fprintf(stderr, "profile: %llu blocks were never ended\n",
                (unsigned long long)open);
    pthread_cond_destroy(&profiler.ending);
    pthread_mutex_destroy(&profiler.lock);
    return lost + open;
}

void profile_enable(int enabled)
{
    if (atomic_load(&profiler.generation) % 2 == 0 ||
        atomic_exchange(&profiler.enabled, enabled != 0) == (enabled != 0))
        return;
    if (enabled)
        output_start(&profiler);
    else
        output_stop(&profiler);
}

void profile_output(profile_write_fn writer)
{
    atomic_store(&profiler.writer, writer);
}

void profile_output_wait(uint64_t milliseconds)
{
    atomic_store(&profiler.wait_ms, milliseconds ? milliseconds : 1);
}

const char *profile_identifier(void)
{
    return profiler.identifier ? profiler.identifier : "";
}
