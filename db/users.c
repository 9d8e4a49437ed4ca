#include "db/users.h"

#include <sodium.h>
#include <string.h>

#define NAME_MAX_BYTES 40

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

void token_make(char token[TOKEN_SIZE], uint8_t hash[HASH_BYTES])
{
    uint8_t secret[32];

    randombytes_buf(secret, sizeof secret);
    char *rest = stpcpy(token, "bout_");
    sodium_bin2base64(rest, (size_t)(token + TOKEN_SIZE - rest), secret,
                      sizeof secret, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(secret, sizeof secret);
    token_hash(token, hash);
}

void token_hash(const char *token, uint8_t hash[HASH_BYTES])
{
    struct hash state;

    hash_init(&state);
    hash_add_str(&state, token);
    hash_end(&state, hash);
}

int name_check(const char *name, const char *what, struct err *err)
{
    size_t size = strlen(name);
    size_t fit = strspn(name, "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");

    if (size >= 1 && size <= NAME_MAX_BYTES && fit == size)
        return 0;
    return err_set(err, ERR_INPUT,
                   "%s must be 1 to %d letters (a-z, A-Z), digits, '-', '_' or "
                   "'.'",
                   what, NAME_MAX_BYTES);
}

int user_add(struct db *db, const char *name, bool admin, int64_t now_ns,
             int64_t *id, struct err *err)
{
    if (name_check(name, "the user name", err) < 0)
        return -1;
    if (db_run(db, Q_USER_ADD, err, SQL_TEXT(name), SQL_I64(admin),
               SQL_I64(now_ns)) < 0)
        return err->kind == ERR_CONFLICT
                   ? err_set(err, ERR_CONFLICT,
                             "a user named %s exists; take another name", name)
                   : -1;
    *id = db_last_id(db);
    return 0;
}

int token_add(struct db *db, int64_t user_id, const uint8_t hash[HASH_BYTES],
              int64_t now_ns, struct err *err)
{
    return db_run(db, Q_TOKEN_ADD, err, SQL_BLOB(hash, HASH_BYTES),
                  SQL_I64(user_id), SQL_I64(now_ns));
}

int token_revoke_all(struct db *db, int64_t user_id, int64_t now_ns,
                     struct err *err)
{
    return db_run(db, Q_TOKEN_REVOKE, err, SQL_I64(user_id), SQL_I64(now_ns));
}

static struct user user_read(const struct stmt *st)
{
    return (struct user){
        .id = stmt_i64(st, 0),
        .name = stmt_take_text(st, 1),
        .admin = stmt_i64(st, 2) != 0,
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
                    struct user *user, struct err *err)
{
    return user_find_by(db, Q_USER_FIND_TOKEN, SQL_BLOB(hash, HASH_BYTES), user,
                        err);
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
