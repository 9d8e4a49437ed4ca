#include "db/quotas.h"

#include "db/bots.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>
#include <string.h>

#define HOUR_NS INT64_C(3600000000000)

static const char *const words[QUOTA_COUNT] = {
#define QUOTA(name, word, most, text) [QUOTA_##name] = (word),
#include "db/quota.def"
};

static const char *const sentences[QUOTA_COUNT] = {
#define QUOTA(name, word, most, text) [QUOTA_##name] = (text),
#include "db/quota.def"
};

/* Written before any thread starts. */
static int64_t defaults[QUOTA_COUNT] = {
#define QUOTA(name, word, most, text) [QUOTA_##name] = (most),
#include "db/quota.def"
};

const char *quota_word(enum quota quota)
{
    return words[quota];
}

const char *quota_sentence(enum quota quota)
{
    return sentences[quota];
}

enum quota quota_parse(const char *word)
{
    int quota = 0;

    while (quota < QUOTA_COUNT && strcmp(words[quota], word) != 0)
        quota++;
    return (enum quota)quota;
}

int64_t quota_default(enum quota quota)
{
    return defaults[quota];
}

int quota_set_defaults(const char *text, struct err *err)
{
    auto_free char *copy = mem_dup_str(text);
    char *rest = NULL;

    for (char *at = strtok_r(copy, ",", &rest); at;
         at = strtok_r(NULL, ",", &rest)) {
        char *equals = strchr(at, '=');
        char *end = NULL;
        if (equals)
            *equals = '\0';
        enum quota quota = quota_parse(at);
        long long value = equals ? strtoll(equals + 1, &end, 10) : -1;
        if (quota == QUOTA_COUNT || value < 0 || !end || *end)
            return err_set(err, ERR_INPUT,
                           "quotas are NAME=N,NAME=N with the names that `bout "
                           "limits` shows, not %s",
                           at);
        defaults[quota] = value;
    }
    return 0;
}

/* ---- how it stands --------------------------------------------------------
 */

static const enum query used_query[QUOTA_COUNT] = {
    [QUOTA_UPLOADS] = Q_QUOTA_UPLOADS,   [QUOTA_MATCHES] = Q_QUOTA_MATCHES,
    [QUOTA_REPLAYS] = Q_QUOTA_REPLAYS,   [QUOTA_BYTES] = Q_QUOTA_BYTES,
    [QUOTA_VERSIONS] = Q_QUOTA_VERSIONS,
};

static int quota_limit(struct db *db, int64_t user_id, enum quota quota,
                       int64_t *most, struct err *err)
{
    auto_stmt struct stmt *st = stmt_open(
        db, Q_QUOTA_FIND, err, SQL_I64(user_id), SQL_TEXT(quota_word(quota)));
    int row = st ? stmt_step(st, err) : -1;

    *most = row == 1 ? stmt_i64(st, 0) : quota_default(quota);
    return row < 0 ? -1 : 0;
}

int quota_find(struct db *db, int64_t user_id, enum quota quota, int64_t now_ns,
               struct quota_state *state, struct err *err)
{
    if (quota_limit(db, user_id, quota, &state->most, err) < 0)
        return -1;
    auto_stmt struct stmt *st =
        stmt_open(db, used_query[quota], err, SQL_I64(user_id),
                  SQL_I64(now_ns - HOUR_NS));
    int row = st ? stmt_step(st, err) : -1;

    if (row < 0)
        return -1;
    state->used = stmt_i64(st, 0);
    state->retry_ns = 0;
    if (!stmt_is_null(st, 1)) /* when the oldest of the hour came */
        state->retry_ns = stmt_i64(st, 1) + HOUR_NS - now_ns;
    return 0;
}

int quota_set(struct db *db, int64_t user_id, enum quota quota, int64_t value,
              struct err *err)
{
    if (value < 0)
        return db_run(db, Q_QUOTA_FORGET, err, SQL_I64(user_id),
                      SQL_TEXT(quota_word(quota)));
    return db_run(db, Q_QUOTA_PUT, err, SQL_I64(user_id),
                  SQL_TEXT(quota_word(quota)), SQL_I64(value));
}

/* ---- what is kept ---------------------------------------------------------
 */

/* The oldest version that may go: of this bot's name, or (bot_id 0) of all that
 * the user has. 1, 0, -1. */
static int oldest_find(struct db *db, int64_t owner_id, int64_t bot_id,
                       int64_t *found, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_QUOTA_OLDEST, err, SQL_I64(owner_id), SQL_I64(bot_id));
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1)
        *found = stmt_i64(st, 0);
    return row;
}

static int versions_kept(struct db *db, int64_t bot_id, int64_t *count,
                         struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_QUOTA_KEPT, err, SQL_I64(bot_id));
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1)
        *count = stmt_i64(st, 0);
    return row < 0 ? -1 : 0;
}

static int keep_versions(struct db *db, int64_t bot_id, int64_t owner_id,
                         int64_t now_ns, struct err *err)
{
    int64_t most;
    int64_t count = 0;
    int64_t old;

    if (quota_limit(db, owner_id, QUOTA_VERSIONS, &most, err) < 0 ||
        versions_kept(db, bot_id, &count, err) < 0)
        return -1;
    for (; count > most; count--) {
        int found = oldest_find(db, owner_id, bot_id, &old, err);
        if (found <= 0)
            return found; /* all others play: they stay */
        if (bot_drop(db, old, now_ns, err) < 0)
            return -1;
    }
    return 0;
}

int quota_keep(struct db *db, int64_t bot_id, int64_t owner_id, int64_t now_ns,
               struct err *err)
{
    struct quota_state bytes;
    int64_t old;

    if (keep_versions(db, bot_id, owner_id, now_ns, err) < 0)
        return -1;
    for (;;) {
        if (quota_find(db, owner_id, QUOTA_BYTES, now_ns, &bytes, err) < 0)
            return -1;
        if (bytes.used <= bytes.most)
            return 0;
        int found = oldest_find(db, owner_id, 0, &old, err);
        if (found < 0)
            return -1;
        if (found == 0 || old == bot_id)
            return err_set(err, ERR_TOO_BIG,
                           "your sources would have %" PRId64
                           " bytes, compressed; at most %" PRId64
                           " are kept (stored_bytes)",
                           bytes.used, bytes.most);
        if (bot_drop(db, old, now_ns, err) < 0)
            return -1;
    }
}
