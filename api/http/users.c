/* users: entered, listed, given a role. */
#include "api/http/cursor.h"
#include "api/http/fields.h"
#include "api/http/people.h"
#include "api/http/quota.h"
#include "api/http/resources.h"
#include "db/settings.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"

#include <microhttpd.h>
#include <string.h>

json_t *users_document(const struct user *user)
{
    return json_pack("{s:I, s:o, s:s, s:o}", "id", (json_int_t)user->id, "name",
                     reply_string(user->name), "role",
                     user_role_text(user->role), "created",
                     reply_time(user->created_ns));
}

int users_answer(struct request *request, struct db *db, int64_t id,
                 struct err *err)
{
    struct user user = {0};
    int found = user_find(db, id, &user, err);

    if (found == 0)
        reply_problem(&request->reply, MHD_HTTP_NOT_FOUND, "not_found",
                      "there is no user %lld", (long long)id);
    if (found <= 0)
        return found;
    reply_json(&request->reply, MHD_HTTP_OK, users_document(&user));
    user_release(&user);
    return HANDLED_REPLY;
}

/* ---- entering ------------------------------------------------------------ */

struct users_order {
    const char *name;
    const char *invitation;
    enum user_role role;
};

/* False: answered. */
static bool users_read_order(struct request *request, struct users_order *order)
{
    struct fields fields;
    struct err wrong;

    fields_init(&fields, request);
    order->name = fields_text(&fields, "name", true);
    order->invitation = fields_text(&fields, "invitation", false);
    const char *role = fields_text(&fields, "role", false);
    if (order->name && name_check(order->name, "a user name", &wrong) < 0)
        reply_invalid(&request->reply, "name", "%s", wrong.msg);
    order->role = role ? user_role_parse(role) : ROLE_USER;
    if (order->role == ROLE_COUNT)
        reply_invalid(&request->reply, "role",
                      "must be user, observer, judge or admin");
    if (!fields_end(&fields))
        return false;
    if (order->role == ROLE_USER || request_is_admin(request))
        return true;
    reply_problem(&request->reply, MHD_HTTP_FORBIDDEN, "admin_only",
                  "only an admin gives roles");
    return false;
}

/* Where it takes one: 1; 0: answered; -1. */
static int users_use_invitation(struct request *request, struct db *db,
                                const char *invitation, struct err *err)
{
    uint8_t hash[HASH_BYTES];

    if (request_is_admin(request) ||
        request->service->registration != REGISTRATION_INVITATION)
        return 1;
    token_hash(invitation ? invitation : "", hash);
    int good = invitation_use(db, hash, clock_wall_ns(), err);
    if (good == 0)
        reply_problem(&request->reply, MHD_HTTP_FORBIDDEN, "bad_invitation",
                      invitation
                          ? "this invitation is wrong, used up or over"
                          : "registration is by invitation: send the text that "
                            "an admin gave you as `invitation`");
    return good;
}

/* The new user's token; it is kept hashed and shown in this answer alone. */
static int users_answer_new(struct request *request, struct db *db, int64_t id,
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
    struct users_order order = {0};
    int64_t id;

    if (!users_read_order(request, &order))
        return HANDLED_REPLY;
    int good = users_use_invitation(request, db, order.invitation, err);
    if (good <= 0)
        return good;
    if (user_add(db, order.name, order.role, clock_wall_ns(), &id, err) < 0)
        return -1;
    auto_free char *subject = mem_format(
        "%lld %s, %s", (long long)id, order.name, user_role_text(order.role));
    if (audit_add(db, request->user.id ? request->user.id : id, "user.add",
                  subject, clock_wall_ns(), err) < 0)
        return -1;
    return users_answer_new(request, db, id, order.name, err);
}

/* ---- looking ------------------------------------------------------------- */

int users_list(struct request *request, struct db *db, struct err *err)
{
    struct user_list list = {0};
    struct cursor cursor;
    uint32_t limit;

    if (cursor_read(request, CURSOR_MOST, &cursor, &limit, err) < 0 ||
        user_list(db, cursor.key[0], limit, &list, err) < 0)
        return -1;
    json_t *items = json_array();
    for (size_t i = 0; i < list.count; i++)
        json_array_append_new(items, users_document(&list.row[i]));
    if (list.count)
        cursor.key[0] = list.row[list.count - 1].id;
    cursor_reply(request, items, list.more ? &cursor : NULL);
    user_list_release(&list);
    return HANDLED_REPLY;
}

int users_me(struct request *request, struct db *db, struct err *err)
{
    json_t *quotas = quota_document(db, request->user.id, err);

    if (!quotas)
        return -1;
    json_t *document = users_document(&request->user);
    json_object_set_new(document, "quotas", quotas);
    json_object_set_new(document, "token",
                        json_integer(request->user.token_id));
    json_object_set_new(document, "scopes",
                        tokens_scopes(request->user.scopes));
    return reply_json(&request->reply, MHD_HTTP_OK, document);
}

int users_show(struct request *request, struct db *db, struct err *err)
{
    if (!request_must_see(request, request->id, "see a user's account"))
        return HANDLED_REPLY;
    return users_answer(request, db, request->id, err);
}

/* ---- roles --------------------------------------------------------------- */

int users_set_role(struct request *request, struct db *db, struct err *err)
{
    struct fields fields;

    fields_init(&fields, request);
    const char *word = fields_text(&fields, "role", true);
    enum user_role role = word ? user_role_parse(word) : ROLE_COUNT;
    if (word && role == ROLE_COUNT)
        reply_invalid(&request->reply, "role",
                      "must be user, observer, judge or admin");
    if (!fields_end(&fields))
        return HANDLED_REPLY;
    auto_free char *subject =
        mem_format("%lld to %s", (long long)request->id, user_role_text(role));
    if (user_set_role(db, request->id, role, err) < 0 ||
        audit_add(db, request->user.id, "user.role", subject, clock_wall_ns(),
                  err) < 0)
        return -1;
    return users_answer(request, db, request->id, err);
}

int users_read_owner(struct request *request, struct db *db, int64_t *owner_id,
                     struct err *err)
{
    const char *name = uri_query(&request->uri, "owner");
    struct user user = {0};

    if (!name)
        return 1;
    if (!strcmp(name, "me") && request->user.id) {
        *owner_id = request->user.id;
        return 1;
    }
    int found = user_find_name(db, name, &user, err);
    if (found == 0)
        reply_problem(&request->reply, MHD_HTTP_NOT_FOUND, "not_found",
                      "there is no user of that name");
    *owner_id = user.id;
    user_release(&user);
    return found;
}
