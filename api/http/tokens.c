/* tokens: further tokens of a user, which may end and do less; and the
 * invitations of admins. The texts are shown once, in the answer that makes
 * them. */
#include "api/http/cursor.h"
#include "api/http/fields.h"
#include "api/http/people.h"
#include "api/http/resources.h"
#include "db/settings.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"

#include <microhttpd.h>
#include <string.h>

#define TOKENS_LABEL_MAX 80
#define TOKENS_SECONDS_MAX (INT64_C(86400) * 366 * 10)
#define TOKENS_USES_MAX 100000

int64_t people_expires_ns(int64_t seconds)
{
    return seconds ? clock_wall_ns() + seconds * 1000000000 : 0;
}

json_t *tokens_scopes(unsigned scopes)
{
    json_t *list = json_array();

    for (unsigned i = 0; i < SCOPE_COUNT; i++)
        if (scopes & 1u << i)
            json_array_append_new(list, json_string(scope_word(i)));
    return list;
}

json_t *tokens_document(const struct token *token)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o}", "id",
                     (json_int_t)token->id, "label", reply_string(token->label),
                     "scopes", tokens_scopes(token->scopes), "created",
                     reply_time(token->created_ns), "expires",
                     reply_time(token->expires_ns), "revoked",
                     reply_time(token->revoked_ns));
}

/* ---- listing --------------------------------------------------------------
 */

/* Whose: the client's, or for an admin that of ?owner=. 1; 0: answered; -1. */
static int tokens_read_owner(struct request *request, struct db *db,
                             int64_t *user_id, struct err *err)
{
    const char *name = uri_query(&request->uri, "owner");

    *user_id = request->user.id;
    if (!name || !strcmp(name, "me") || !strcmp(name, request->user.name))
        return 1;
    if (!request_is_admin(request)) {
        reply_problem(&request->reply, MHD_HTTP_FORBIDDEN, "admin_only",
                      "only an admin sees the tokens of others");
        return 0;
    }
    return users_read_owner(request, db, user_id, err);
}

int tokens_list(struct request *request, struct db *db, struct err *err)
{
    struct token_list list = {0};
    struct cursor cursor;
    uint32_t limit;
    int64_t user_id;

    if (cursor_read(request, CURSOR_MOST, &cursor, &limit, err) < 0)
        return -1;
    int fine = tokens_read_owner(request, db, &user_id, err);
    if (fine <= 0)
        return fine;
    if (token_list(db, user_id, cursor.key[0], limit, &list, err) < 0)
        return -1;
    json_t *items = json_array();
    for (size_t i = 0; i < list.count; i++)
        json_array_append_new(items, tokens_document(&list.row[i]));
    if (list.count)
        cursor.key[0] = list.row[list.count - 1].id;
    cursor_reply(request, items, list.more ? &cursor : NULL);
    token_list_release(&list);
    return HANDLED_REPLY;
}

/* ---- making and ending ----------------------------------------------------
 */

static const char *tokens_read_label(struct request *request,
                                     struct fields *fields)
{
    const char *label = fields_text(fields, "label", false);

    if (label && strlen(label) > TOKENS_LABEL_MAX)
        reply_invalid(&request->reply, "label", "has more than %d bytes",
                      TOKENS_LABEL_MAX);
    return label ? label : "";
}

static int64_t tokens_read_end(struct fields *fields)
{
    const struct uri_range range = {.low = 1, .high = TOKENS_SECONDS_MAX};
    int64_t seconds = 0;

    fields_count(fields, "expires_s", range, &seconds);
    return people_expires_ns(seconds);
}

/* Nor does it give a longer life than its own. */
static int tokens_end_no_later(const struct request *request, struct db *db,
                               struct token_spec *spec, struct err *err)
{
    struct token own = {0};
    int found = token_find(db, request->user.token_id, &own, err);

    if (found > 0 && own.expires_ns &&
        (!spec->expires_ns || spec->expires_ns > own.expires_ns))
        spec->expires_ns = own.expires_ns;
    token_release(&own);
    return found;
}

int tokens_add(struct request *request, struct db *db, struct err *err)
{
    struct fields fields;
    char text[TOKEN_SIZE];
    uint8_t hash[HASH_BYTES];
    struct token_spec spec = {.user_id = request->user.id,
                              .scopes = request->user.scopes,
                              .now_ns = clock_wall_ns()};
    struct token made = {0};
    int64_t id;

    fields_init(&fields, request);
    spec.label = tokens_read_label(request, &fields);
    fields_scopes(&fields, "scopes", &spec.scopes);
    spec.expires_ns = tokens_read_end(&fields);
    if (!fields_end(&fields))
        return HANDLED_REPLY;
    if (spec.scopes & ~request->user.scopes)
        return reply_problem(&request->reply, MHD_HTTP_FORBIDDEN, "no_scope",
                             "a token gives no scope that it lacks itself");
    if (tokens_end_no_later(request, db, &spec, err) < 0)
        return -1;
    token_make(text, hash);
    if (token_add_as(db, &spec, hash, &id, err) < 0 ||
        token_find(db, id, &made, err) < 0)
        return -1;
    json_t *document = tokens_document(&made);
    json_object_set_new(document, "token", json_string(text));
    token_release(&made);
    return reply_json(&request->reply, MHD_HTTP_CREATED, document);
}

