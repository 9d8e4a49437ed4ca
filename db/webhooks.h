/* webhooks: addresses that are told when a match is over. "Writer", "Reader" as
 * in db/bots.h.
 *
 * A match that ends queues a delivery for each webhook of the owners of its
 * bots and of who asked for it, in the same transaction.
 */
#pragma once

#include "db/db.h"

#define WEBHOOK_URL_MAX 500
#define WEBHOOKS_A_USER 10
#define DELIVERY_ATTEMPTS 6

struct webhook {
    int64_t id;
    int64_t user_id;
    char *url;
    int64_t created_ns;
    int64_t waiting; /* deliveries that are to be made yet */
    int64_t failed;  /* that were given up */
    char *answer;    /* to the last attempt; NULL: there was none */
};

struct webhook_list {
    struct webhook *row;
    size_t count;
};

void webhook_list_release(struct webhook_list *list);

/* Writer. ERR_CONFLICT over WEBHOOKS_A_USER. */
int webhook_add(struct db *db, int64_t user_id, const char *url,
                const char *secret, int64_t now_ns, int64_t *id,
                struct err *err);
/* Writer. 1; 0: the user has none of that id; -1. */
int webhook_remove(struct db *db, int64_t id, int64_t user_id, struct err *err);
/* Reader. All of the user's, by id. */
int webhook_list(struct db *db, int64_t user_id, struct webhook_list *list,
                 struct err *err);

/* Writer. The match is over. */
int delivery_queue(struct db *db, int64_t match_id, int64_t now_ns,
                   struct err *err);

struct delivery {
    int64_t id;
    int64_t webhook_id;
    int64_t match_id;
    char *status; /* of the match */
    char *url;
    char *secret;
    int64_t attempts; /* before this one */
};

void delivery_release(struct delivery *delivery);

struct delivery_list {
    struct delivery *row;
    size_t count;
};

void delivery_list_release(struct delivery_list *list);

/* Reader. Of each webhook the next one that is due, those that wait longest
 * first. */
int delivery_list_due(struct db *db, int64_t now_ns, struct delivery_list *list,
                      struct err *err);
/* Writer. How an attempt went: done, or again later, or given up. */
int delivery_note(struct db *db, const struct delivery *delivery, bool done,
                  const char *answer, int64_t now_ns, struct err *err);
