/* What is kept of a played match.
 *
 * A turn's row is small, so that a thousand of them are written in 3 ms and
 * read in 0.1 ms: replies over REPLY_INLINE bytes and all stderr go to a table
 * of their own (large values in a table without rowid bloat its tree). */
#include "db/matches.h"

#include "db/jobs.h"
#include "db/pack.h"
#include "runner/base/cleanup.h"

#include <stdio.h>

#define REPLY_INLINE 256
#define TEXT_CAP ((size_t)64 << 20) /* far above any limit on a turn */
#define LOG_CAP ((size_t)1 << 30)   /* far above match_log_bytes */

enum text_stream { STREAM_REPLY = 1, STREAM_STDERR = 2 };

void turn_row_list_release(struct turn_row_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->row[i].reply);
        free(list->row[i].log);
    }
    free(list->row);
    *list = (struct turn_row_list){0};
}

/* ---- writing ------------------------------------------------------------- */

static int text_add(struct db *db, int64_t match_id,
                    const struct turn_row *turn, enum text_stream stream,
                    struct err *err)
{
    bool reply = stream == STREAM_REPLY;
    auto_buf struct buf packed = {0};

    pack_add(&packed, reply ? turn->reply : turn->log,
             reply ? turn->reply_size : turn->log_size);
    return db_run(db, Q_TURN_TEXT_ADD, err, SQL_I64(match_id),
                  SQL_I64(turn->slot), SQL_I64(stream), SQL_I64(turn->turn),
                  SQL_BLOB(packed.data, packed.size));
}

static int turn_add(struct db *db, struct stmt *st, int64_t match_id,
                    const struct turn_row *turn, struct err *err)
{
    bool is_long = turn->reply_size > REPLY_INLINE;

    if (stmt_bind(st, err, SQL_I64(match_id), SQL_I64(turn->turn),
                  SQL_I64(turn->slot), SQL_TEXT(turn->status),
                  turn->counted ? SQL_I64(turn->instructions) : SQL_NULL,
                  SQL_I64(turn->wall_ns),
                  turn->cpu_known ? SQL_I64(turn->cpu_ns) : SQL_NULL,
                  SQL_I64(turn->memory_bytes),
                  is_long ? SQL_NULL
                          : SQL_BLOB(turn->reply, turn->reply_size)) < 0 ||
        stmt_run(st, err) < 0)
        return -1;
    if (is_long && text_add(db, match_id, turn, STREAM_REPLY, err) < 0)
        return -1;
    if (turn->log_size && text_add(db, match_id, turn, STREAM_STDERR, err) < 0)
        return -1;
    return 0;
}

static int turns_add(struct db *db, const struct match_finish *finish,
                     struct err *err)
{
    auto_stmt struct stmt *st = stmt_prepare(db, Q_TURN_ADD, err);

    if (!st)
        return -1;
    for (size_t i = 0; i < finish->turn_count; i++)
        if (turn_add(db, st, finish->match_id, &finish->turn[i], err) < 0)
            return err_wrap(err, "turn %u, slot %u", finish->turn[i].turn,
                            finish->turn[i].slot);
    return 0;
}

static int results_set(struct db *db, const struct match_finish *finish,
                       struct err *err)
{
    for (unsigned i = 0; i < finish->slots; i++) {
        const struct result_row *result = &finish->result[i];
        if (db_run(db, Q_RESULT_SET, err, SQL_I64(finish->match_id),
                   SQL_I64(result->slot), SQL_I64(result->rank),
                   SQL_I64(result->score), SQL_TEXT(result->verdict),
                   SQL_TEXT(result->detail), SQL_TEXT(result->private_detail),
                   SQL_I64(result->instructions)) < 0)
            return -1;
        if (db_changes(db) != 1)
            return err_set(err, ERR_SYSTEM, "result for slot %u: no such slot",
                           result->slot);
    }
    return 0;
}

static int match_log_add(struct db *db, const struct match_finish *finish,
                         struct err *err)
{
    auto_buf struct buf packed = {0};

    pack_add(&packed, finish->log, finish->log_size);
    if (db_run(db, Q_MATCH_LOG_ADD, err, SQL_I64(finish->match_id),
               SQL_BLOB(packed.data, packed.size)) < 0)
        return -1;
    return part_note(db, finish->match_id, RETAINED_REPLAYS, finish->now_ns,
                     (int64_t)packed.size, err);
}

int match_row_finish(struct db *db, const struct match_finish *finish,
                     struct err *err)
{
    int held =
        job_finish(db, finish->job_id, finish->fence, finish->now_ns, err);