int tokens_revoke(struct request *request, struct db *db, struct err *err)
{
    struct token token = {0};
    int64_t now = clock_wall_ns();
    int found = token_find(db, request->id, &token, err);

    if (found < 0)
        return -1;
    bool own = found && token.user_id == request->user.id;
    auto_free char *subject = mem_format(
        "%lld of user %lld", (long long)token.id, (long long)token.user_id);
    token_release(&token);
    /* Which ids others have is nobody's business. */
    if (!own && (!found || !request_is_admin(request)))
        return reply_problem(&request->reply, MHD_HTTP_NOT_FOUND, "not_found",
                             "you have no token %lld", (long long)request->id);
    if (token_revoke(db, request->id, now, err) < 0 ||
        (!own && audit_add(db, request->user.id, "token.revoke", subject, now,
                           err) < 0) ||
        token_find(db, request->id, &token, err) < 0)
        return -1;
    reply_json(&request->reply, MHD_HTTP_OK, tokens_document(&token));
    token_release(&token);
    return HANDLED_REPLY;
}

/* ---- invitations ----------------------------------------------------------
 */

static json_t *invitations_document(const struct invitation *row)
{
    return json_pack(
        "{s:I, s:o, s:I, s:o, s:o, s:o}", "id", (json_int_t)row->id, "label",
        reply_string(row->label), "uses_left", (json_int_t)row->uses_left,
        "created", reply_time(row->created_ns), "expires",
        reply_time(row->expires_ns), "revoked", reply_time(row->revoked_ns));
}

int invitations_list(struct request *request, struct db *db, struct err *err)
{
    struct invitation_list list = {0};
    struct cursor cursor;
    uint32_t limit;

    if (cursor_read(request, CURSOR_MOST, &cursor, &limit, err) < 0 ||
        invitation_list(db, cursor.key[0], limit, &list, err) < 0)
        return -1;
    json_t *items = json_array();
    for (size_t i = 0; i < list.count; i++)
        json_array_append_new(items, invitations_document(&list.row[i]));
    if (list.count)
        cursor.key[0] = list.row[list.count - 1].id;
    cursor_reply(request, items, list.more ? &cursor : NULL);
    invitation_list_release(&list);
    return HANDLED_REPLY;
}

int invitations_add(struct request *request, struct db *db, struct err *err)
{
    const struct uri_range uses = {.low = 1, .high = TOKENS_USES_MAX};
    struct fields fields;
    char text[TOKEN_SIZE];
    uint8_t hash[HASH_BYTES];
    struct invitation spec = {.uses_left = 1, .created_ns = clock_wall_ns()};

    fields_init(&fields, request);
    auto_free char *label = mem_dup_str(tokens_read_label(request, &fields));
    spec.label = label;
    fields_count(&fields, "uses", uses, &spec.uses_left);
    spec.expires_ns = tokens_read_end(&fields);
    if (!fields_end(&fields))
        return HANDLED_REPLY;
    token_make(text, hash);
    if (invitation_add(db, &spec, hash, err) < 0)
        return -1;
    auto_free char *subject = mem_format("%lld for %lld", (long long)spec.id,
                                         (long long)spec.uses_left);
    if (audit_add(db, request->user.id, "invitation.add", subject,
                  spec.created_ns, err) < 0)
        return -1;
    json_t *document = invitations_document(&spec);
    json_object_set_new(document, "invitation", json_string(text));
    return reply_json(&request->reply, MHD_HTTP_CREATED, document);
}

int invitations_revoke(struct request *request, struct db *db, struct err *err)
{
    int64_t now = clock_wall_ns();
    auto_free char *subject = mem_format("%lld", (long long)request->id);
    int found = invitation_revoke(db, request->id, now, err);

    if (found == 0)
        reply_problem(&request->reply, MHD_HTTP_NOT_FOUND, "not_found",
                      "there is no invitation %s", subject);
    if (found <= 0)
        return found;
    if (audit_add(db, request->user.id, "invitation.revoke", subject, now,
                  err) < 0)
        return -1;
    return reply_json(&request->reply, MHD_HTTP_OK,
                      json_pack("{s:I}", "id", (json_int_t)request->id));
}
