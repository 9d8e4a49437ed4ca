#include "db/kept.h"

#include "db/pack.h"
#include "runner/base/cleanup.h"

#include <string.h>

#define LIBRARY_CAP ((size_t)64 << 20)

int kept_build_put(struct db *db, int64_t bot_id, const char *fingerprint,
                   struct err *err)
{
    return db_run(db, Q_KEPT_BUILD_PUT, err, SQL_I64(bot_id),
                  SQL_TEXT(fingerprint));
}

int kept_build_find(struct db *db, int64_t bot_id, const char *fingerprint,
                    struct build_row *build, struct err *err)
{
    int row = build_row_find(db, bot_id, build, err);

    if (row < 0 || !fingerprint ||
        (row == 1 && !strcmp(build->fingerprint, fingerprint)))
        return row;
    if (row == 1)
        build_row_release(build);
    return build_row_find_kept(db, bot_id, fingerprint, build, err);
}

int kept_library_put(struct db *db, const char *fingerprint, const char *blocks,
                     struct err *err)
{
    auto_buf struct buf packed = {0};

    pack_add(&packed, blocks, strlen(blocks));
    return db_run(db, Q_KEPT_LIBRARY_PUT, err, SQL_TEXT(fingerprint),
                  SQL_BLOB(packed.data, packed.size));
}

int kept_library_find(struct db *db, const char *fingerprint,
                      struct buf *blocks, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_KEPT_LIBRARY_FIND, err, SQL_TEXT(fingerprint));
    int row = st ? stmt_step(st, err) : -1;
    size_t size;

    if (row != 1)
        return row;
    const void *packed = stmt_blob(st, 0, &size);
    return pack_open(packed, size, LIBRARY_CAP, blocks, err) < 0 ? -1 : 1;
}

int kept_is_whole(struct db *db, int64_t match_id, const char *fingerprint,
                  struct err *err)
{
    auto_stmt struct stmt *st = stmt_open(
        db, Q_KEPT_MISSING, err, SQL_I64(match_id), SQL_TEXT(fingerprint));
    int row = st ? stmt_step(st, err) : -1;

    return row == 1 ? stmt_i64(st, 0) == 0 : row;
}
