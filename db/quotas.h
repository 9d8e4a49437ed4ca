/* quotas: what one user may have of the service, and has. The words and
 * defaults are in quota.def. "Writer", "Reader" as in db/bots.h.
 *
 * kept_versions and stored_bytes are never reached: the oldest versions that do
 * not play lose their sources and builds (quota_keep).
 */
#pragma once

#include "db/db.h"

enum quota {
#define QUOTA(name, word, most, text) QUOTA_##name,
#include "db/quota.def"
    QUOTA_COUNT
};

const char *quota_word(enum quota quota);
const char *quota_sentence(enum quota quota);
/* QUOTA_COUNT for an unknown word. */
enum quota quota_parse(const char *word);

/* What holds for who has nothing of his own: quota.def's, or what was set. */
int64_t quota_default(enum quota quota);
/* At start, before any thread: "uploads_per_hour=100,queued_matches=50".
 * ERR_INPUT names what is wrong. */
int quota_set_defaults(const char *text, struct err *err);

struct quota_state {
    int64_t most;
    int64_t used;
    int64_t retry_ns; /* until some of it is free again; 0: nobody knows */
};

/* Reader. */
int quota_find(struct db *db, int64_t user_id, enum quota quota, int64_t now_ns,
               struct quota_state *state, struct err *err);

/* Writer. value -1: the default again. */
int quota_set(struct db *db, int64_t user_id, enum quota quota, int64_t value,
              struct err *err);

/* Writer. Drops sources and builds of old versions, until the owner of this bot
 * is within kept_versions and stored_bytes. ERR_TOO_BIG if that cannot be. */
int quota_keep(struct db *db, int64_t bot_id, int64_t owner_id, int64_t now_ns,
               struct err *err);
