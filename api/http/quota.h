/* quota: what a user may have, asked before it is given. */
#pragma once

#include "api/http/request.h"
#include "db/quotas.h"

/* Has the client room for so much more? Admins always. 1; 0: answered 429 with
 * Retry-After, or 409 where it is more than one may ever have; -1. */
int quota_must(struct request *request, struct db *db, enum quota quota,
               int64_t amount, struct err *err);

/* {"uploads_per_hour": {"most": 60, "used": 3}, ...}; NULL with *err. */
json_t *quota_document(struct db *db, int64_t user_id, struct err *err);
/* {"uploads_per_hour": 60, ...}: what who has no other quotas may have. */
json_t *quota_defaults(void);
