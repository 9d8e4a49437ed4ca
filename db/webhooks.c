#include "db/webhooks.h"

#include "runner/base/cleanup.h"

#include <string.h>

/* 2 s, 10 s, 50 s, 4 min, 20 min: an hour of trying is enough. */
#define FIRST_PAUSE_NS INT64_C(2000000000)
#define PAUSE_FACTOR 5

void webhook_list_release(struct webhook_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->row[i].url);
        free(list->row[i].answer);
    }
    free(list->row);
    *list = (struct webhook_list){0};
}

static int webhook_count(struct db *db, int64_t user_id, int64_t *count,
                         struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_WEBHOOK_COUNT, err, SQL_I64(user_id));
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1)
        *count = stmt_i64(st, 0);
    return row < 0 ? -1 : 0;
}

int webhook_add(struct db *db, int64_t user_id, const char *url,
                const char *secret, int64_t now_ns, int64_t *id,
                struct err *err)
{
    int64_t count = 0;

    if (webhook_count(db, user_id, &count, err) < 0)
        return -1;
    if (count >= WEBHOOKS_A_USER)
        return err_set(err, ERR_CONFLICT,
                       "a user has at most %d webhooks: remove one first",
                       WEBHOOKS_A_USER);
    if (db_run(db, Q_WEBHOOK_ADD, err, SQL_I64(user_id), SQL_TEXT(url),
               SQL_TEXT(secret), SQL_I64(now_ns)) < 0)
        return -1;
    *id = db_last_id(db);
    return 0;
}

int webhook_remove(struct db *db, int64_t id, int64_t user_id, struct err *err)
{
    if (db_run(db, Q_WEBHOOK_REMOVE, err, SQL_I64(id), SQL_I64(user_id)) < 0)
        return -1;
    return db_changes(db) == 1;
}

int webhook_list(struct db *db, int64_t user_id, struct webhook_list *list,
                 struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_WEBHOOK_LIST, err, SQL_I64(user_id));
    struct webhook_list found = {0};
    int row = st ? stmt_step(st, err) : -1;

    for (; row == 1; row = stmt_step(st, err)) {
        found.row =
            mem_realloc(found.row, (found.count + 1) * sizeof *found.row);
        found.row[found.count++] = (struct webhook){
            .id = stmt_i64(st, 0),
            .user_id = user_id,
            .url = stmt_take_text(st, 1),
            .created_ns = stmt_i64(st, 2),
            .waiting = stmt_i64(st, 3),
            .failed = stmt_i64(st, 4),
            .answer = stmt_take_text(st, 5),
        };
    }
    if (row < 0) {
        webhook_list_release(&found);
        return -1;
    }
    *list = found;
    return 0;
}

/* ---- deliveries ------------------------------------------------------------
 */

void delivery_release(struct delivery *delivery)
{
    free(delivery->status);
    free(delivery->url);
    free(delivery->secret);
    *delivery = (struct delivery){0};
}

int delivery_queue(struct db *db, int64_t match_id, int64_t now_ns,
                   struct err *err)
{
    return db_run(db, Q_DELIVERY_QUEUE, err, SQL_I64(match_id),
                  SQL_I64(now_ns));
}

void delivery_list_release(struct delivery_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        delivery_release(&list->row[i]);
    free(list->row);
    *list = (struct delivery_list){0};
}

int delivery_list_due(struct db *db, int64_t now_ns, struct delivery_list *list,
                      struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_DELIVERY_DUE, err, SQL_I64(now_ns));
    struct delivery_list found = {0};
    int row = st ? stmt_step(st, err) : -1;

    for (; row == 1; row = stmt_step(st, err)) {
        found.row =
            mem_realloc(found.row, (found.count + 1) * sizeof *found.row);
        found.row[found.count++] = (struct delivery){
            .id = stmt_i64(st, 0),
            .webhook_id = stmt_i64(st, 1),
            .match_id = stmt_i64(st, 2),
            .attempts = stmt_i64(st, 3),
            .url = stmt_take_text(st, 4),
            .secret = stmt_take_text(st, 5),
            .status = stmt_take_text(st, 6),
        };
    }
    if (row < 0) {
        delivery_list_release(&found);
        return -1;
    }
    *list = found;
    return 0;
}

int delivery_note(struct db *db, const struct delivery *delivery, bool done,
                  const char *answer, int64_t now_ns, struct err *err)
{
    const char *status = "waiting";
    int64_t pause_ns = FIRST_PAUSE_NS;

    for (int64_t i = 0; i < delivery->attempts; i++)
        pause_ns *= PAUSE_FACTOR;
    if (done)
        status = "done";
    else if (delivery->attempts + 1 >= DELIVERY_ATTEMPTS)
        status = "failed";
    return db_run(db, Q_DELIVERY_NOTE, err, SQL_I64(delivery->id),
                  SQL_TEXT(status), SQL_I64(now_ns + pause_ns),
                  SQL_TEXT(answer));
}
