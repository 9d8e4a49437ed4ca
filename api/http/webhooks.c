/* webhooks: where a user is told that a match is over. */
#include "api/http/fields.h"
#include "api/http/people.h"
#include "api/http/resources.h"
#include "db/webhooks.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"

#include <microhttpd.h>
#include <string.h>

static json_t *webhooks_document(const struct webhook *row)
{
    return json_pack(
        "{s:I, s:o, s:o, s:I, s:I, s:o}", "id", (json_int_t)row->id, "url",
        reply_string(row->url), "created", reply_time(row->created_ns),
        "waiting", (json_int_t)row->waiting, "failed", (json_int_t)row->failed,
        "last_answer", reply_string(row->answer));
}

int webhooks_gather(struct db *db, int64_t user_id, json_t *to, struct err *err)
{
    struct webhook_list list = {0};

    if (webhook_list(db, user_id, &list, err) < 0)
        return -1;
    for (size_t i = 0; i < list.count; i++)
        json_array_append_new(to, webhooks_document(&list.row[i]));
    webhook_list_release(&list);
    return 0;
}

int webhooks_list(struct request *request, struct db *db, struct err *err)
{
    json_t *items = json_array();

    if (webhooks_gather(db, request->user.id, items, err) < 0) {
        json_decref(items);
        return -1;
    }
    return reply_json(&request->reply, MHD_HTTP_OK,
                      json_pack("{s:o, s:n}", "items", items, "next"));
}

/* libcurl takes it apart when it is used; here only what is surely wrong. */
static bool webhooks_url_is_fine(const char *url)
{
    bool fine = !strncmp(url, "https://", 8) || !strncmp(url, "http://", 7);

    for (const char *c = url; fine && *c; c++)
        fine = *c > ' ' && *c <= '~';
    return fine && strlen(url) <= WEBHOOK_URL_MAX && !strchr(url, '@');
}

int webhooks_add(struct request *request, struct db *db, struct err *err)
{
    struct fields fields;
    char secret[TOKEN_SIZE];
    uint8_t hash[HASH_BYTES];
    int64_t id;

    fields_init(&fields, request);
    const char *url = fields_text(&fields, "url", true);
    if (url && !webhooks_url_is_fine(url))
        fields_invalid(&fields, "url",
                       "must be an http or https address of at most %d "
                       "printable characters, without a user's name",
                       WEBHOOK_URL_MAX);
    if (!fields_end(&fields))
        return HANDLED_REPLY;
    token_make(secret, hash);
    int64_t now = clock_wall_ns();
    if (webhook_add(db, request->user.id, url, secret, now, &id, err) < 0)
        return -1;
    const struct webhook row = {
        .id = id, .url = (char *)(uintptr_t)url, .created_ns = now};
    json_t *document = webhooks_document(&row);
    json_object_set_new(document, "secret", json_string(secret));
    return reply_json(&request->reply, MHD_HTTP_CREATED, document);
}

int webhooks_remove(struct request *request, struct db *db, struct err *err)
{
    int removed = webhook_remove(db, request->id, request->user.id, err);

    if (removed == 0)
        reply_problem(&request->reply, MHD_HTTP_NOT_FOUND, "not_found",
                      "you have no webhook %lld", (long long)request->id);
    if (removed <= 0)
        return removed;
    return reply_json(&request->reply, MHD_HTTP_OK,
                      json_pack("{s:I}", "id", (json_int_t)request->id));
}
