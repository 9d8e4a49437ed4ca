/* account: what a user has, exported, erased; and the quotas. */
#include "api/http/bots.h"
#include "api/http/fields.h"
#include "api/http/people.h"
#include "api/http/quota.h"
#include "api/http/resources.h"
#include "db/matches.h"
#include "db/settings.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"

#include <microhttpd.h>
#include <string.h>

#define ACCOUNT_PAGE 200
#define ACCOUNT_QUOTA_MAX (INT64_C(1) << 50)

/* The user and the quotas, or NULL where it was answered (*answered) or failed.
 */
static json_t *account_document(struct request *request, struct db *db,
                                bool *answered, struct err *err)
{
    struct user user = {0};
    int found = user_find(db, request->id, &user, err);

    *answered = found == 0;
    if (found == 0)
        reply_problem(&request->reply, MHD_HTTP_NOT_FOUND, "not_found",
                      "there is no user %lld", (long long)request->id);
    if (found <= 0)
        return NULL;
    json_t *document = users_document(&user);
    user_release(&user);
    json_t *quotas = quota_document(db, request->id, err);
    if (!quotas) {
        json_decref(document);
        return NULL;
    }
    json_object_set_new(document, "quotas", quotas);
    return document;
}

/* ---- quotas ----------------------------------------------------------------
 */

/* A number for each quota that is named; -1: the usual, -2: not named. */
static bool account_read_quotas(struct request *request,
                                int64_t value[QUOTA_COUNT])
{
    const struct uri_range range = {.high = ACCOUNT_QUOTA_MAX};
    struct fields fields;

    fields_init(&fields, request);
    for (int q = 0; q < QUOTA_COUNT; q++) {
        const char *word = quota_word((enum quota)q);
        bool named = json_object_get(request->json, word) != NULL;
        value[q] = named ? -1 : -2;
        fields_count(&fields, word, range, &value[q]);
    }
    return fields_end(&fields);
}

int users_set_quotas(struct request *request, struct db *db, struct err *err)
{
    int64_t value[QUOTA_COUNT];
    bool answered;
    auto_free char *body = json_dumps(request->json, JSON_COMPACT);
    auto_free char *subject =
        mem_format("%lld %s", (long long)request->id, body ? body : "");
    json_t *before = account_document(request, db, &answered, err);

    if (!before)
        return answered ? HANDLED_REPLY : -1;
    json_decref(before);
    if (!account_read_quotas(request, value))
        return HANDLED_REPLY;
    for (int q = 0; q < QUOTA_COUNT; q++)
        if (value[q] >= -1 &&
            quota_set(db, request->id, (enum quota)q, value[q], err) < 0)
            return -1;
    if (audit_add(db, request->user.id, "user.quotas", subject, clock_wall_ns(),
                  err) < 0)
        return -1;
    json_t *document = account_document(request, db, &answered, err);
    return document ? reply_json(&request->reply, MHD_HTTP_OK, document) : -1;
}

/* ---- export ----------------------------------------------------------------
 */

/* A version with all that its owner sees; the files by their address. */
static json_t *export_bot(struct db *db, const struct bot *bot, struct err *err)
{
    struct bot_files files = {0};
    json_t *diagnostics = json_loads(bot->diagnostics, 0, NULL);
    json_t *list = json_array();

    if (!bot->dropped_ns && bot_files(db, bot->id, &files, err) < 0) {
        json_decref(list);
        json_decref(diagnostics);
        return NULL;
    }
    for (size_t i = 0; i < files.count; i++)
        json_array_append_new(list, json_pack("{s:o, s:I}", "path",
                                              reply_string(files.file[i].path),
                                              "bytes",
                                              (json_int_t)files.file[i].size));
    bot_files_release(&files);
    auto_free char *source =
        mem_format("/v1/bots/%lld/source", (long long)bot->id);
    return json_pack("{s:I, s:o, s:o, s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:s}",
                     "id", (json_int_t)bot->id, "name", reply_string(bot->name),
                     "game", reply_string(bot->game), "version",
                     (int)bot->version, "status", bot_status_text(bot->status),
                     "notes", reply_string(bot->notes), "reason",
                     reply_string(bot->reason), "created",
                     reply_time(bot->created_ns), "diagnostics",
                     diagnostics ? diagnostics : json_array(), "files", list,
                     "source", source);
}

static int export_bots(struct db *db, int64_t user_id, json_t *to,
                       struct err *err)
{
    const struct bot_filter filter = {.owner_id = user_id,
                                      .status = BOT_STATUS_COUNT};
    struct bot_list list = {.more = true};
    int64_t before = 0;

