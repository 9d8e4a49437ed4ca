/* people: what the resources of users, tokens and invitations share. */
#pragma once

#include "api/http/request.h"

/* New references. */
json_t *users_document(const struct user *user);
json_t *tokens_scopes(unsigned scopes);
json_t *tokens_document(const struct token *token);

/* Appends the documents of a user's webhooks. */
int webhooks_gather(struct db *db, int64_t user_id, json_t *to,
                    struct err *err);

/* Answers 200 with the user, or 404. */
int users_answer(struct request *request, struct db *db, int64_t id,
                 struct err *err);

/* The user that ?owner= names, "me" or a name; *owner_id stays without it. 1; 0
 * with the answer; -1. */
int users_read_owner(struct request *request, struct db *db, int64_t *owner_id,
                     struct err *err);

/* When something ends that lasts so many seconds; 0 seconds: never, 0. */
int64_t people_expires_ns(int64_t seconds);
