#include "runner/work/journal.h"

#include "profiler/profile.h"
#include "profiler/record.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define MEMORY_BYTES (1u << 20)

/* The profiler hands its bytes to a function without a context. */
static struct {
    pthread_mutex_t lock;
    struct buf head; /* the last one, with its text */
    struct buf kept;
} journal = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Remembers the head that a write begins with. */
static void note_head(const void *data, uint64_t size)
{
    struct record record;

    memcpy(&record, data, sizeof record);
    if (record.kind != RECORD_HEAD ||
        (1 + (uint64_t)record.more) * sizeof record > size)
        return;
    buf_clear(&journal.head);
    buf_add(&journal.head, data, (1 + (size_t)record.more) * sizeof record);
}

static void keep(void *data, uint64_t size)
{
    pthread_mutex_lock(&journal.lock);
    if (size >= sizeof(struct record))
        note_head(data, size);
    if (journal.kept.size + size <= JOURNAL_BYTES)
        buf_add(&journal.kept, data, size);
    pthread_mutex_unlock(&journal.lock);
}

void journal_open(const char *identifier)
{
    if (profile_initialize(identifier, mem_alloc(MEMORY_BYTES), MEMORY_BYTES) <
        0)
        return;
    profile_output(keep);
    profile_enable(1);
}

void journal_take(struct buf *out)
{
    pthread_mutex_lock(&journal.lock);
    if (journal.kept.size) {
        buf_add(out, journal.head.data, journal.head.size);
        buf_add(out, journal.kept.data, journal.kept.size);
    }
    buf_clear(&journal.kept);
    pthread_mutex_unlock(&journal.lock);
}
