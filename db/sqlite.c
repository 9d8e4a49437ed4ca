/* The only file that knows SQLite (3.40 or newer). Result codes end here.
 *
 * Write-ahead log: readers never wait for the writer. Writers say BEGIN
 * IMMEDIATE, because a transaction that starts reading and then writes is
 * refused at once when another has written, without the busy handler.
 * synchronous NORMAL survives any crash of ours and may lose the last commits
 * at power loss, which for results means that they are played again; FULL costs
 * an fsync a commit. Source: sqlite.org/pragma.html, /wal.html,
 * /isolation.html.
 */
#include "db/db.h"

#include "db/migrations.h"
#include "runner/base/cleanup.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/file.h>

#define APPLICATION_ID 0x424F5554 /* "BOUT" */
#define BUSY_TIMEOUT_MS 5000

struct stmt {
    sqlite3_stmt *raw;
    struct db *db;
    enum query query;
    bool in_use;
};

struct db {
    sqlite3 *raw;
    char *path;
    struct stmt stmt[QUERY_COUNT];
};

static const char *const query_sql[QUERY_COUNT] = {
#define QUERY(name, sql) [Q_##name] = (sql),
#include "db/queries.def"
};

static const char *const query_name[QUERY_COUNT] = {
#define QUERY(name, sql) [Q_##name] = #name,
#include "db/queries.def"
};

/* What the engine's own words are for the {NAMES} in our SQL. */
static const struct {
    const char *name;
    const char *sql;
} sqlite_words[] = {
    {"{ID}", "INTEGER PRIMARY KEY"},
    {"{I64}", "INTEGER"},
    {"{F64}", "REAL"},
    {"{BLOB}", "BLOB"},
    {"{STRICT}", "STRICT"},
    {"{STRICT_WITHOUT_ROWID}", "STRICT, WITHOUT ROWID"},
    {"{SKIP}", ""},
};

static enum err_kind sqlite_kind(int code)
{
    switch (code & 0xff) {
    case SQLITE_CONSTRAINT:
        return code == SQLITE_CONSTRAINT_UNIQUE ||
                       code == SQLITE_CONSTRAINT_PRIMARYKEY
                   ? ERR_CONFLICT
                   : ERR_SYSTEM;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return ERR_BUSY;
    case SQLITE_FULL:
        return ERR_FULL;
    case SQLITE_READONLY:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        return ERR_DISK;
    case SQLITE_NOTADB:
        return ERR_INPUT;
    default:
        return ERR_SYSTEM;
    }
}

static int sqlite_fail(struct db *db, const char *what, struct err *err)
{
    return err_set(err, sqlite_kind(sqlite3_extended_errcode(db->raw)),
                   "database %s: %s: %s", db->path, what,
                   sqlite3_errmsg(db->raw));
}

/* Our SQL as SQLite's: {NAMES} replaced, $1 written ?1 (in SQLite a $1 is a
 * name, numbered by its first appearance and not by its number). */
static void sql_expand(const char *text, struct buf *out)
{
    for (const char *at = text; *at;) {
        size_t known = sizeof sqlite_words / sizeof sqlite_words[0];
        size_t i = 0;

        while (i < known && strncmp(at, sqlite_words[i].name,
                                    strlen(sqlite_words[i].name)) != 0)
            i++;
        if (i < known) {
            buf_add_str(out, sqlite_words[i].sql);
            at += strlen(sqlite_words[i].name);
            continue;
        }
        buf_add_char(out, *at == '$' ? '?' : *at);
        at++;
    }
}

static int db_exec(struct db *db, const char *sql, struct err *err)
{
    if (sqlite3_exec(db->raw, sql, NULL, NULL, NULL) != SQLITE_OK)
        return sqlite_fail(db, sql, err);
    return 0;
}

/* The one integer that a pragma or a count answers. */
static int db_ask(struct db *db, const char *sql, int64_t *value,
                  struct err *err)
{
    sqlite3_stmt *raw = NULL;
    int code = sqlite3_prepare_v2(db->raw, sql, -1, &raw, NULL);

    if (code == SQLITE_OK)
        code = sqlite3_step(raw);
    if (code == SQLITE_ROW)
        *value = sqlite3_column_int64(raw, 0);
    sqlite3_finalize(raw);
    return code == SQLITE_ROW ? 0 : sqlite_fail(db, sql, err);
}

/* Ours, not newer than this program, or (only then *fresh) empty. */
static int db_check_identity(struct db *db, int64_t *version, bool *fresh,
                             struct err *err)
{
    int64_t id = 0;
    int64_t tables = 0;

