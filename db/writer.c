/* One thread, one connection, one transaction a write, in order of posting.
 * Between processes SQLite's lock is unfair (waiters sleep and guess); inside
 * one, a queue and a condition variable give each write its turn. */
#include "db/writer.h"

#include "runner/base/cleanup.h"
#include "runner/base/log.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#define QUEUE_MAX 4096 /* writes of 1 ms: what waits longer is better told */

struct write {
    struct write *next;
    bool durable;
    writer_fn fn;
    writer_done done;
    void *arg;
};

struct writer {
    struct db *db; /* the thread's alone */
    pthread_t thread;
    bool durable; /* what the connection is set to */
    void (*before)(void);
    void (*after)(void);
    atomic_int trouble; /* for writer_trouble */

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t posted;
    struct write *first;
    struct write **last;
    size_t depth;
    bool closing;
};

static int write_set_durable(struct writer *writer, bool durable,
                             struct err *err)
{
    if (writer->durable == durable)
        return 0;
    if (db_set_durable(writer->db, durable, err) < 0)
        return -1;
    writer->durable = durable;
    return 0;
}

static int write_perform(struct writer *writer, const struct write *write,
                         struct err *err)
{
    if (write_set_durable(writer, write->durable, err) < 0 ||
        db_begin(writer->db, err) < 0)
        return -1;
    int64_t changes = db_total_changes(writer->db);
    int result = write->fn(writer->db, write->arg, err);
    if (result >= 0 && db_commit(writer->db, err) < 0)
        result = -1;
    if (result < 0)
        db_rollback(writer->db);
    else if (db_total_changes(writer->db) != changes)
        atomic_store(&writer->trouble, ERR_NONE);
    return result;
}

static void writer_note_failure(struct writer *writer, const struct err *err)
{
    if (err->kind == ERR_FULL || err->kind == ERR_DISK)
        atomic_store(&writer->trouble, (int)err->kind);
    if (err->kind == ERR_SYSTEM || err->kind == ERR_DISK)
        log_line(LOG_ALARM, "db", "write failed: %s", err->msg);
}

/* The next write, or NULL when closing and nothing is left. */
static struct write *write_take(struct writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    while (!writer->first && !writer->closing)
        pthread_cond_wait(&writer->posted, &writer->lock);
    struct write *write = writer->first;
    if (write) {
        writer->first = write->next;
        if (!writer->first)
            writer->last = &writer->first;
        writer->depth--;
    }
    pthread_mutex_unlock(&writer->lock);
    return write;
}

static void *writer_main(void *arg)
{
    struct writer *writer = arg;

    for (struct write *write; (write = write_take(writer)) != NULL;) {
        struct err err = {0};
        if (writer->before)
            writer->before();
        int result = write_perform(writer, write, &err);
        if (writer->after)
            writer->after();
        if (result < 0)
            writer_note_failure(writer, &err);
        if (write->done)
            write->done(write->arg, result, &err);
        free(write);
    }
    return NULL;
}

struct writer *writer_open(const char *path, struct err *err)
{
    struct db *db = db_open(path, DB_WRITE, err);

    if (!db)
        return NULL;
    struct writer *writer = mem_calloc(1, sizeof *writer);
    writer->db = db;
    writer->last = &writer->first;
    pthread_mutex_init(&writer->lock, NULL);
    pthread_cond_init(&writer->posted, NULL);
    int code = pthread_create(&writer->thread, NULL, writer_main, writer);
    if (code != 0) {
        err_sys(err, code, "writer: thread");
        db_close(db);
        free(writer);
        return NULL;
    }
    return writer;
}

void writer_watch(struct writer *writer, void (*before)(void),
                  void (*after)(void))
{
    pthread_mutex_lock(&writer->lock);
    writer->before = before;
    writer->after = after;
    pthread_mutex_unlock(&writer->lock);
}

void writer_close(struct writer *writer)
{
    if (!writer)
        return;
    pthread_mutex_lock(&writer->lock);
    writer->closing = true;
    pthread_cond_signal(&writer->posted);
    pthread_mutex_unlock(&writer->lock);
    pthread_join(writer->thread, NULL);
    db_close(writer->db);
    pthread_cond_destroy(&writer->posted);
    pthread_mutex_destroy(&writer->lock);
    free(writer);
}

int writer_post(struct writer *writer, bool durable, writer_fn fn,
                writer_done done, void *arg, struct err *err)
{
    int result = 0;

    pthread_mutex_lock(&writer->lock);
    if (writer->closing || writer->depth >= QUEUE_MAX) {
        result = err_set(err, ERR_BUSY,
                         writer->closing ? "the service is stopping"
                                         : "too many writes wait; try again");
    } else {
        struct write *write = mem_alloc(sizeof *write);
        *write = (struct write){
            .durable = durable, .fn = fn, .done = done, .arg = arg};
        *writer->last = write;
        writer->last = &write->next;
        writer->depth++;
        pthread_cond_signal(&writer->posted);
    }
    pthread_mutex_unlock(&writer->lock);
    return result;
}

/* ---- waiting for one ------------------------------------------------------
 */

struct run {
    writer_fn fn;
    void *arg;
    int result;
    struct err err;
    bool done;
    pthread_mutex_t lock; /* guards `done` */
    pthread_cond_t ended;
};

static int run_fn(struct db *db, void *arg, struct err *err)
{
    struct run *run = arg;

    return run->fn(db, run->arg, err);
}

static void run_done(void *arg, int result, const struct err *err)
{
    struct run *run = arg;

    run->result = result;
    run->err = *err;
    pthread_mutex_lock(&run->lock);
    run->done = true;
    pthread_cond_signal(&run->ended);
    pthread_mutex_unlock(&run->lock);
}

int writer_run(struct writer *writer, bool durable, writer_fn fn, void *arg,
               struct err *err)
{
    struct run run = {.fn = fn, .arg = arg};

    assert(!pthread_equal(pthread_self(), writer->thread));
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.ended, NULL);
    int posted = writer_post(writer, durable, run_fn, run_done, &run, err);
    if (posted == 0) {
        pthread_mutex_lock(&run.lock);
        while (!run.done)
            pthread_cond_wait(&run.ended, &run.lock);
        pthread_mutex_unlock(&run.lock);
        if (run.result < 0)
            *err = run.err;
    }
    pthread_cond_destroy(&run.ended);
    pthread_mutex_destroy(&run.lock);
    return posted < 0 ? -1 : run.result;
}

enum err_kind writer_trouble(const struct writer *writer)
{
    return (enum err_kind)atomic_load(&writer->trouble);
}

size_t writer_depth(struct writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    size_t depth = writer->depth;
    pthread_mutex_unlock(&writer->lock);
    return depth;
}
