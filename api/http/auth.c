#include "api/http/auth.h"

#include "runner/base/clock.h"

#include <microhttpd.h>
#include <string.h>
#include <strings.h>

/* The token in "Bearer TOKEN", or NULL. */
static const char *auth_token(const char *header)
{
    static const char scheme[] = "Bearer ";

    if (strncasecmp(header, scheme, sizeof scheme - 1) != 0)
        return NULL;
    header += sizeof scheme - 1;
    header += strspn(header, " ");
    return *header && !strpbrk(header, " \t") ? header : NULL;
}

static bool auth_refuse(struct request *request, const char *code,
                        const char *why)
{
    request->reply.authenticate = true;
    reply_problem(&request->reply, MHD_HTTP_UNAUTHORIZED, code, "%s", why);
    return false;
}

bool auth_identify(struct request *request, const char *header, struct db *db)
{
    uint8_t hash[HASH_BYTES];
    struct err err;

    if (!header)
        return true;
    const char *token = auth_token(header);
    if (!token)
        return auth_refuse(request, "bad_authorization",
                           "the Authorization header must be: Bearer TOKEN");
    token_hash(token, hash);
    int found =
        user_find_token(db, hash, clock_wall_ns(), &request->user, &err);
    if (found > 0)
        return true;
    if (found == 0)
        return auth_refuse(
            request, "bad_token",
            "nobody has this token: it is wrong, revoked or at its end");
    reply_err(&request->reply, &err);
    return false;
}
