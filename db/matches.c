/* Matches: adding, looking up, and the steps of their life. What is stored of a
 * played one (turns, texts, log) is in turns.c. */
#include "db/matches.h"

#include "db/bots.h"
#include "db/jobs.h"
#include "runner/base/cleanup.h"

#include <assert.h>
#include <string.h>

static const char *const status_text[MATCH_STATUS_COUNT] = {
#define MATCH_STATUS_TEXT(name, text) [MATCH_##name] = (text),
    MATCH_STATUSES(MATCH_STATUS_TEXT)
#undef MATCH_STATUS_TEXT
};

const char *match_status_text(enum match_status status)
{
    return status_text[status];
}

enum match_status match_status_parse(const char *text)
{
    int status = 0;

    while (status < MATCH_STATUS_COUNT &&
           strcmp(status_text[status], text) != 0)
        status++;
    return (enum match_status)status;
}

static void result_row_release(struct result_row *result)
{
    free(result->bot_name);
    free(result->verdict);
    free(result->detail);
    free(result->private_detail);
}

void match_row_release(struct match_row *match)
{
    for (unsigned i = 0; i < match->slots; i++)
        result_row_release(&match->result[i]);
    free(match->game);
    free(match->seed);
    free(match->limits);
    free(match->game_version);
    free(match->fingerprint);
    free(match->reason);
    *match = (struct match_row){0};
}

void match_row_list_release(struct match_row_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        match_row_release(&list->row[i]);
    free(list->row);
    *list = (struct match_row_list){0};
}

/* ---- adding -------------------------------------------------------------- */

static int match_check_bot(struct db *db, const struct match_row_spec *spec,
                           int64_t bot_id, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_BOT_STATUS, err, SQL_I64(bot_id));
    int row = st ? stmt_step(st, err) : -1;

    if (row < 0)
        return -1;
    if (row == 0)
        return err_set(err, ERR_INPUT, "bot %lld: no such bot",
                       (long long)bot_id);
    if (strcmp(stmt_text(st, 1), spec->game) != 0)
        return err_set(err, ERR_INPUT, "bot %lld plays %s, not %s",
                       (long long)bot_id, stmt_text(st, 1), spec->game);
    if (!stmt_is_null(st, 3))
        return err_set(err, ERR_CONFLICT,
                       "the build of bot %lld is no longer kept",
                       (long long)bot_id);
    enum bot_status status = bot_status_parse(stmt_text(st, 0));
    bool own = spec->owner_id != 0 && stmt_i64(st, 2) == spec->owner_id;
    if (status == BOT_READY || (status == BOT_SUSPENDED && own && !spec->rated))
        return 0;
    return err_set(err, ERR_CONFLICT, "bot %lld is %s, it has to be ready",
                   (long long)bot_id, bot_status_text(status));
}

static int match_queue(struct db *db, int64_t id,
                       const struct match_row_spec *spec, struct err *err)
{
    struct job_spec job = {
        .kind = JOB_MATCH,
        .subject_id = id,
        .priority = spec->priority,
        .user_id = spec->owner_id,
        .now_ns = spec->now_ns,
    };
    int64_t job_id;

    return job_add(db, &job, &job_id, err);
}

int match_row_add(struct db *db, const struct match_row_spec *spec, int64_t *id,
                  struct err *err)
{
    if (spec->slots < 1 || spec->slots > MATCH_ROW_MAX_SLOTS)
        return err_set(err, ERR_INPUT, "a match has 1 to %d bots, not %u",
                       MATCH_ROW_MAX_SLOTS, spec->slots);
    for (unsigned i = 0; i < spec->slots; i++) {
        if (match_check_bot(db, spec, spec->bot_id[i], err) < 0)
            return -1;
        for (unsigned j = 0; spec->rated && j < i; j++)
            if (spec->bot_id[i] == spec->bot_id[j])
                return err_set(err, ERR_INPUT,
                               "bot %lld plays itself: such a match cannot be "
                               "rated",
                               (long long)spec->bot_id[i]);
    }
    if (db_run(db, Q_MATCH_ADD, err, SQL_TEXT(spec->game), SQL_I64(spec->rated),
               SQL_I64(spec->profile), SQL_TEXT(spec->seed),
               SQL_TEXT(spec->limits ? spec->limits : "{}"),
               SQL_OR_NULL(spec->owner_id), SQL_I64(spec->now_ns),
               SQL_OR_NULL(spec->batch_id)) < 0)
        return -1;
    int64_t match_id = db_last_id(db);
    for (unsigned i = 0; i < spec->slots; i++)
        if (db_run(db, Q_RESULT_ADD, err, SQL_I64(match_id), SQL_I64(i),
                   SQL_I64(spec->bot_id[i])) < 0)
            return -1;
    if (match_queue(db, match_id, spec, err) < 0)
        return -1;
    *id = match_id;
    return 0;
}

