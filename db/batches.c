#include "db/batches.h"

#include "runner/base/cleanup.h"

void batch_release(struct batch *batch)
{
    for (size_t i = 0; i < batch->standings; i++)
        free(batch->standing[i].name);
    free(batch->standing);
    free(batch->match);
    free(batch->owner);
    *batch = (struct batch){0};
}

int batch_add(struct db *db, int64_t owner_id, int64_t now_ns, int64_t *id,
              struct err *err)
{
    if (db_run(db, Q_BATCH_ADD, err, SQL_I64(owner_id), SQL_I64(now_ns)) < 0)
        return -1;
    *id = db_last_id(db);
    return 0;
}

static int read_head(struct db *db, struct batch *batch, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_BATCH_FIND, err, SQL_I64(batch->id));
    int row = st ? stmt_step(st, err) : -1;

    if (row != 1)
        return row;
    batch->owner_id = stmt_i64(st, 0);
    batch->owner = stmt_take_text(st, 1);
    batch->created_ns = stmt_i64(st, 2);
    return 1;
}

static int read_matches(struct db *db, struct batch *batch, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_BATCH_MATCHES, err, SQL_I64(batch->id));
    int row = st ? stmt_step(st, err) : -1;

    for (; row == 1; row = stmt_step(st, err)) {
        int64_t id = stmt_i64(st, 0);
        enum match_status status = match_status_parse(stmt_text(st, 1));
        batch->match = mem_realloc(batch->match,
                                   (batch->matches + 1) * sizeof *batch->match);
        batch->match[batch->matches++] = id;
        if (status < MATCH_STATUS_COUNT)
            batch->count[status]++;
        if (status < MATCH_FINISHED)
            batch->open = id;
    }
    return row;
}

static int read_standings(struct db *db, struct batch *batch, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_BATCH_STANDINGS, err, SQL_I64(batch->id));
    int row = st ? stmt_step(st, err) : -1;

    for (; row == 1; row = stmt_step(st, err)) {
        batch->standing = mem_realloc(
            batch->standing, (batch->standings + 1) * sizeof *batch->standing);
        batch->standing[batch->standings++] = (struct batch_standing){
            .bot_id = stmt_i64(st, 0),
            .name = stmt_take_text(st, 1),
            .games = stmt_i64(st, 2),
            .wins = stmt_i64(st, 3),
            .losses = stmt_i64(st, 4),
            .score = stmt_i64(st, 5),
        };
    }
    return row;
}

int batch_find(struct db *db, int64_t id, struct batch *batch, struct err *err)
{
    struct batch found = {.id = id};
    int row = read_head(db, &found, err);

    if (row == 1 && (read_matches(db, &found, err) < 0 ||
                     read_standings(db, &found, err) < 0))
        row = -1;
    if (row != 1) {
        batch_release(&found);
        return row;
    }
    *batch = found;
    return 1;
}
