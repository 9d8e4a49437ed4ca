/* users: who may do what, and the tokens that prove it.
 *
 * Tokens are kept as SHA-256 only; a token itself exists once, in the answer
 * that made it. Row structs own their texts: `user_release`.
 */
#pragma once

#include "db/db.h"
#include "runner/base/hash.h"

#define TOKEN_SIZE 49 /* "bout_" + 43 characters of base64url + NUL */

struct user {
    int64_t id;
    char *name;
    bool admin;
    int64_t created_ns;
};

struct user_list {
    struct user *row;
    size_t count;
    bool more; /* rows are left: the cursor is the last row's id */
};

void user_release(struct user *user);
void user_list_release(struct user_list *list);

/* A fresh token of 256 random bits, and the hash to keep. */
void token_make(char token[TOKEN_SIZE], uint8_t hash[HASH_BYTES]);
/* The hash of any text that claims to be a token. */
void token_hash(const char *token, uint8_t hash[HASH_BYTES]);

/* 1 to 40 of letters, digits, '-', '_', '.': also the rule for bot names.
 * ERR_INPUT otherwise, with a sentence about `what`. */
int name_check(const char *name, const char *what, struct err *err);

/* Writer. ERR_INPUT for a bad name, ERR_CONFLICT if the name exists. */
int user_add(struct db *db, const char *name, bool admin, int64_t now_ns,
             int64_t *id, struct err *err);
int token_add(struct db *db, int64_t user_id, const uint8_t hash[HASH_BYTES],
              int64_t now_ns, struct err *err);
/* Every token of the user ends. */
int token_revoke_all(struct db *db, int64_t user_id, int64_t now_ns,
                     struct err *err);

/* Reader. 1: *user is filled; 0: none; -1. */
int user_find(struct db *db, int64_t id, struct user *user, struct err *err);
int user_find_name(struct db *db, const char *name, struct user *user,
                   struct err *err);
int user_find_token(struct db *db, const uint8_t hash[HASH_BYTES],
                    struct user *user, struct err *err);

/* By id, from the first above `after` (0: from the start). */
int user_list(struct db *db, int64_t after, uint32_t limit,
              struct user_list *list, struct err *err);
