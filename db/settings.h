/* settings: small things kept by name, repeated requests, and the audit trail.
 * "Writer", "Reader" as in db/bots.h.
 */
#pragma once

#include "db/db.h"
#include "runner/base/hash.h"

/* Reader; *value is to be freed. 1, 0, -1. */
int setting_find(struct db *db, const char *key, char **value, struct err *err);
/* Writer. */
int setting_put(struct db *db, const char *key, const char *value,
                struct err *err);

/* What a POST with an Idempotency-Key answered. */
struct repeat {
    uint8_t request_hash[HASH_BYTES]; /* of method, path and body */
    int http_status;
    char *location; /* NULL: none */
    char *body;
};

void repeat_release(struct repeat *repeat);

/* Reader. 1: answered before; compare request_hash (another one is the
 * client's fault); 0: new; -1. user_id 0 is "no token". */
int repeat_find(struct db *db, int64_t user_id, const char *key,
                struct repeat *repeat, struct err *err);
/* Writer, in the transaction of the effect. ERR_CONFLICT if it is there. */
int repeat_add(struct db *db, int64_t user_id, const char *key,
               const struct repeat *repeat, int64_t now_ns, struct err *err);

/* Writer. Who did what to which thing. */
int audit_add(struct db *db, int64_t user_id, const char *action,
              const char *subject, int64_t now_ns, struct err *err);

struct audit_row {
    int64_t id;
    int64_t at_ns;
    int64_t user_id; /* 0: the service itself */
    char *user;      /* name; NULL for the service */
    char *action;    /* "user.role" */
    char *subject;   /* "7 to judge" */
};

struct audit_list {
    struct audit_row *row;
    size_t count;
    bool more;
};

void audit_list_release(struct audit_list *list);
/* Reader. Newest first; ids below `before` (0: from the newest), of this user
 * (0: all). */
int audit_list(struct db *db, int64_t user_id, int64_t before, uint32_t limit,
               struct audit_list *list, struct err *err);
