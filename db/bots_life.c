/* What becomes of a version after it was built: active, suspended, dropped. */
#include "db/bots.h"

#include "runner/base/cleanup.h"
#include "runner/base/log.h"

#include <inttypes.h>

int bot_make_active(struct db *db, int64_t id, struct err *err)
{
    if (db_run(db, Q_BOT_DEACTIVATE_NAME, err, SQL_I64(id)) < 0)
        return -1;
    return db_run(db, Q_BOT_SET_ACTIVE, err, SQL_I64(id), SQL_I64(1));
}

/* The status, or ERR_MISSING. ERR_CONFLICT where it was dropped. */
static int bot_status_get(struct db *db, int64_t id, enum bot_status *status,
                          struct err *err)
{
    auto_stmt struct stmt *st = stmt_open(db, Q_BOT_STATUS, err, SQL_I64(id));
    int row = st ? stmt_step(st, err) : -1;

    if (row < 0)
        return -1;
    if (row == 0)
        return err_set(err, ERR_MISSING, "bot %lld: no such bot",
                       (long long)id);
    *status = bot_status_parse(stmt_text(st, 0));
    if (!stmt_is_null(st, 3))
        return err_set(err, ERR_CONFLICT,
                       "the source and build of bot %lld are no longer kept",
                       (long long)id);
    return 0;
}

int bot_activate(struct db *db, int64_t id, struct err *err)
{
    enum bot_status status;

    if (bot_status_get(db, id, &status, err) < 0)
        return -1;
    if (status != BOT_READY)
        return err_set(err, ERR_CONFLICT,
                       "bot %lld is %s; only a ready version can be active",
                       (long long)id, bot_status_text(status));
    return bot_make_active(db, id, err);
}

/* ---- suspended ------------------------------------------------------------
 */

int bot_suspend(struct db *db, int64_t id, const char *reason, struct err *err)
{
    enum bot_status status;

    if (bot_status_get(db, id, &status, err) < 0)
        return -1;
    if (status != BOT_READY)
        return err_set(err, ERR_CONFLICT, "bot %lld is %s, not ready",
                       (long long)id, bot_status_text(status));
    return db_run(db, Q_BOT_SUSPEND, err, SQL_I64(id), SQL_TEXT(reason));
}

static int name_has_active(struct db *db, int64_t id, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_BOT_HAS_ACTIVE, err, SQL_I64(id));

    return st ? stmt_step(st, err) : -1;
}

int bot_resume(struct db *db, int64_t id, struct err *err)
{
    enum bot_status status;

    if (bot_status_get(db, id, &status, err) < 0)
        return -1;
    if (status != BOT_SUSPENDED)
        return err_set(err, ERR_CONFLICT, "bot %lld is %s, not suspended",
                       (long long)id, bot_status_text(status));
    if (db_run(db, Q_BOT_RESUME, err, SQL_I64(id)) < 0)
        return -1;
    int active = name_has_active(db, id, err);
    if (active != 0)
        return active < 0 ? -1 : 0;
    return bot_make_active(db, id, err);
}

/* The next bot of the match that has too many faults. 1, 0, -1. */
static int fault_find(struct db *db, int64_t match_id, int64_t most,
                      int64_t *bot_id, char **reason, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_FAULTS_OVER, err, SQL_I64(match_id), SQL_I64(most));
    int row = st ? stmt_step(st, err) : -1;

    if (row != 1)
        return row;
    *bot_id = stmt_i64(st, 0);
    *reason = mem_format(
        "It lost %lld rated matches in a row by crash or net; the last one, "
        "match %lld, by %s. Enter a version that is mended, or ask an admin.",
        (long long)stmt_i64(st, 1), (long long)match_id, stmt_text(st, 2));
    return 1;
}

int bot_note_faults(struct db *db, int64_t match_id, int64_t most,
                    struct err *err)
{
    if (db_run(db, Q_FAULTS_RESET, err, SQL_I64(match_id)) < 0 ||
        db_run(db, Q_FAULTS_ADD, err, SQL_I64(match_id)) < 0)
        return -1;
    while (most > 0) {
        auto_free char *reason = NULL;
        int64_t bot_id = 0;
        int found = fault_find(db, match_id, most, &bot_id, &reason, err);
        if (found <= 0)
            return found;
        if (bot_suspend(db, bot_id, reason, err) < 0)
            return -1;
        log_line(LOG_WARN, "db", "bot %" PRId64 " is suspended: %s", bot_id,
                 reason);
    }
    return 0;
}

/* ---- notes, and versions that are no longer kept ---------------------------
 */

int bot_set_notes(struct db *db, int64_t id, const char *notes, struct err *err)
{
    return db_run(db, Q_BOT_SET_NOTES, err, SQL_I64(id), SQL_TEXT(notes));
}

int bot_drop(struct db *db, int64_t id, int64_t now_ns, struct err *err)
{
    if (db_run(db, Q_SOURCES_DROP, err, SQL_I64(id)) < 0 ||
        db_run(db, Q_BUILD_DROP, err, SQL_I64(id)) < 0)
        return -1;
    return db_run(db, Q_BOT_DROP, err, SQL_I64(id), SQL_I64(now_ns));
}
