#include "db/users.h"

#include "db/matches.h"
#include "db/tokens.h"

#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 40
#define ERASED "erased-" /* and an id: who was taken out, see user_erase */

static const char *const role_text[ROLE_COUNT] = {
#define USER_ROLE_TEXT(name, text) [ROLE_##name] = (text),
    USER_ROLES(USER_ROLE_TEXT)
#undef USER_ROLE_TEXT
};

const char *user_role_text(enum user_role role)
{
    return role_text[role];
}

enum user_role user_role_parse(const char *text)
{
    int role = 0;

    while (role < ROLE_COUNT && strcmp(role_text[role], text) != 0)
        role++;
    return (enum user_role)role;
}

void user_release(struct user *user)
{
    free(user->name);
    *user = (struct user){0};
}

void user_list_release(struct user_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        user_release(&list->row[i]);
    free(list->row);
    *list = (struct user_list){0};
}

int name_check(const char *name, const char *what, struct err *err)
{
    size_t size = strlen(name);
    size_t fit = strspn(name, "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");

    if (!strncmp(name, ERASED, strlen(ERASED)))
        return err_set(err, ERR_INPUT, "%s must not begin with %s", what,
                       ERASED);
    if (size >= 1 && size <= NAME_MAX_BYTES && fit == size)
        return 0;
    return err_set(err, ERR_INPUT,
                   "%s must be 1 to %d letters (a-z, A-Z), digits, '-', '_' or "
                   "'.'",
                   what, NAME_MAX_BYTES);
}

int user_add(struct db *db, const char *name, enum user_role role,
             int64_t now_ns, int64_t *id, struct err *err)
{
    if (name_check(name, "the user name", err) < 0)
        return -1;
    if (db_run(db, Q_USER_ADD, err, SQL_TEXT(name),
               SQL_TEXT(user_role_text(role)), SQL_I64(now_ns)) < 0)
        return err->kind == ERR_CONFLICT
                   ? err_set(err, ERR_CONFLICT,
                             "a user named %s exists; take another name", name)
                   : -1;
    *id = db_last_id(db);
    return 0;
}

static int role_count(struct db *db, enum user_role role, int64_t *count,
                      struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_USER_COUNT_ROLE, err, SQL_TEXT(user_role_text(role)));
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1)
        *count = stmt_i64(st, 0);
    return row < 0 ? -1 : 0;
}

int user_set_role(struct db *db, int64_t id, enum user_role role,
                  struct err *err)
{
    int64_t admins = 0;

    if (db_run(db, Q_USER_SET_ROLE, err, SQL_I64(id),
               SQL_TEXT(user_role_text(role))) < 0)
        return -1;
    if (db_changes(db) == 0)
        return err_set(err, ERR_MISSING, "user %lld: no such user",
                       (long long)id);
    if (role_count(db, ROLE_ADMIN, &admins, err) < 0)
        return -1;
    if (admins == 0)
        return err_set(err, ERR_CONFLICT,
                       "user %lld is the last admin: make another one first",
                       (long long)id);
    return 0;
}

/* Columns 0 to 3. */
static struct user user_read(const struct stmt *st)
{
    enum user_role role = user_role_parse(stmt_text(st, 2));

    return (struct user){
        .id = stmt_i64(st, 0),
        .name = stmt_take_text(st, 1),
        .role = role == ROLE_COUNT ? ROLE_USER : role,
        .created_ns = stmt_i64(st, 3),
    };
}

static int user_find_by(struct db *db, enum query query, struct value key,
                        struct user *user, struct err *err)
{
    auto_stmt struct stmt *st = stmt_open(db, query, err, key);
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1)
        *user = user_read(st);
    return row;
}

int user_find(struct db *db, int64_t id, struct user *user, struct err *err)
{
    return user_find_by(db, Q_USER_FIND, SQL_I64(id), user, err);
}

int user_find_name(struct db *db, const char *name, struct user *user,
                   struct err *err)
{
    return user_find_by(db, Q_USER_FIND_NAME, SQL_TEXT(name), user, err);
}

int user_find_token(struct db *db, const uint8_t hash[HASH_BYTES],
                    int64_t now_ns, struct user *user, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_USER_FIND_TOKEN, err, SQL_BLOB(hash, HASH_BYTES),
                  SQL_I64(now_ns));
    int row = st ? stmt_step(st, err) : -1;

    if (row != 1)
        return row;
    *user = user_read(st);
    user->token_id = stmt_i64(st, 4);
    user->scopes = scopes_parse(stmt_text(st, 5));
    return 1;
}

int user_list(struct db *db, int64_t after, uint32_t limit,
              struct user_list *list, struct err *err)
{
    auto_stmt struct stmt *st = stmt_open(db, Q_USER_LIST, err, SQL_I64(after),
                                          SQL_I64((int64_t)limit + 1));
    struct user_list found = {0};
    int row;

    found.row = mem_calloc(limit, sizeof *found.row);
    while ((row = stmt_page(st, limit, found.count, &found.more, err)) == 1)
        found.row[found.count++] = user_read(st);
    if (row < 0) {
        user_list_release(&found);
        return -1;
    }
    *list = found;
    return 0;
}

/* ---- erasing ------------------------------------------------------------- */

/* What is under way with the user's bots, or for the user, is given up. */
static int erase_matches(struct db *db, int64_t id, int64_t now_ns,
                         struct err *err)
{
    for (;;) {
        int64_t match_id = 0;
        {
            auto_stmt struct stmt *st =
                stmt_open(db, Q_ERASE_NEXT_MATCH, err, SQL_I64(id));
            int row = st ? stmt_step(st, err) : -1;
            if (row <= 0)
                return row;
            match_id = stmt_i64(st, 0);
        }
        if (match_row_cancel(db, match_id, now_ns, err) < 0)
            return -1;
    }
}

int user_erase(struct db *db, int64_t id, int64_t now_ns, struct err *err)
{
    static const enum query timed[] = {Q_ERASE_BUILD_JOBS, Q_ERASE_BOTS,
                                       Q_ERASE_USER};
    static const enum query plain[] = {
        Q_ERASE_WEBHOOKS, Q_ERASE_TOKENS,  Q_ERASE_QUOTAS,  Q_ERASE_REPEATS,
        Q_ERASE_NAMES,    Q_ERASE_SOURCES, Q_ERASE_BUILDS,  Q_ERASE_DETAILS,
        Q_ERASE_STDERR,   Q_ERASE_AUDIT,   Q_ERASE_PROFILES};

    if (user_set_role(db, id, ROLE_USER, err) < 0 ||
        erase_matches(db, id, now_ns, err) < 0)
        return -1;
    for (size_t i = 0; i < sizeof timed / sizeof *timed; i++)
        if (db_run(db, timed[i], err, SQL_I64(id), SQL_I64(now_ns)) < 0)
            return -1;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (db_run(db, plain[i], err, SQL_I64(id)) < 0)
            return -1;
    return 0;
}
