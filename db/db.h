/* db: one connection to the service's database, and statements on it.
 *
 * SQL stands once, in queries.def; a statement is named by its `enum query`.
 * A connection and its statements belong to one thread. The server has one
 * writing connection, owned by the writer (db/writer.h), and a reading one for
 * each thread that answers requests.
 *
 *     auto_stmt struct stmt *st = stmt_prepare(db, Q_USER_FIND, err);
 *     if (!st || stmt_bind_i64(st, 1, id, err) < 0)
 *         return -1;
 *     int row = stmt_step(st, err);       1 a row, 0 no more, -1 failed
 *
 * A statement is compiled once a connection and then only reset, so preparing
 * is cheap; a query has one user at a time (nesting it in itself is a bug).
 *
 * Errors: a broken uniqueness rule is ERR_CONFLICT, a busy database ERR_BUSY,
 * all else ERR_SYSTEM. Times are nanoseconds since 1970, texts UTF-8.
 * Source: sqlite3 C API; pragmas and figures in sqlite.c.
 */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum query {
#define QUERY(name, sql) Q_##name,
#include "db/queries.def"
    QUERY_COUNT
};

struct db;
struct stmt;

enum db_mode {
    DB_READ,  /* read only; the file must exist and be migrated */
    DB_WRITE, /* creates and migrates the file; one a server, see db_lock */
};

/* Opens `path`. A file of another program or of a newer version is
 * ERR_INPUT and stays untouched. NULL on failure. */
struct db *db_open(const char *path, enum db_mode mode, struct err *err);
void db_close(struct db *db);

/* Takes DATA/lock for as long as the descriptor returned stays open (also past
 * kill -9: the kernel lets go). Another server's lock is ERR_CONFLICT. */
int db_lock(const char *data_folder, struct err *err);

/* BEGIN IMMEDIATE ... COMMIT. db_rollback is safe without a transaction. */
int db_begin(struct db *db, struct err *err);
int db_commit(struct db *db, struct err *err);
void db_rollback(struct db *db);

/* How durable the commits that follow are: true waits for the disk (uploads
 * that get acknowledged), false may lose the last commits at power loss, never
 * at a crash of ours. Outside a transaction only. */
int db_set_durable(struct db *db, bool durable, struct err *err);

/* Rows changed by the last statement; id of the last row inserted. */
int64_t db_changes(const struct db *db);
int64_t db_last_id(const struct db *db);

struct stmt *stmt_prepare(struct db *db, enum query query, struct err *err);
void stmt_release(struct stmt **st);
#define auto_stmt __attribute__((cleanup(stmt_release)))

/* Parameters count from 1, as $1 in queries.def. Bytes and texts are borrowed
 * until stmt_release; NULL text is SQL's NULL. */
int stmt_bind_i64(struct stmt *st, int at, int64_t value, struct err *err);
int stmt_bind_f64(struct stmt *st, int at, double value, struct err *err);
int stmt_bind_text(struct stmt *st, int at, const char *text, struct err *err);
int stmt_bind_blob(struct stmt *st, int at, const void *bytes, size_t size,
                   struct err *err);
int stmt_bind_null(struct stmt *st, int at, struct err *err);

int stmt_step(struct stmt *st, struct err *err);
/* Steps a statement that gives no rows. */
int stmt_run(struct stmt *st, struct err *err);

/* Columns count from 0 and are valid until the next step. A NULL reads as 0,
 * NULL or no bytes. */
bool stmt_is_null(const struct stmt *st, int column);
int64_t stmt_i64(const struct stmt *st, int column);
double stmt_f64(const struct stmt *st, int column);
const char *stmt_text(const struct stmt *st, int column);
const void *stmt_blob(const struct stmt *st, int column, size_t *size);
/* A copy for the caller to free; NULL for NULL. */
char *stmt_take_text(const struct stmt *st, int column);