/* ---- looking up ---------------------------------------------------------- */

static enum match_verified verified_read(const struct stmt *st, int column)
{
    if (stmt_is_null(st, column))
        return MATCH_UNVERIFIED;
    return stmt_i64(st, column) ? MATCH_EQUAL : MATCH_DIFFERS;
}

/* Columns 0 to 18, of MATCH_COLUMNS in queries.def, and the last three. */
static void match_row_read(const struct stmt *st, struct match_row *match)
{
    const char *sha256 = stmt_text(st, 12);

    *match = (struct match_row){
        .id = stmt_i64(st, 0),
        .game = stmt_take_text(st, 1),
        .status = match_status_parse(stmt_text(st, 2)),
        .rated = stmt_i64(st, 3) != 0,
        .profile = stmt_i64(st, 4) != 0,
        .seed = stmt_take_text(st, 5),
        .limits = stmt_take_text(st, 6),
        .owner_id = stmt_i64(st, 7),
        .created_ns = stmt_i64(st, 8),
        .started_ns = stmt_i64(st, 9),
        .finished_ns = stmt_i64(st, 10),
        .turns = stmt_i64(st, 11),
        .verified = verified_read(st, 13),
        .game_version = stmt_take_text(st, 14),
        .fingerprint = stmt_take_text(st, 15),
        .reason = stmt_take_text(st, 16),
        .batch_id = stmt_i64(st, 17),
        .queue_position = stmt_i64(st, 18),
        .dropped_ns = {[RETAINED_REPLAYS] = stmt_i64(st, 31),
                       [RETAINED_LOGS] = stmt_i64(st, 32),
                       [RETAINED_PROFILES] = stmt_i64(st, 33)},
    };
    if (sha256 && strlen(sha256) < sizeof match->replay_sha256)
        memcpy(match->replay_sha256, sha256, strlen(sha256) + 1);
}

/* Columns 19 to 30: one slot. */
static void result_row_read(const struct stmt *st, struct match_row *match)
{
    assert(match->slots < MATCH_ROW_MAX_SLOTS);
    match->result[match->slots++] = (struct result_row){
        .slot = (unsigned)stmt_i64(st, 19),
        .bot_id = stmt_i64(st, 20),
        .bot_name = stmt_take_text(st, 21),
        .owner_id = stmt_i64(st, 22),
        .rank = (unsigned)stmt_i64(st, 23),
        .score = stmt_i64(st, 24),
        .verdict = stmt_take_text(st, 25),
        .detail = stmt_take_text(st, 26),
        .private_detail = stmt_take_text(st, 27),
        .instructions = stmt_i64(st, 28),
        .rating_known = !stmt_is_null(st, 29),
        .rating = stmt_f64(st, 29),
        .deviation = stmt_f64(st, 30),
    };
}

int match_row_find(struct db *db, int64_t id, struct match_row *match,
                   struct err *err)
{
    auto_stmt struct stmt *st = stmt_open(db, Q_MATCH_FIND, err, SQL_I64(id));
    int row = st ? stmt_step(st, err) : -1;
    struct match_row found = {0};

    if (row != 1)
        return row;
    match_row_read(st, &found);
    for (; row == 1; row = stmt_step(st, err))
        result_row_read(st, &found);
    if (row < 0) {
        match_row_release(&found);
        return -1;
    }
    *match = found;
    return 1;
}

static struct stmt *match_list_open(struct db *db,
                                    const struct match_filter *filter,
                                    int64_t before, uint32_t limit,
                                    struct err *err)
{
    struct value top = SQL_I64(before ? before : INT64_MAX);
    struct value most = SQL_I64((int64_t)limit + 1);
    struct value status = SQL_TEXT(filter->status < MATCH_STATUS_COUNT
                                       ? match_status_text(filter->status)
                                       : NULL);
    struct value rated = filter->rated < 0 ? SQL_NULL : SQL_I64(filter->rated);

    if (filter->batch_id)
        return stmt_open(db, Q_MATCH_LIST_BATCH, err, top,
                         SQL_TEXT(filter->game), status, rated, most,
                         SQL_I64(filter->batch_id));
    if (filter->bot_id)
        return stmt_open(db, Q_MATCH_LIST_BOT, err, top, SQL_TEXT(filter->game),
                         status, rated, most, SQL_I64(filter->bot_id));
    if (filter->bot_name)
        return stmt_open(db, Q_MATCH_LIST_NAME, err, top,
                         SQL_TEXT(filter->game), status, rated, most,
                         SQL_TEXT(filter->bot_name));
    return stmt_open(db, Q_MATCH_LIST, err, top, SQL_TEXT(filter->game), status,
                     rated, most);
}

