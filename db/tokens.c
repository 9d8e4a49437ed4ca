#include "db/tokens.h"

#include "runner/base/cleanup.h"

#include <sodium.h>
#include <string.h>

/* ---- scopes ---------------------------------------------------------------
 */

static const char *const words[SCOPE_COUNT] = {
#define SCOPE(name, word, text) [SCOPE_NUMBER_##name] = (word),
#include "db/scope.def"
};

#define ALL_WORD "all"

const char *scope_word(unsigned number)
{
    return words[number];
}

static unsigned scope_find(const char *word, size_t size)
{
    for (unsigned i = 0; i < SCOPE_COUNT; i++)
        if (strlen(words[i]) == size && !memcmp(words[i], word, size))
            return 1u << i;
    return 0;
}

unsigned scope_parse(const char *word)
{
    return scope_find(word, strlen(word));
}

char *scopes_text(unsigned scopes)
{
    struct buf text = {0};

    if (scopes == SCOPE_ALL)
        return mem_dup_str(ALL_WORD);
    for (unsigned i = 0; i < SCOPE_COUNT; i++)
        if (scopes & 1u << i)
            buf_add_format(&text, "%s%s", text.size ? " " : "", words[i]);
    return text.data ? buf_take(&text) : mem_dup_str("");
}

unsigned scopes_parse(const char *text)
{
    unsigned scopes = 0;

    if (!strcmp(text, ALL_WORD))
        return SCOPE_ALL;
    while (*text) {
        size_t size = strcspn(text, " ");
        scopes |= scope_find(text, size);
        text += size + strspn(text + size, " ");
    }
    return scopes;
}

/* ---- tokens ---------------------------------------------------------------
 */

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

void token_release(struct token *token)
{
    free(token->label);
    *token = (struct token){0};
}

void token_list_release(struct token_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        token_release(&list->row[i]);
    free(list->row);
    *list = (struct token_list){0};
}

int token_add_as(struct db *db, const struct token_spec *spec,
                 const uint8_t hash[HASH_BYTES], int64_t *id, struct err *err)
{
    auto_free char *scopes = scopes_text(spec->scopes);

    if (db_run(db, Q_TOKEN_ADD, err, SQL_BLOB(hash, HASH_BYTES),
               SQL_I64(spec->user_id), SQL_TEXT(spec->label ? spec->label : ""),
               SQL_TEXT(scopes), SQL_I64(spec->now_ns),
               SQL_OR_NULL(spec->expires_ns)) < 0)
        return -1;
    if (id)
        *id = db_last_id(db);
    return 0;
}

int token_add(struct db *db, int64_t user_id, const uint8_t hash[HASH_BYTES],
              int64_t now_ns, struct err *err)
{
    const struct token_spec spec = {
        .user_id = user_id, .scopes = SCOPE_ALL, .now_ns = now_ns};

    return token_add_as(db, &spec, hash, NULL, err);
}

int token_revoke(struct db *db, int64_t id, int64_t now_ns, struct err *err)
{
    return db_run(db, Q_TOKEN_REVOKE, err, SQL_I64(id), SQL_I64(now_ns));
}

int token_revoke_all(struct db *db, int64_t user_id, int64_t now_ns,
                     struct err *err)
{
    return db_run(db, Q_TOKEN_REVOKE_ALL, err, SQL_I64(user_id),
                  SQL_I64(now_ns));
}

static struct token token_read(const struct stmt *st)
{
    return (struct token){
        .id = stmt_i64(st, 0),
        .user_id = stmt_i64(st, 1),
        .label = stmt_take_text(st, 2),
        .scopes = scopes_parse(stmt_text(st, 3)),
        .created_ns = stmt_i64(st, 4),
        .expires_ns = stmt_i64(st, 5),
        .revoked_ns = stmt_i64(st, 6),
    };
}

int token_find(struct db *db, int64_t id, struct token *token, struct err *err)
{
    auto_stmt struct stmt *st = stmt_open(db, Q_TOKEN_FIND, err, SQL_I64(id));
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1)
        *token = token_read(st);
    return row;
}

int token_list(struct db *db, int64_t user_id, int64_t after, uint32_t limit,
               struct token_list *list, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_TOKEN_LIST, err, SQL_I64(user_id), SQL_I64(after),
                  SQL_I64((int64_t)limit + 1));
    struct token_list found = {0};
    int row;

    found.row = mem_calloc(limit, sizeof *found.row);
    while ((row = stmt_page(st, limit, found.count, &found.more, err)) == 1)
        found.row[found.count++] = token_read(st);
    if (row < 0) {
        token_list_release(&found);
        return -1;
    }
    *list = found;
    return 0;
}

/* ---- invitations -----------------------------------------------------------
 */

void invitation_list_release(struct invitation_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->row[i].label);
    free(list->row);
    *list = (struct invitation_list){0};
}

int invitation_add(struct db *db, struct invitation *spec,
                   const uint8_t hash[HASH_BYTES], struct err *err)
{
    if (db_run(db, Q_INVITATION_ADD, err, SQL_BLOB(hash, HASH_BYTES),
               SQL_TEXT(spec->label ? spec->label : ""),
               SQL_I64(spec->uses_left), SQL_I64(spec->created_ns),
               SQL_OR_NULL(spec->expires_ns)) < 0)
        return -1;
    spec->id = db_last_id(db);
    return 0;
}

int invitation_use(struct db *db, const uint8_t hash[HASH_BYTES],
                   int64_t now_ns, struct err *err)
{
    if (db_run(db, Q_INVITATION_USE, err, SQL_BLOB(hash, HASH_BYTES),
               SQL_I64(now_ns)) < 0)
        return -1;
    return db_changes(db) == 1;
}

int invitation_revoke(struct db *db, int64_t id, int64_t now_ns,
                      struct err *err)
{
    if (db_run(db, Q_INVITATION_REVOKE, err, SQL_I64(id), SQL_I64(now_ns)) < 0)
        return -1;
    return db_changes(db) == 1;
}

int invitation_list(struct db *db, int64_t after, uint32_t limit,
                    struct invitation_list *list, struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_INVITATION_LIST, err, SQL_I64(after),
                  SQL_I64((int64_t)limit + 1));
    struct invitation_list found = {0};
    int row;

    found.row = mem_calloc(limit, sizeof *found.row);
    while ((row = stmt_page(st, limit, found.count, &found.more, err)) == 1)
        found.row[found.count++] = (struct invitation){
            .id = stmt_i64(st, 0),
            .label = stmt_take_text(st, 1),
            .uses_left = stmt_i64(st, 2),
            .created_ns = stmt_i64(st, 3),
            .expires_ns = stmt_i64(st, 4),
            .revoked_ns = stmt_i64(st, 5),
        };
    if (row < 0) {
        invitation_list_release(&found);
        return -1;
    }
    *list = found;
    return 0;
}
