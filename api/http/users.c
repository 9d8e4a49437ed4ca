/* users: POST /v1/users. */
#include "api/http/fields.h"
#include "api/http/resources.h"
#include "db/settings.h"
#include "runner/base/clock.h"

#include <microhttpd.h>

/* The new user's token; it is kept hashed and shown in this answer alone. */
static int users_answer(struct request *request, struct db *db, int64_t id,
                        const char *name, struct err *err)
{
    char token[TOKEN_SIZE];
    uint8_t hash[HASH_BYTES];

    token_make(token, hash);
    if (token_add(db, id, hash, clock_wall_ns(), err) < 0)
        return -1;
    return reply_json(&request->reply, MHD_HTTP_CREATED,
                      json_pack("{s:I, s:s, s:s}", "id", (json_int_t)id, "name",
                                name, "token", token));
}

int users_add(struct request *request, struct db *db, struct err *err)
{
    struct fields fields;
    struct err wrong;
    int64_t id;

    fields_init(&fields, request);
    const char *name = fields_text(&fields, "name", true);
    if (name && name_check(name, "a user name", &wrong) < 0)
        reply_invalid(&request->reply, "name", "%s", wrong.msg);
    if (!fields_end(&fields))
        return HANDLED_REPLY;

    if (user_add(db, name, false, clock_wall_ns(), &id, err) < 0 ||
        audit_add(db, request->user.id ? request->user.id : id, "user.add",
                  name, clock_wall_ns(), err) < 0)
        return -1;
    return users_answer(request, db, id, name, err);
}
