/* auth: from an Authorization header to a user. Source: RFC 6750 2.1. */
#pragma once

#include "api/http/request.h"

/* `header` is the Authorization header's value or NULL. Fills request->user.
 * A header that is there but wrong answers 401 and returns false, also where
 * no token is needed: the client believes to be somebody. -1 is never hidden:
 * a failure of the database answers 500. */
bool auth_identify(struct request *request, const char *header, struct db *db);

/* In the writer: the same for the token that the head of the request had. It
 * may have been revoked, or its user have another role or be gone. */
bool auth_again(struct request *request, struct db *db);