int match_row_list(struct db *db, const struct match_filter *filter,
                   int64_t before, uint32_t limit, struct match_row_list *list,
                   struct err *err)
{
    auto_stmt struct stmt *st = match_list_open(db, filter, before, limit, err);
    struct match_row_list found = {0};
    int row = st ? stmt_step(st, err) : -1;

    found.row = mem_calloc(limit, sizeof *found.row);
    for (; row == 1; row = stmt_step(st, err)) {
        struct match_row *last =
            found.count ? &found.row[found.count - 1] : NULL;
        bool is_next = !last || last->id != stmt_i64(st, 0);
        found.more = is_next && found.count == limit;
        if (found.more)
            break;
        if (is_next) {
            last = &found.row[found.count++];
            match_row_read(st, last);
        }
        result_row_read(st, last);
    }
    if (row < 0) {
        match_row_list_release(&found);
        return -1;
    }
    *list = found;
    return 0;
}

/* ---- steps of a life ----------------------------------------------------- */

int match_row_start(struct db *db, int64_t id, int64_t now_ns, struct err *err)
{
    return db_run(db, Q_MATCH_START, err, SQL_I64(id), SQL_I64(now_ns));
}

int match_row_wait(struct db *db, int64_t id, struct err *err)
{
    return db_run(db, Q_MATCH_WAIT, err, SQL_I64(id));
}

int match_row_fail(struct db *db, int64_t id, const char *reason,
                   int64_t now_ns, struct err *err)
{
    return db_run(db, Q_MATCH_END, err, SQL_I64(id), SQL_TEXT("failed"),
                  SQL_TEXT(reason), SQL_I64(now_ns));
}

static int match_status_get(struct db *db, int64_t id,
                            enum match_status *status, struct err *err)
{
    auto_stmt struct stmt *st = stmt_open(db, Q_MATCH_STATUS, err, SQL_I64(id));
    int row = st ? stmt_step(st, err) : -1;

    if (row < 0)
        return -1;
    if (row == 0)
        return err_set(err, ERR_MISSING, "match %lld: no such match",
                       (long long)id);
    *status = match_status_parse(stmt_text(st, 0));
    return 0;
}

int match_row_cancel(struct db *db, int64_t id, int64_t now_ns, struct err *err)
{
    enum match_status status;

    if (match_status_get(db, id, &status, err) < 0)
        return -1;
    if (status != MATCH_QUEUED && status != MATCH_RUNNING)
        return err_set(err, ERR_CONFLICT,
                       "match %lld is %s: there is nothing to cancel",
                       (long long)id, match_status_text(status));
    if (job_cancel(db, JOB_MATCH, id, now_ns, err) < 0)
        return -1;
    return db_run(db, Q_MATCH_END, err, SQL_I64(id), SQL_TEXT("cancelled"),
                  SQL_NULL, SQL_I64(now_ns));
}

/* What a new match of these bots would be refused for. */
static int match_check_bots_again(struct db *db, int64_t id, int64_t user_id,
                                  struct err *err)
{
    struct match_row match = {0};
    int result = match_row_find(db, id, &match, err) < 0 ? -1 : 0;
    const struct match_row_spec spec = {
        .game = match.game, .rated = match.rated, .owner_id = user_id};

    for (unsigned i = 0; i < match.slots && result == 0; i++)
        result = match_check_bot(db, &spec, match.result[i].bot_id, err);
    match_row_release(&match);
    return result;
}

int match_row_requeue(struct db *db, int64_t id, int64_t user_id,
                      int64_t now_ns, struct err *err)
{
    const struct match_row_spec spec = {
        .priority = JOB_PRIORITY_USER, .owner_id = user_id, .now_ns = now_ns};
    enum match_status status;

    if (match_status_get(db, id, &status, err) < 0 ||
        match_check_bots_again(db, id, user_id, err) < 0)
        return -1;
    if (status != MATCH_FAILED && status != MATCH_CANCELLED)
        return err_set(err, ERR_CONFLICT,
                       "match %lld is %s: only a failed or cancelled match "
                       "can be queued again",
                       (long long)id, match_status_text(status));
    if (match_row_wait(db, id, err) < 0)
        return -1;
    return match_queue(db, id, &spec, err);
}

int match_has_builds(struct db *db, int64_t id, int slot, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_BUILDS_MISSING, err, SQL_I64(id), SQL_I64(slot));
    int row = st ? stmt_step(st, err) : -1;

    return row < 0 ? -1 : stmt_i64(st, 0) == 0;
}

int match_row_set_verified(struct db *db, int64_t id, bool equal,
                           struct err *err)
{
    return db_run(db, Q_MATCH_VERIFIED, err, SQL_I64(id), SQL_I64(equal));
}
