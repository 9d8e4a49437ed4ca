#include "db/retention.h"

#include "runner/base/cleanup.h"

#include <assert.h>
#include <string.h>

#define DAY_S INT64_C(86400)
#define AGE_MAX_S (INT64_C(36500) * DAY_S)
#define BYTES_MAX (INT64_C(1) << 53)
#define STEP_MATCHES 16
#define STEP_BYTES (INT64_C(4) << 20) /* a few milliseconds of the writer's */
#define STEP_ROWS 256

static const char *const words[RETAINED_COUNT] = {
#define PART(name, number, word, days, gib, text) [RETAINED_##name] = (word),
#define ENDED(name, word, days, text) [RETAINED_##name] = (word),
#include "db/retention.def"
};

static const char *const sentences[RETAINED_COUNT] = {
#define PART(name, number, word, days, gib, text) [RETAINED_##name] = (text),
#define ENDED(name, word, days, text) [RETAINED_##name] = (text),
#include "db/retention.def"
};

static const int64_t part_number[PART_COUNT] = {
#define PART(name, number, word, days, gib, text) [RETAINED_##name] = (number),
#include "db/retention.def"
};

const char *retained_word(enum retained retained)
{
    return words[retained];
}

const char *retained_sentence(enum retained retained)
{
    return sentences[retained];
}

/* ---- what is told by whoever starts the service ---------------------------
 */

const char retention_ages[] =
#define PART(name, number, word, days, gib, text) " " word "=" #days "d"
#define ENDED(name, word, days, text) " " word "=" #days "d"
#include "db/retention.def"
    ;

const char retention_sizes[] =
#define PART(name, number, word, days, gib, text) " " word "=" #gib "G"
#include "db/retention.def"
    ;

void retention_init(struct retention *retention)
{
    *retention = (struct retention){
        .age_s =
            {
#define PART(name, number, word, days, gib, text) \
    [RETAINED_##name] = (days)*DAY_S,
#define ENDED(name, word, days, text) [RETAINED_##name] = (days)*DAY_S,
#include "db/retention.def"
            },
        .bytes =
            {
#define PART(name, number, word, days, gib, text) \
    [RETAINED_##name] = INT64_C(gib) << 30,
#include "db/retention.def"
            },
    };
}

struct unit {
    char letter;
    int64_t factor;
};

static const struct unit age_unit[] = {
    {'s', 1}, {'m', 60}, {'h', 3600}, {'d', DAY_S}, {0}};
static const struct unit size_unit[] = {{'K', INT64_C(1) << 10},
                                        {'M', INT64_C(1) << 20},
                                        {'G', INT64_C(1) << 30},
                                        {'T', INT64_C(1) << 40},
                                        {0}};

/* "90d": the number times its unit, 1 to `most`. -1: it is none. */
static int64_t amount_parse(const char *text, const struct unit *unit,
                            int64_t most)
{
    char *end = NULL;
    long long number = strtoll(text, &end, 10);

    if (end == text || number < 1)
        return -1;
    while (unit->letter && unit->letter != *end)
        unit++;
    if (!unit->letter || end[1] || number > most / unit->factor)
        return -1;
    return number * unit->factor;
}

struct reading {
    int64_t *to; /* by kind */
    size_t kinds;
    const struct unit *unit;
    int64_t most;
    const char *never;    /* word for 0 */
    const char *manual;   /* how it is written */
    const char *defaults; /* which name its kinds */
};

static int retention_read(const struct reading *reading, const char *text,
                          struct err *err)
{
    auto_free char *copy = mem_dup_str(text);
    char *rest = NULL;

    for (char *at = strtok_r(copy, ",", &rest); at;
         at = strtok_r(NULL, ",", &rest)) {
        char *equals = strchr(at, '=');
        size_t kind = 0;
        if (equals)
            *equals = '\0';
        while (kind < reading->kinds && strcmp(words[kind], at) != 0)
            kind++;
        const char *value = equals ? equals + 1 : "";
        int64_t amount = strcmp(value, reading->never) != 0
                             ? amount_parse(value, reading->unit, reading->most)
                             : 0;
        if (kind == reading->kinds || amount < 0)
            return err_set(err, ERR_INPUT,
                           "it is %s, not %s=%s; the defaults are%s",
                           reading->manual, at, value, reading->defaults);
        reading->to[kind] = amount;
    }
    return 0;
}

int retention_read_ages(struct retention *retention, const char *text,
                        struct err *err)
{
    const struct reading reading = {
        .to = retention->age_s,
        .kinds = RETAINED_COUNT,
        .unit = age_unit,
        .most = AGE_MAX_S,
        .never = "forever",
        .manual = "NAME=AGE,... with an age as 90d, 12h, 30m, 10s or forever",
        .defaults = retention_ages,
    };

    return retention_read(&reading, text, err);
}

int retention_read_sizes(struct retention *retention, const char *text,
                         struct err *err)
{
    const struct reading reading = {
        .to = retention->bytes,
        .kinds = PART_COUNT,
        .unit = size_unit,
        .most = BYTES_MAX,
        .never = "none",
        .manual = "NAME=SIZE,... with a size as 500M, 20G, 1T or none",
        .defaults = retention_sizes,
    };

    return retention_read(&reading, text, err);
}

static json_t *bound_json(int64_t value)
{
    return value ? json_integer(value) : json_null();
}

json_t *retention_json(const struct retention *retention)
{
    json_t *kept = json_object();

    for (int part = 0; part < PART_COUNT; part++)
        json_object_set_new(kept, words[part],
                            json_pack("{s:o, s:o}", "seconds",
                                      bound_json(retention->age_s[part]),
                                      "bytes",
                                      bound_json(retention->bytes[part])));
    return kept;
}

/* ---- what there is --------------------------------------------------------
 */

int part_note(struct db *db, int64_t match_id, enum retained part,
              int64_t since_ns, int64_t bytes, struct err *err)
{
    assert(part < PART_COUNT);
    return db_run(db, Q_PART_PUT, err, SQL_I64(match_id),
                  SQL_I64(part_number[part]), SQL_I64(since_ns),
                  SQL_I64(bytes));
}

int part_note_logs(struct db *db, int64_t match_id, int64_t since_ns,
                   struct err *err)
{
    return db_run(db, Q_PART_PUT_LOGS, err, SQL_I64(match_id),
                  SQL_I64(since_ns));
}

int part_note_profiles(struct db *db, int64_t match_id, int64_t since_ns,
                       struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_PROFILE_BYTES, err, SQL_I64(match_id));

    if (!st || stmt_step(st, err) < 0)
        return -1;
    if (part_note(db, match_id, RETAINED_PROFILES, since_ns, stmt_i64(st, 0),
                  err) < 0)
        return -1;
    return db_run(db, Q_PART_GONE_PROFILES, err, SQL_I64(match_id), SQL_NULL);
}

int part_bytes(struct db *db, enum retained part, int64_t *bytes,
               struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_PART_BYTES, err, SQL_I64(part_number[part]));

    if (!st || stmt_step(st, err) < 0)
        return -1;
    *bytes = stmt_i64(st, 0);
    return 0;
}

