#include "db/measures.h"

#include <stdlib.h>

void measures_row_release(struct measures_row *row)
{
    free(row->host);
    free(row->match);
    *row = (struct measures_row){0};
}

int host_put(struct db *db, const char *hash, const char *facts,
             struct err *err)
{
    if (!facts)
        return 0;
    return db_run(db, Q_HOST_PUT, err, SQL_TEXT(hash), SQL_TEXT(facts));
}

int measures_put(struct db *db, int64_t match_id, const char *host,
                 const char *match, struct err *err)
{
    return db_run(db, Q_MEASURES_PUT, err, SQL_I64(match_id), SQL_TEXT(host),
                  SQL_TEXT(match));
}

int measures_find(struct db *db, int64_t match_id, struct measures_row *row,
                  struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_MEASURES_FIND, err, SQL_I64(match_id));
    int found = st ? stmt_step(st, err) : -1;

    const char *host = found == 1 ? stmt_text(st, 0) : NULL;

    if (found == 1)
        *row = (struct measures_row){.host = host ? mem_dup_str(host) : NULL,
                                     .match = mem_dup_str(stmt_text(st, 1))};
    return found;
}
