/* writer: the one thread that writes to the database.
 *
 * A write is a function that runs inside a transaction of its own, in the order
 * of posting; its failure rolls back. Handlers of requests post and return (the
 * connection suspended); threads of ours that may wait use writer_run. All
 * functions are safe from any thread but the writer's own callbacks, which must
 * not call writer_run.
 */
#pragma once

#include "db/db.h"

struct writer;

/* Runs on the writer's thread, inside a transaction. Its result (>= 0) goes to
 * `done`; -1 with *err rolls back. Must not keep `db`. */
typedef int (*writer_fn)(struct db *db, void *arg, struct err *err);

/* Runs on the writer's thread after the commit or rollback. `result` is the
 * function's, or -1 with *err (also when the commit failed). It owns `arg`
 * again. Must be quick. May be NULL. */
typedef void (*writer_done)(void *arg, int result, const struct err *err);

/* Opens (creates, migrates) the database and starts the thread. */
struct writer *writer_open(const char *path, struct err *err);
/* Calls these around each write and its commit, on the writer's thread. To be
 * called before anything is posted. */
void writer_watch(struct writer *writer, void (*before)(void),
                  void (*after)(void));

/* Does what was posted, then ends. */
void writer_close(struct writer *writer);

/* Queues. `durable`: committed to the disk before `done` is called (uploads).
 * -1 with ERR_BUSY if too much waits; then nothing is called. */
int writer_post(struct writer *writer, bool durable, writer_fn fn,
                writer_done done, void *arg, struct err *err);

/* Queues and waits; the function's result. */
int writer_run(struct writer *writer, bool durable, writer_fn fn, void *arg,
               struct err *err);

/* ERR_FULL or ERR_DISK since a write failed for that and until one succeeds,
 * else ERR_NONE. */
enum err_kind writer_trouble(const struct writer *writer);

/* Writes waiting now, for /metrics. */
size_t writer_depth(struct writer *writer);