int db_free_bytes(struct db *db, int64_t *bytes, struct err *err)
{
    auto_stmt struct stmt *st = stmt_prepare(db, Q_FREE_BYTES, err);

    if (!st || stmt_step(st, err) < 0)
        return -1;
    *bytes = stmt_i64(st, 0);
    return 0;
}

int part_is_due(struct db *db, enum retained part, int64_t before_ns,
                struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_PART_OLDEST, err, SQL_I64(part_number[part]));
    int row = st ? stmt_step(st, err) : -1;

    return row == 1 ? stmt_i64(st, 1) < before_ns : row;
}

/* ---- dropping -------------------------------------------------------------
 */

struct part_queries {
    enum query drop; /* the bytes */
    enum query gone; /* the match says when */
};

static const struct part_queries part_queries[PART_COUNT] = {
    [RETAINED_REPLAYS] = {Q_PART_DROP_REPLAYS, Q_PART_GONE_REPLAYS},
    [RETAINED_LOGS] = {Q_PART_DROP_LOGS, Q_PART_GONE_LOGS},
    [RETAINED_PROFILES] = {Q_PART_DROP_PROFILES, Q_PART_GONE_PROFILES},
};

/* The next one that has to go. 1: *match_id and *bytes; 0; -1. */
static int part_next(struct db *db, const struct part_drop *drop,
                     int64_t *match_id, int64_t *bytes, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_PART_OLDEST, err, SQL_I64(part_number[drop->part]));
    int row = st ? stmt_step(st, err) : -1;

    if (row != 1)
        return row;
    *match_id = stmt_i64(st, 0);
    *bytes = stmt_i64(st, 2);
    return stmt_i64(st, 1) < drop->before_ns ||
           drop->dropped_bytes < drop->over_bytes;
}

int part_drop(struct db *db, struct part_drop *drop, struct err *err)
{
    const struct part_queries *query = &part_queries[drop->part];
    int matches = 0;

    drop->dropped_bytes = 0;
    while (matches < STEP_MATCHES && drop->dropped_bytes < STEP_BYTES) {
        int64_t match_id = 0;
        int64_t bytes = 0;
        int found = part_next(db, drop, &match_id, &bytes, err);
        if (found < 0)
            return -1;
        if (found == 0)
            break;
        if (db_run(db, query->drop, err, SQL_I64(match_id)) < 0 ||
            db_run(db, query->gone, err, SQL_I64(match_id),
                   SQL_I64(drop->now_ns)) < 0 ||
            db_run(db, Q_PART_FORGET, err, SQL_I64(match_id),
                   SQL_I64(part_number[drop->part])) < 0)
            return err_wrap(err, "match %lld: its %s", (long long)match_id,
                            words[drop->part]);
        drop->dropped_bytes += bytes;
        matches++;
    }
    return matches;
}

int ended_drop(struct db *db, enum retained ended, int64_t before_ns,
               struct err *err)
{
    static const enum query query[RETAINED_COUNT] = {
        [RETAINED_JOBS] = Q_ENDED_JOBS,
        [RETAINED_DELIVERIES] = Q_ENDED_DELIVERIES,
        [RETAINED_TOKENS] = Q_ENDED_TOKENS,
        [RETAINED_INVITATIONS] = Q_ENDED_INVITATIONS,
        [RETAINED_REPEATS] = Q_ENDED_REPEATS,
    };

    assert(ended >= PART_COUNT && ended < RETAINED_COUNT);
    if (db_run(db, query[ended], err, SQL_I64(before_ns), SQL_I64(STEP_ROWS)) <
        0)
        return -1;
    return (int)db_changes(db);
}