    if (db_ask(db, "PRAGMA application_id", &id, err) < 0 ||
        db_ask(db, "PRAGMA user_version", version, err) < 0 ||
        db_ask(db, "SELECT count(*) FROM sqlite_schema", &tables, err) < 0)
        return -1;
    *fresh = id == 0 && *version == 0 && tables == 0;
    if (!*fresh && id != APPLICATION_ID)
        return err_set(err, ERR_INPUT,
                       "%s is not a database of bout; name another folder "
                       "with --data",
                       db->path);
    if (*version > migration_count)
        return err_set(err, ERR_INPUT,
                       "%s has version %lld, this program knows %d: use the "
                       "newer bout that wrote it",
                       db->path, (long long)*version, migration_count);
    return 0;
}

static int db_migrate_one(struct db *db, int number, struct err *err)
{
    auto_buf struct buf sql = {0};

    buf_add_str(&sql, "BEGIN IMMEDIATE;\n");
    sql_expand(migrations[number - 1].sql, &sql);
    buf_add_format(&sql, "\nPRAGMA user_version=%d;\nCOMMIT;", number);
    if (sqlite3_exec(db->raw, sql.data, NULL, NULL, NULL) == SQLITE_OK)
        return 0;
    sqlite_fail(db, migrations[number - 1].name, err);
    db_rollback(db);
    return -1;
}

static int db_migrate(struct db *db, int64_t version, bool fresh,
                      struct err *err)
{
    if (fresh) {
        auto_free char *sql =
            mem_format("PRAGMA application_id=%d", APPLICATION_ID);
        if (db_exec(db, sql, err) < 0)
            return -1;
    }
    if (db_exec(db, "PRAGMA journal_mode=WAL", err) < 0)
        return -1;
    for (int next = (int)version + 1; next <= migration_count; next++)
        if (db_migrate_one(db, next, err) < 0)
            return -1;
    return 0;
}

static int db_set_up(struct db *db, enum db_mode mode, struct err *err)
{
    int64_t version = 0;
    bool fresh = false;

    sqlite3_extended_result_codes(db->raw, 1);
    sqlite3_busy_timeout(db->raw, BUSY_TIMEOUT_MS);
    if (db_check_identity(db, &version, &fresh, err) < 0)
        return -1;
    if (mode == DB_WRITE && db_migrate(db, version, fresh, err) < 0)
        return -1;
    if (mode == DB_READ && version != migration_count)
        return err_set(err, ERR_INPUT, "%s has not been migrated", db->path);
    return db_exec(db,
                   "PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;"
                   "PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY;"
                   "PRAGMA cache_size=-4096",
                   err);
}

struct db *db_open(const char *path, enum db_mode mode, struct err *err)
{
    int flags = SQLITE_OPEN_NOMUTEX | (mode == DB_WRITE ? SQLITE_OPEN_READWRITE
                                                        : SQLITE_OPEN_READONLY);

    /* Made here, so that nobody else can read it from its first byte on. */
    if (mode == DB_WRITE) {
        auto_fd int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0) {
            err_sys(err, errno, "database %s: create", path);
            return NULL;
        }
    }
    struct db *db = mem_calloc(1, sizeof *db);
    db->path = mem_dup_str(path);
    int result = sqlite3_open_v2(path, &db->raw, flags, NULL) == SQLITE_OK
                     ? db_set_up(db, mode, err)
                     : sqlite_fail(db, "open", err);
    if (result < 0) {
        db_close(db);
        return NULL;
    }
    return db;
}

void db_close(struct db *db)
{
    if (!db)
        return;
    for (int i = 0; i < QUERY_COUNT; i++)
        sqlite3_finalize(db->stmt[i].raw);
    sqlite3_close(db->raw);
    free(db->path);
    free(db);
}

int db_lock(const char *data_folder, struct err *err)
{
    auto_free char *path = mem_format("%s/lock", data_folder);
    auto_fd int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0)
        return err_sys(err, errno, "%s: open", path);
    if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
        return err_set(err, ERR_BUSY,
                       "%s: another bout serve uses this folder; stop it or "
                       "name another one with --data",
                       data_folder);
    if (flock(fd, LOCK_EX | LOCK_NB) < 0)
        return err_sys(err, errno, "%s: flock", path);
    return take_fd(&fd);
}

int db_begin(struct db *db, struct err *err)
{
    return db_exec(db, "BEGIN IMMEDIATE", err);
}

int db_commit(struct db *db, struct err *err)
{
    return db_exec(db, "COMMIT", err);
}

void db_rollback(struct db *db)
{
    if (!sqlite3_get_autocommit(db->raw))
        sqlite3_exec(db->raw, "ROLLBACK", NULL, NULL, NULL);
}

