#include "api/http/selfprofile.h"

#include "profiler/profile.h"
#include "profiler/record.h"
#include "runner/base/log.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_BYTES (4u << 20)
#define LISTENER_BYTES ((size_t)8 << 20)

struct listener {
    struct selfprofile *profile;
    struct listener *next;
    struct listener_wait wait;
    struct buf bytes;
    uint64_t until_ns;
    uint64_t dropped_bytes;
    bool sleeps;
    bool has_ended;
};

struct selfprofile {
    void *memory;
    pthread_mutex_t lock; /* over all below */
    struct buf head;      /* of this process */
    struct listener *listener;
};

/* The profiler hands its bytes to a function without a context. */
static struct selfprofile *self;

static void wake(struct listener *listener)
{
    if (!listener->sleeps)
        return;
    listener->sleeps = false;
    listener->wait.wake(listener->wait.user);
}

/* Holds the lock. */
static void spread(struct selfprofile *profile, const void *bytes, size_t size)
{
    for (struct listener *at = profile->listener; at; at = at->next) {
        if (at->bytes.size + size > LISTENER_BYTES)
            at->dropped_bytes += size;
        else
            buf_add(&at->bytes, bytes, size);
        wake(at);
    }
}

void selfprofile_add(struct selfprofile *profile, const void *bytes,
                     size_t size)
{
    pthread_mutex_lock(&profile->lock);
    spread(profile, bytes, size);
    pthread_mutex_unlock(&profile->lock);
}

/* A head comes with every 12th write; whoever listens gets the last one first,
 * and again behind what a worker wrote. */
static void take_own(void *data, uint64_t size)
{
    struct record record;

    if (size < sizeof record)
        return;
    memcpy(&record, data, sizeof record);
    pthread_mutex_lock(&self->lock);
    uint64_t head_size = (1 + (uint64_t)record.more) * sizeof record;
    if (record.kind == RECORD_HEAD && head_size <= size) {
        buf_clear(&self->head);
        buf_add(&self->head, data, head_size);
    } else {
        spread(self, self->head.data, self->head.size);
    }
    spread(self, data, size);
    pthread_mutex_unlock(&self->lock);
}

struct selfprofile *selfprofile_open(void)
{
    struct selfprofile *profile = mem_calloc(1, sizeof *profile);

    profile->memory = mem_alloc(MEMORY_BYTES);
    pthread_mutex_init(&profile->lock, NULL);
    self = profile;
    profile_initialize("bout serve", profile->memory, MEMORY_BYTES);
    profile_output(take_own);
    profile_enable(1);
    return profile;
}

void selfprofile_close(struct selfprofile *profile)
{
    if (!profile)
        return;
    profile_shutdown();
    self = NULL;
    pthread_mutex_destroy(&profile->lock);
    buf_release(&profile->head);
    free(profile->memory);
    free(profile);
}

/* ---- listeners ----------------------------------------------------------- */

static void listener_wait_by(void *user, const struct listener_wait *wait)
{
    struct listener *listener = user;

    listener->wait = *wait;
}

static void listener_close(void *user)
{
    struct listener *listener = user;
    struct selfprofile *profile = listener->profile;

    pthread_mutex_lock(&profile->lock);
    struct listener **link = &profile->listener;
    while (*link != listener)
        link = &(*link)->next;
    *link = listener->next;
    pthread_mutex_unlock(&profile->lock);
    if (listener->dropped_bytes)
        log_line(LOG_WARN, "http",
                 "a listener to the profile was too slow for %llu bytes",
                 (unsigned long long)listener->dropped_bytes);
    buf_release(&listener->bytes);
    free(listener);
}

static ssize_t listener_read(void *user, char *to, size_t size)
{
    struct listener *listener = user;
    struct selfprofile *profile = listener->profile;
    struct buf *bytes = &listener->bytes;
    ssize_t got = -1;

    pthread_mutex_lock(&profile->lock);
    if (bytes->size) {
        size_t count = size < bytes->size ? size : bytes->size;
        memcpy(to, bytes->data, count);
        memmove(bytes->data, bytes->data + count, bytes->size - count);
        bytes->size -= count;
        got = (ssize_t)count;
    } else if (!listener->has_ended) {
        listener->sleeps = true;
        listener->wait.sleep(listener->wait.user);
        got = 0;
    }
    pthread_mutex_unlock(&profile->lock);
    return got;
}

struct stream selfprofile_listen(struct selfprofile *profile, uint64_t until_ns)
{
    static const struct stream_ops ops = {
        .read = listener_read,
        .wait_by = listener_wait_by,
        .close = listener_close,
    };
    struct listener *listener = mem_calloc(1, sizeof *listener);

    listener->profile = profile;
    listener->until_ns = until_ns;
    pthread_mutex_lock(&profile->lock);
    listener->next = profile->listener;
    profile->listener = listener;
    pthread_mutex_unlock(&profile->lock);
    return (struct stream){.ops = &ops, .self = listener};
}

void selfprofile_tick(struct selfprofile *profile, uint64_t now_ns)
{
    if (!profile)
        return;
    pthread_mutex_lock(&profile->lock);
    for (struct listener *at = profile->listener; at; at = at->next) {
        if (at->until_ns > now_ns)
            continue;
        at->has_ended = true;
        wake(at);
    }
    pthread_mutex_unlock(&profile->lock);
}
