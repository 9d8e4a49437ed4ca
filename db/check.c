#include "db/check.h"

#include "db/pack.h"
#include "runner/base/cleanup.h"
#include "runner/base/hash.h"

#include <string.h>

#define CHECK_LOG_MAX_BYTES (64u << 20)
#define CHECK_MAX_FAULTS 1000 /* of one kind: a file that is all damage */

/* Each query gives sentences, a row a fault; none where all is well. */
static const enum query check_query[] = {
    Q_CHECK_INTEGRITY, Q_CHECK_REFERENCES, Q_CHECK_LOGS,
    Q_CHECK_RESULTS,   Q_CHECK_COUNTS,     Q_CHECK_KEPT,
};

static int check_one(struct db *db, enum query query,
                     const struct check_sink *sink, struct err *err)
{
    auto_stmt struct stmt *st = stmt_prepare(db, query, err);
    int faults = 0;
    int row = st ? stmt_step(st, err) : -1;

    for (; row == 1 && faults < CHECK_MAX_FAULTS; row = stmt_step(st, err)) {
        const char *text = stmt_text(st, 0);
        faults++;
        sink->fault(sink->user, text ? text : "?");
    }
    return row < 0 ? -1 : faults;
}

/* 1: it is not what the match says; 0. */
static int check_log(const struct stmt *st, const struct check_sink *sink)
{
    char hex[HASH_HEX_SIZE];
    auto_buf struct buf plain = {0};
    auto_free char *text = NULL;
    struct err damage = {0};
    size_t size;
    const void *packed = stmt_blob(st, 2, &size);
    const char *wanted = stmt_text(st, 1);

    if (pack_open(packed, size, CHECK_LOG_MAX_BYTES, &plain, &damage) < 0) {
        text = mem_format("match %lld: its log is damaged: %s",
                          (long long)stmt_i64(st, 0), damage.msg);
    } else {
        hash_bytes_hex(plain.data ? plain.data : "", plain.size, hex);
        if (wanted && !strcmp(hex, wanted))
            return 0;
        text =
            mem_format("match %lld: its log has SHA-256 %s and not %s",
                       (long long)stmt_i64(st, 0), hex, wanted ? wanted : "?");
    }
    sink->fault(sink->user, text);
    return 1;
}

static int check_logs(struct db *db, const struct check_sink *sink,
                      struct err *err)
{
    auto_stmt struct stmt *st = stmt_prepare(db, Q_CHECK_LOG_LIST, err);
    int64_t done = 0;
    int faults = 0;
    int row = st ? stmt_step(st, err) : -1;

    for (; row == 1; row = stmt_step(st, err)) {
        faults += check_log(st, sink);
        if (sink->progress)
            sink->progress(sink->user, ++done, stmt_i64(st, 3));
    }
    return row < 0 ? -1 : faults;
}

int check_run(struct db *db, const struct check_sink *sink, struct err *err)
{
    int faults = 0;

    for (size_t i = 0; i < sizeof check_query / sizeof *check_query; i++) {
        int found = check_one(db, check_query[i], sink, err);
        if (found < 0)
            return -1;
        faults += found;
    }
    int found = check_logs(db, sink, err);
    return found < 0 ? -1 : faults + found;
}