int db_set_durable(struct db *db, bool durable, struct err *err)
{
    return db_exec(
        db, durable ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL",
        err);
}

int64_t db_changes(const struct db *db)
{
    return sqlite3_changes64(db->raw);
}

int64_t db_total_changes(const struct db *db)
{
    return sqlite3_total_changes64(db->raw);
}

int64_t db_last_id(const struct db *db)
{
    return sqlite3_last_insert_rowid(db->raw);
}

struct stmt *stmt_prepare(struct db *db, enum query query, struct err *err)
{
    struct stmt *st = &db->stmt[query];

    assert(!st->in_use);
    if (!st->raw) {
        auto_buf struct buf sql = {0};
        sql_expand(query_sql[query], &sql);
        *st = (struct stmt){.db = db, .query = query};
        if (sqlite3_prepare_v3(db->raw, sql.data, (int)sql.size + 1,
                               SQLITE_PREPARE_PERSISTENT, &st->raw,
                               NULL) != SQLITE_OK) {
            sqlite_fail(db, query_name[query], err);
            return NULL;
        }
    }
    st->in_use = true;
    return st;
}

void stmt_release(struct stmt **slot)
{
    struct stmt *st = *slot;

    if (!st)
        return;
    sqlite3_reset(st->raw);
    sqlite3_clear_bindings(st->raw);
    st->in_use = false;
    *slot = NULL;
}

static int stmt_bind_one(sqlite3_stmt *raw, int at, const struct value *value)
{
    switch (value->kind) {
    case VALUE_NULL:
        break;
    case VALUE_I64:
        return sqlite3_bind_int64(raw, at, value->i64);
    case VALUE_F64:
        return sqlite3_bind_double(raw, at, value->f64);
    case VALUE_TEXT:
        return sqlite3_bind_text(raw, at, value->bytes, -1, SQLITE_STATIC);
    case VALUE_BLOB:
        /* A NULL pointer would be SQL's NULL, not an empty BLOB. */
        return sqlite3_bind_blob64(raw, at, value->bytes ? value->bytes : "",
                                   value->size, SQLITE_STATIC);
    }
    return sqlite3_bind_null(raw, at);
}

int stmt_bind_values(struct stmt *st, const struct value *value, size_t count,
                     struct err *err)
{
    for (size_t i = 0; i < count; i++)
        if (stmt_bind_one(st->raw, (int)i + 1, &value[i]) != SQLITE_OK)
            return sqlite_fail(st->db, query_name[st->query], err);
    return 0;
}

struct stmt *stmt_open_values(struct db *db, enum query query,
                              const struct value *value, size_t count,
                              struct err *err)
{
    auto_stmt struct stmt *st = stmt_prepare(db, query, err);

    if (!st || stmt_bind_values(st, value, count, err) < 0)
        return NULL;
    return take_ptr(st);
}

int db_run_values(struct db *db, enum query query, const struct value *value,
                  size_t count, struct err *err)
{
    auto_stmt struct stmt *st = stmt_open_values(db, query, value, count, err);

    return st ? stmt_run(st, err) : -1;
}

int stmt_step(struct stmt *st, struct err *err)
{
    int code = sqlite3_step(st->raw);

    if (code == SQLITE_ROW)
        return 1;
    if (code == SQLITE_DONE)
        return 0;
    return sqlite_fail(st->db, query_name[st->query], err);
}

int stmt_page(struct stmt *st, size_t limit, size_t count, bool *more,
              struct err *err)
{
    int row = st ? stmt_step(st, err) : -1;

    *more = row == 1 && count == limit;
    return *more ? 0 : row;
}

int stmt_run(struct stmt *st, struct err *err)
{
    int row = stmt_step(st, err);

    assert(row <= 0);
    sqlite3_reset(st->raw);
    return row;
}

bool stmt_is_null(const struct stmt *st, int column)
{
    return sqlite3_column_type(st->raw, column) == SQLITE_NULL;
}

int64_t stmt_i64(const struct stmt *st, int column)
{
    return sqlite3_column_int64(st->raw, column);
}

double stmt_f64(const struct stmt *st, int column)
{
    return sqlite3_column_double(st->raw, column);
}

const char *stmt_text(const struct stmt *st, int column)
{
    return (const char *)sqlite3_column_text(st->raw, column);
}

const void *stmt_blob(const struct stmt *st, int column, size_t *size)
{
    const void *bytes = sqlite3_column_blob(st->raw, column);

    *size = (size_t)sqlite3_column_bytes(st->raw, column);
    return bytes;
}

char *stmt_take_text(const struct stmt *st, int column)
{
    const char *text = stmt_text(st, column);

    return text ? mem_dup_str(text) : NULL;
}