    while (list.more) {
        if (bot_list(db, &filter, before, ACCOUNT_PAGE, &list, err) < 0)
            return -1;
        for (size_t i = 0; i < list.count; i++) {
            json_t *bot = export_bot(db, &list.row[i], err);
            if (!bot) {
                bot_list_release(&list);
                return -1;
            }
            json_array_append_new(to, bot);
            before = list.row[i].id;
        }
        bool more = list.more;
        bot_list_release(&list);
        list.more = more;
    }
    return 0;
}

static int export_tokens(struct db *db, int64_t user_id, json_t *to,
                         struct err *err)
{
    struct token_list list = {.more = true};
    int64_t after = 0;

    while (list.more) {
        if (token_list(db, user_id, after, ACCOUNT_PAGE, &list, err) < 0)
            return -1;
        for (size_t i = 0; i < list.count; i++) {
            json_array_append_new(to, tokens_document(&list.row[i]));
            after = list.row[i].id;
        }
        bool more = list.more;
        token_list_release(&list);
        list.more = more;
    }
    return 0;
}

static int export_acts(struct db *db, int64_t user_id, json_t *to,
                       struct err *err)
{
    struct audit_list list = {.more = true};
    int64_t before = 0;

    while (list.more) {
        if (audit_list(db, user_id, before, ACCOUNT_PAGE, &list, err) < 0)
            return -1;
        for (size_t i = 0; i < list.count; i++) {
            json_array_append_new(
                to, json_pack("{s:o, s:o, s:o}", "at",
                              reply_time(list.row[i].at_ns), "action",
                              reply_string(list.row[i].action), "subject",
                              reply_string(list.row[i].subject)));
            before = list.row[i].id;
        }
        bool more = list.more;
        audit_list_release(&list);
        list.more = more;
    }
    return 0;
}

static int export_matches(struct db *db, int64_t user_id, json_t *to,
                          struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_MATCH_IDS_OWNER, err, SQL_I64(user_id));
    int row = st ? stmt_step(st, err) : -1;

    for (; row == 1; row = stmt_step(st, err))
        json_array_append_new(to, json_integer(stmt_i64(st, 0)));
    return row;
}

int users_export(struct request *request, struct db *db, struct err *err)
{
    bool answered = false;

    if (!request_must_own(request, request->id, "export an account"))
        return HANDLED_REPLY;
    if (!request_sees(request, request->id))
        return request_lacks_scope(request, SCOPE_READ);
    json_t *user = account_document(request, db, &answered, err);
    if (!user)
        return answered ? HANDLED_REPLY : -1;
    json_t *tokens = json_array();
    json_t *bots = json_array();
    json_t *matches = json_array();
    json_t *acts = json_array();
    json_t *webhooks = json_array();
    int result = export_tokens(db, request->id, tokens, err);
    if (result >= 0)
        result = export_bots(db, request->id, bots, err);
    if (result >= 0)
        result = export_matches(db, request->id, matches, err);
    if (result >= 0)
        result = export_acts(db, request->id, acts, err);
    if (result >= 0)
        result = webhooks_gather(db, request->id, webhooks, err);
    json_t *document = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "user", user,
                                 "tokens", tokens, "bots", bots, "matches",
                                 matches, "acts", acts, "webhooks", webhooks);
    if (result < 0) {
        json_decref(document);
        return -1;
    }
    request->reply.disposition = mem_format(
        "attachment; filename=\"bout-user-%lld.json\"", (long long)request->id);
    return reply_json(&request->reply, MHD_HTTP_OK, document);
}

/* ---- erasing ---------------------------------------------------------------
 */

/* The name in the body must be the user's. 1; 0: answered; -1. */
static int erase_check_name(struct request *request, struct db *db,
                            struct err *err)
{
    struct user user = {0};
    struct fields fields;
    int found = user_find(db, request->id, &user, err);

    if (found == 0)
        reply_problem(&request->reply, MHD_HTTP_NOT_FOUND, "not_found",
                      "there is no user %lld", (long long)request->id);
    if (found <= 0)
        return found;
    fields_init(&fields, request);
    const char *name = fields_text(&fields, "name", true);
    if (name && strcmp(name, user.name) != 0)
        fields_invalid(&fields, "name",
                       "is not this user's; erasing cannot be undone");
    user_release(&user);
    return fields_end(&fields);
}

int users_erase(struct request *request, struct db *db, struct err *err)
{
    int64_t now = clock_wall_ns();

    if (!request_must_own(request, request->id, "erase an account"))
        return HANDLED_REPLY;
    int fine = erase_check_name(request, db, err);
    if (fine <= 0)
        return fine;
    auto_free char *subject = mem_format("%lld", (long long)request->id);
    if (user_erase(db, request->id, now, err) < 0 ||
        audit_add(db, request->user.id, "user.erase", subject, now, err) < 0)
        return -1;
    return users_answer(request, db, request->id, err);
}
