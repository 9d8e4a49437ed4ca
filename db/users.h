/* users: who may do what. The tokens that prove it are in db/tokens.h. Row
 * structs own their texts: `user_release`.
 */
#pragma once

#include "db/db.h"
#include "runner/base/hash.h"

/* A judge sees what the owner of any bot sees, and stops, repeats and rates
 * matches and bots; an observer only sees. Neither enters bots. */
#define USER_ROLES(X)       \
    X(USER, "user")         \
    X(OBSERVER, "observer") \
    X(JUDGE, "judge")       \
    X(ADMIN, "admin")

enum user_role {
#define USER_ROLE_ENUM(name, text) ROLE_##name,
    USER_ROLES(USER_ROLE_ENUM)
#undef USER_ROLE_ENUM
        ROLE_COUNT
};

const char *user_role_text(enum user_role role);
/* ROLE_COUNT for an unknown word. */
enum user_role user_role_parse(const char *text);

struct user {
    int64_t id;
    char *name;
    enum user_role role;
    int64_t created_ns;
    /* Where it was found by a token: that token's. */
    int64_t token_id;
    unsigned scopes; /* enum scope of db/tokens.h */
};

struct user_list {
    struct user *row;
    size_t count;
    bool more; /* rows are left: the cursor is the last row's id */
};

void user_release(struct user *user);
void user_list_release(struct user_list *list);

/* 1 to 40 of letters, digits, '-', '_', '.': also the rule for bot names.
 * ERR_INPUT otherwise, with a sentence about `what`. */
int name_check(const char *name, const char *what, struct err *err);

/* Writer. ERR_INPUT for a bad name, ERR_CONFLICT if the name exists. */
int user_add(struct db *db, const char *name, enum user_role role,
             int64_t now_ns, int64_t *id, struct err *err);
/* Writer. ERR_CONFLICT where no admin would be left; ERR_MISSING. */
int user_set_role(struct db *db, int64_t id, enum user_role role,
                  struct err *err);

/* Writer. Takes from the database what is known of a person: name, tokens,
 * sources, builds, notes, stderr, profiles, names of bots. What was played
 * stays under the name "erased-ID". ERR_CONFLICT for the last admin. */
int user_erase(struct db *db, int64_t id, int64_t now_ns, struct err *err);

/* Reader. 1: *user is filled; 0: none; -1. */
int user_find(struct db *db, int64_t id, struct user *user, struct err *err);
int user_find_name(struct db *db, const char *name, struct user *user,
                   struct err *err);
/* By a token that is neither revoked nor at its end. */
int user_find_token(struct db *db, const uint8_t hash[HASH_BYTES],
                    int64_t now_ns, struct user *user, struct err *err);

/* By id, from the first above `after` (0: from the start). */
int user_list(struct db *db, int64_t after, uint32_t limit,
              struct user_list *list, struct err *err);
