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

/* The user of request->token_hash. */
static bool auth_find(struct request *request, struct db *db)
{
    struct user user = {0};
    struct err err;
    int found =
        user_find_token(db, request->token_hash, clock_wall_ns(), &user, &err);

    if (found > 0) {
        user_release(&request->user);
        request->user = user;
        return true;
    }
    if (found == 0)
        return auth_refuse(
            request, "bad_token",
            "nobody has this token: it is wrong, revoked or at its end");
    reply_err(&request->reply, &err);
    return false;
}

bool auth_identify(struct request *request, const char *header, struct db *db)
{
    if (!header)
        return true;
    const char *token = auth_token(header);
    if (!token)
        return auth_refuse(request, "bad_authorization",
                           "the Authorization header must be: Bearer TOKEN");
    token_hash(token, request->token_hash);
    request->has_token = true;
    return auth_find(request, db);
}

bool auth_again(struct request *request, struct db *db)
{
    return !request->has_token || auth_find(request, db);
}
