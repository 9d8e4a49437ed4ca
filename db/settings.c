#include "db/settings.h"

#include "runner/base/cleanup.h"

#include <string.h>

int setting_find(struct db *db, const char *key, char **value, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_SETTING_FIND, err, SQL_TEXT(key));
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1)
        *value = stmt_take_text(st, 0);
    return row;
}

int setting_put(struct db *db, const char *key, const char *value,
                struct err *err)
{
    return db_run(db, Q_SETTING_PUT, err, SQL_TEXT(key), SQL_TEXT(value));
}

void repeat_release(struct repeat *repeat)
{
    free(repeat->location);
    free(repeat->body);
    *repeat = (struct repeat){0};
}

int repeat_find(struct db *db, int64_t user_id, const char *key,
                struct repeat *repeat, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_REPEAT_FIND, err, SQL_I64(user_id), SQL_TEXT(key));
    int row = st ? stmt_step(st, err) : -1;
    size_t size;

    if (row != 1)
        return row;
    const void *hash = stmt_blob(st, 0, &size);
    if (size != HASH_BYTES)
        return err_set(err, ERR_SYSTEM, "repeated request: damaged hash");
    *repeat = (struct repeat){
        .http_status = (int)stmt_i64(st, 1),
        .location = stmt_take_text(st, 2),
        .body = stmt_take_text(st, 3),
    };
    memcpy(repeat->request_hash, hash, HASH_BYTES);
    return 1;
}

int repeat_add(struct db *db, int64_t user_id, const char *key,
               const struct repeat *repeat, int64_t now_ns, struct err *err)
{
    return db_run(db, Q_REPEAT_ADD, err, SQL_I64(user_id), SQL_TEXT(key),
                  SQL_BLOB(repeat->request_hash, HASH_BYTES),
                  SQL_I64(repeat->http_status), SQL_TEXT(repeat->location),
                  SQL_TEXT(repeat->body), SQL_I64(now_ns));
}

int audit_add(struct db *db, int64_t user_id, const char *action,
              const char *subject, int64_t now_ns, struct err *err)
{
    return db_run(db, Q_AUDIT_ADD, err, SQL_I64(now_ns), SQL_OR_NULL(user_id),
                  SQL_TEXT(action), SQL_TEXT(subject));
}

void audit_list_release(struct audit_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->row[i].user);
        free(list->row[i].action);
        free(list->row[i].subject);
    }
    free(list->row);
    *list = (struct audit_list){0};
}

int audit_list(struct db *db, int64_t user_id, int64_t before, uint32_t limit,
               struct audit_list *list, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_AUDIT_LIST, err, SQL_I64(before ? before : INT64_MAX),
                  SQL_I64(user_id), SQL_I64((int64_t)limit + 1));
    struct audit_list found = {0};
    int row;

    found.row = mem_calloc(limit, sizeof *found.row);
    while ((row = stmt_page(st, limit, found.count, &found.more, err)) == 1)
        found.row[found.count++] = (struct audit_row){
            .id = stmt_i64(st, 0),
            .at_ns = stmt_i64(st, 1),
            .user_id = stmt_i64(st, 2),
            .user = stmt_take_text(st, 3),
            .action = stmt_take_text(st, 4),
            .subject = stmt_take_text(st, 5),
        };
    if (row < 0) {
        audit_list_release(&found);
        return -1;
    }
    *list = found;
    return 0;
}
