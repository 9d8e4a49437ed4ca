#include "db/ratings.h"

#include "runner/base/cleanup.h"

void standing_list_release(struct standing_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->row[i].name);
        free(list->row[i].owner);
    }
    free(list->row);
    *list = (struct standing_list){0};
}

void meeting_list_release(struct meeting_list *list)
{
    free(list->row);
    *list = (struct meeting_list){0};
}

/* Columns of RATING_COLUMNS in queries.def. */
static struct rating rating_read(const struct stmt *st)
{
    return (struct rating){
        .bot_id = stmt_i64(st, 0),
        .rating = stmt_f64(st, 1),
        .deviation = stmt_f64(st, 2),
        .volatility = stmt_f64(st, 3),
        .games = stmt_i64(st, 4),
        .wins = stmt_i64(st, 5),
        .losses = stmt_i64(st, 6),
        .ties = stmt_i64(st, 7),
    };
}

int rating_find(struct db *db, int64_t bot_id, struct rating *rating,
                struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_RATING_FIND, err, SQL_I64(bot_id));
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1)
        *rating = rating_read(st);
    return row;
}

int rating_find_previous(struct db *db, int64_t bot_id, struct rating *rating,
                         struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_RATING_FIND_PREVIOUS, err, SQL_I64(bot_id));
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1)
        *rating = rating_read(st);
    return row;
}

int rating_put(struct db *db, const struct rating *rating, struct err *err)
{
    return db_run(db, Q_RATING_PUT, err, SQL_I64(rating->bot_id),
                  SQL_F64(rating->rating), SQL_F64(rating->deviation),
                  SQL_F64(rating->volatility), SQL_I64(rating->games),
                  SQL_I64(rating->wins), SQL_I64(rating->losses),
                  SQL_I64(rating->ties));
}

int rating_note(struct db *db, int64_t match_id, unsigned slot,
                const struct rating *after, struct err *err)
{
    return db_run(db, Q_RATING_NOTE, err, SQL_I64(match_id), SQL_I64(slot),
                  SQL_F64(after->rating), SQL_F64(after->deviation));
}

/* Fills in the places, of which those of equal ratings are equal. */
static int standing_place(struct db *db, const char *game,
                          const struct standing_list *list, struct err *err)
{
    if (list->count == 0)
        return 0;
    const struct rating *first = &list->row[0].rating;
    auto_stmt struct stmt *st =
        stmt_open(db, Q_STANDING_PLACE, err, SQL_TEXT(game),
                  SQL_F64(first->rating), SQL_I64(first->bot_id));
    if (!st || stmt_step(st, err) < 0)
        return -1;
    int64_t before = stmt_i64(st, 1);
    list->row[0].rank = stmt_i64(st, 0) + 1;
    for (size_t i = 1; i < list->count; i++) {
        const struct standing *above = &list->row[i - 1];
        bool higher = above->rating.rating > list->row[i].rating.rating;
        list->row[i].rank = higher ? before + (int64_t)i + 1 : above->rank;
    }
    return 0;
}

int standing_list(struct db *db, const char *game, struct standing_cursor after,
                  uint32_t limit, struct standing_list *list, struct err *err)
{
    auto_stmt struct stmt *st = stmt_open(
        db, Q_STANDING_LIST, err, SQL_TEXT(game), SQL_F64(after.rating),
        SQL_I64(after.bot_id), SQL_I64((int64_t)limit + 1));
    struct standing_list found = {0};
    int row;

    found.row = mem_calloc(limit, sizeof *found.row);
    while ((row = stmt_page(st, limit, found.count, &found.more, err)) == 1) {
        found.row[found.count++] = (struct standing){
            .bot_id = stmt_i64(st, 0),
            .name = stmt_take_text(st, 8),
            .version = (uint32_t)stmt_i64(st, 9),
            .owner_id = stmt_i64(st, 10),
            .owner = stmt_take_text(st, 11),
            .rating = rating_read(st),
        };
    }
    if (row < 0 || standing_place(db, game, &found, err) < 0) {
        standing_list_release(&found);
        return -1;
    }
    *list = found;
    return 0;
}

int meeting_list(struct db *db, int64_t bot_id, struct meeting_list *list,
                 struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_MEETING_LIST, err, SQL_I64(bot_id));
    struct meeting_list found = {0};
    int row = st ? stmt_step(st, err) : -1;

    for (; row == 1; row = stmt_step(st, err)) {
        found.row =
            mem_realloc(found.row, (found.count + 1) * sizeof *found.row);
        found.row[found.count++] = (struct meeting){
            .opponent_id = stmt_i64(st, 0),
            .count = stmt_i64(st, 1),
            .as_first = stmt_i64(st, 2),
        };
    }
    if (row < 0) {
        meeting_list_release(&found);
        return -1;
    }
    *list = found;
    return 0;
}
