/* db: one connection to the service's database, and statements on it.
 *
 * SQL stands once, in queries.def; a statement is named by its `enum query`.
 * A connection and its statements belong to one thread. The server has one
 * writing connection, owned by the writer (db/writer.h), and a reading one for
 * each thread that answers requests.
 *
 *     auto_stmt struct stmt *st = stmt_open(db, Q_USER_FIND, err, SQL_I64(id));
 *     if (!st)
 *         return -1;
 *     int row = stmt_step(st, err);       1 a row, 0 no more, -1 failed
 *
 * A statement is compiled once a connection and then only reset, so preparing
 * is cheap; a query has one user at a time (nesting it in itself is a bug).
 *
 * Errors: a broken uniqueness rule is ERR_CONFLICT, a busy database ERR_BUSY,
 * ERR_FULL where the disk has no room, ERR_DISK where it takes no writes or
 * fails, all else ERR_SYSTEM. Times are nanoseconds since 1970, texts UTF-8.
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
    DB_COPY,  /* read only, of any version that we know: only to be copied */
    DB_WRITE, /* creates and migrates the file; one a server, see db_lock */
};

/* Opens `path`. A file of another program or of a newer version is
 * ERR_INPUT and stays untouched. NULL on failure. */
struct db *db_open(const char *path, enum db_mode mode, struct err *err);
void db_close(struct db *db);

/* Takes DATA/lock for as long as the descriptor returned stays open (also past
 * kill -9: the kernel lets go). Another server's lock is ERR_BUSY. */
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
/* Rows changed since it was opened, by all statements. */
int64_t db_total_changes(const struct db *db);
int64_t db_last_id(const struct db *db);

struct stmt *stmt_prepare(struct db *db, enum query query, struct err *err);
void stmt_release(struct stmt **st);
#define auto_stmt __attribute__((cleanup(stmt_release)))

/* What a parameter is bound to. Texts and bytes are borrowed until
 * stmt_release or the next bind; a NULL text is SQL's NULL. */
enum value_kind { VALUE_NULL, VALUE_I64, VALUE_F64, VALUE_TEXT, VALUE_BLOB };

struct value {
    enum value_kind kind;
    int64_t i64;
    double f64;
    const void *bytes;
    size_t size;
};

#define SQL_NULL ((struct value){.kind = VALUE_NULL})
#define SQL_I64(x) ((struct value){.kind = VALUE_I64, .i64 = (int64_t)(x)})
#define SQL_F64(x) ((struct value){.kind = VALUE_F64, .f64 = (x)})
#define SQL_TEXT(x) ((struct value){.kind = VALUE_TEXT, .bytes = (x)})
#define SQL_BLOB(x, n) \
    ((struct value){.kind = VALUE_BLOB, .bytes = (x), .size = (n)})
/* An id or time of which 0 stands for SQL's NULL. */
#define SQL_OR_NULL(x) ((x) ? SQL_I64(x) : SQL_NULL)

/* Binds $1, $2, ... in this order. */
int stmt_bind_values(struct stmt *st, const struct value *value, size_t count,
                     struct err *err);
#define stmt_bind(st, err, ...)                                    \
    stmt_bind_values(st, (const struct value[]){__VA_ARGS__},      \
                     sizeof((const struct value[]){__VA_ARGS__}) / \
                         sizeof(struct value),                     \
                     err)

/* stmt_prepare and stmt_bind; NULL on failure. */
struct stmt *stmt_open_values(struct db *db, enum query query,
                              const struct value *value, size_t count,
                              struct err *err);
#define stmt_open(db, query, err, ...)                               \
    stmt_open_values(db, query, (const struct value[]){__VA_ARGS__}, \
                     sizeof((const struct value[]){__VA_ARGS__}) /   \
                         sizeof(struct value),                       \
                     err)

/* 1: a row; 0: no more; -1. */
int stmt_step(struct stmt *st, struct err *err);
/* The same for a page of `limit` rows, of which `count` are read, by a query
 * that asks for one more: 0 too when the page is full. *more: rows are left.
 * A statement that could not be opened, NULL, is -1. */
int stmt_page(struct stmt *st, size_t limit, size_t count, bool *more,
              struct err *err);
/* Runs a statement that gives no rows; it may be bound and run again. */
int stmt_run(struct stmt *st, struct err *err);

/* Prepares, binds and runs a statement that gives no rows. */
#define db_run(db, query, err, ...)                               \
    db_run_values(db, query, (const struct value[]){__VA_ARGS__}, \
                  sizeof((const struct value[]){__VA_ARGS__}) /   \
                      sizeof(struct value),                       \
                  err)
int db_run_values(struct db *db, enum query query, const struct value *value,
                  size_t count, struct err *err);

/* Columns count from 0 and are valid until the next step. A NULL reads as 0,
 * NULL or no bytes. */
bool stmt_is_null(const struct stmt *st, int column);
int64_t stmt_i64(const struct stmt *st, int column);
double stmt_f64(const struct stmt *st, int column);
const char *stmt_text(const struct stmt *st, int column);
const void *stmt_blob(const struct stmt *st, int column, size_t *size);
/* A copy for the caller to free; NULL for NULL. */
char *stmt_take_text(const struct stmt *st, int column);
