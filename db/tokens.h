/* tokens: what proves who somebody is, and the invitations to become somebody.
 *
 * Both are kept as SHA-256 only; the text itself exists once, in the answer
 * that made it. Row structs own their texts. "Writer", "Reader" as in
 * db/bots.h.
 */
#pragma once

#include "db/db.h"
#include "runner/base/hash.h"

#define TOKEN_SIZE 49 /* "bout_" + 43 characters of base64url + NUL */

enum scope_number {
#define SCOPE(name, word, text) SCOPE_NUMBER_##name,
#include "db/scope.def"
    SCOPE_COUNT
};

enum scope {
#define SCOPE(name, word, text) SCOPE_##name = 1u << SCOPE_NUMBER_##name,
#include "db/scope.def"
    SCOPE_NONE = 0,
    SCOPE_ALL = (1u << SCOPE_COUNT) - 1,
};

/* The word of bit 1u << number. */
const char *scope_word(unsigned number);
/* The bit of a word; 0 for an unknown one. */
unsigned scope_parse(const char *word);
/* "read bots" and back; all of them are "all". What is unknown is nothing. */
char *scopes_text(unsigned scopes);
unsigned scopes_parse(const char *text);

/* A fresh token of 256 random bits, and the hash to keep. */
void token_make(char token[TOKEN_SIZE], uint8_t hash[HASH_BYTES]);
/* The hash of any text that claims to be a token. */
void token_hash(const char *token, uint8_t hash[HASH_BYTES]);

struct token {
    int64_t id;
    int64_t user_id;
    char *label;
    unsigned scopes;
    int64_t created_ns;
    int64_t expires_ns; /* 0: never */
    int64_t revoked_ns; /* 0: it holds */
};

struct token_list {
    struct token *row;
    size_t count;
    bool more; /* rows are left: the cursor is the last row's id */
};

void token_release(struct token *token);
void token_list_release(struct token_list *list);

struct token_spec {
    int64_t user_id;
    const char *label; /* NULL: "" */
    unsigned scopes;
    int64_t expires_ns; /* 0: never */
    int64_t now_ns;
};

/* Writer. *id is the new token's; NULL is fine. */
int token_add_as(struct db *db, const struct token_spec *spec,
                 const uint8_t hash[HASH_BYTES], int64_t *id, struct err *err);
/* Writer. One for everything, without an end. */
int token_add(struct db *db, int64_t user_id, const uint8_t hash[HASH_BYTES],
              int64_t now_ns, struct err *err);
/* Writer. It ends now, where it has not yet. */
int token_revoke(struct db *db, int64_t id, int64_t now_ns, struct err *err);
/* Writer. Every token of the user ends. */
int token_revoke_all(struct db *db, int64_t user_id, int64_t now_ns,
                     struct err *err);

/* Reader. 1, 0, -1. */
int token_find(struct db *db, int64_t id, struct token *token, struct err *err);
/* Reader. By id, from the first above `after` (0: from the start). */
int token_list(struct db *db, int64_t user_id, int64_t after, uint32_t limit,
               struct token_list *list, struct err *err);

/* ---- invitations --------------------------------------------------------- */

struct invitation {
    int64_t id;
    char *label;
    int64_t uses_left;
    int64_t created_ns;
    int64_t expires_ns; /* 0: never */
    int64_t revoked_ns; /* 0: it holds */
};

struct invitation_list {
    struct invitation *row;
    size_t count;
    bool more;
};

void invitation_list_release(struct invitation_list *list);

/* Writer. Of `spec`, hash is the text's; its id is in spec->id afterwards. */
int invitation_add(struct db *db, struct invitation *spec,
                   const uint8_t hash[HASH_BYTES], struct err *err);
/* Writer. 1: it was good, for one user; 0: it is wrong, used up or over; -1. */
int invitation_use(struct db *db, const uint8_t hash[HASH_BYTES],
                   int64_t now_ns, struct err *err);
/* Writer. 1; 0: there is none of that id; -1. */
int invitation_revoke(struct db *db, int64_t id, int64_t now_ns,
                      struct err *err);
/* Reader. By id. */
int invitation_list(struct db *db, int64_t after, uint32_t limit,
                    struct invitation_list *list, struct err *err);