    if (held != 1)
        return held;
    if (db_run(db, Q_MATCH_FINISH, err, SQL_I64(finish->match_id),
               SQL_I64(finish->now_ns), SQL_I64(finish->turns),
               SQL_TEXT(finish->replay_sha256), SQL_TEXT(finish->game_version),
               SQL_TEXT(finish->fingerprint)) < 0)
        return -1;
    if (db_changes(db) != 1)
        return err_set(err, ERR_SYSTEM,
                       "match %lld is not running, though its job is",
                       (long long)finish->match_id);
    if (results_set(db, finish, err) < 0 || turns_add(db, finish, err) < 0 ||
        part_note_logs(db, finish->match_id, finish->now_ns, err) < 0 ||
        match_log_add(db, finish, err) < 0)
        return err_wrap(err, "match %lld", (long long)finish->match_id);
    return 1;
}

/* ---- reading ------------------------------------------------------------- */

/* The reply of column 7, or the long one of column 8. */
static int reply_read(const struct stmt *st, struct turn_row *turn,
                      struct err *err)
{
    size_t size = 0;
    auto_buf struct buf plain = {0};

    if (stmt_is_null(st, 8)) {
        const void *bytes = stmt_blob(st, 7, &size);
        buf_add(&plain, bytes, size);
    } else {
        const void *packed = stmt_blob(st, 8, &size);
        if (pack_open(packed, size, TEXT_CAP, &plain, err) < 0)
            return err_wrap(err, "reply of turn %u, slot %u", turn->turn,
                            turn->slot);
    }
    turn->reply_size = plain.size;
    turn->reply = buf_take(&plain);
    return 0;
}

static int turn_row_read(const struct stmt *st, struct turn_row *turn,
                         struct err *err)
{
    *turn = (struct turn_row){
        .turn = (uint32_t)stmt_i64(st, 0),
        .slot = (uint32_t)stmt_i64(st, 1),
        .counted = !stmt_is_null(st, 3),
        .instructions = stmt_i64(st, 3),
        .wall_ns = stmt_i64(st, 4),
        .cpu_known = !stmt_is_null(st, 5),
        .cpu_ns = stmt_i64(st, 5),
        .memory_bytes = stmt_i64(st, 6),
    };
    snprintf(turn->status, sizeof turn->status, "%s", stmt_text(st, 2));
    return reply_read(st, turn, err);
}

int turn_row_list(struct db *db, int64_t match_id, struct turn_cursor after,
                  uint32_t limit, struct turn_row_list *list, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_TURN_LIST, err, SQL_I64(match_id), SQL_I64(after.turn),
                  SQL_I64(after.slot), SQL_I64((int64_t)limit + 1));
    struct turn_row_list found = {0};
    int row;

    found.row = mem_calloc(limit, sizeof *found.row);
    while ((row = stmt_page(st, limit, found.count, &found.more, err)) == 1) {
        if (turn_row_read(st, &found.row[found.count], err) < 0) {
            row = -1;
            break;
        }
        found.count++;
    }
    if (row < 0) {
        turn_row_list_release(&found);
        return -1;
    }
    *list = found;
    return 0;
}

int turn_row_span(struct db *db, int64_t match_id, unsigned slot,
                  const int64_t turns[2], struct turn_span *span,
                  struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_TURN_SPAN, err, SQL_I64(match_id), SQL_I64(slot),
                  SQL_I64(turns[0]), SQL_I64(turns[1]));

    if (!st || stmt_step(st, err) < 0)
        return -1;
    *span = (struct turn_span){
        .count = stmt_i64(st, 0),
        .least = stmt_i64(st, 1),
        .most = stmt_i64(st, 2),
    };
    return 0;
}

/* Appends the packed column 0 of each row. 1 if there was a row, 0, -1. */
static int packed_rows_read(struct stmt *st, size_t cap, struct buf *out,
                            struct err *err)
{
    int row = st ? stmt_step(st, err) : -1;
    bool any = row == 1;

    for (; row == 1; row = stmt_step(st, err)) {
        size_t size;
        const void *packed = stmt_blob(st, 0, &size);
        if (pack_open(packed, size, cap, out, err) < 0)
            return -1;
    }
    return row < 0 ? -1 : any;
}

int match_log_find(struct db *db, int64_t match_id, struct buf *out,
                   struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_MATCH_LOG_FIND, err, SQL_I64(match_id));
    int row = packed_rows_read(st, LOG_CAP, out, err);

    if (row < 0)
        return err_wrap(err, "log of match %lld", (long long)match_id);
    return row;
}

int turn_log_find(struct db *db, int64_t match_id, unsigned slot, int64_t turn,
                  struct buf *out, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_TURN_TEXT_FIND, err, SQL_I64(match_id), SQL_I64(slot),
                  SQL_I64(STREAM_STDERR), SQL_I64(turn));
    int row = packed_rows_read(st, TEXT_CAP, out, err);

    if (row < 0)
        return err_wrap(err, "stderr of match %lld, slot %u",
                        (long long)match_id, slot);
    return row;
}
