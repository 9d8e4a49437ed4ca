#include "api/http/request.h"

#include "api/http/route.h"
#include "runner/base/cleanup.h"

#include <microhttpd.h>
#include <string.h>
#include <strings.h>

#define REQUEST_MAX_WAIT_S 60

void request_release(struct request *request)
{
    free(request->target);
    uri_release(&request->uri);
    user_release(&request->user);
    free(request->repeat_key);
    free(request->if_none_match);
    free(request->accept);
    free(request->last_event_id);
    free(request->content_type);
    multipart_release(&request->form);
    buf_release(&request->body);
    json_decref(request->json);
    reply_release(&request->reply);
    *request = (struct request){0};
}

static bool request_has_role(const struct request *request,
                             enum user_role least)
{
    return request->user.id != 0 && request->user.role >= least &&
           (request->user.scopes & SCOPE_STAFF);
}

bool request_is_admin(const struct request *request)
{
    return request_has_role(request, ROLE_ADMIN);
}

bool request_is_judge(const struct request *request)
{
    return request_has_role(request, ROLE_JUDGE);
}

bool request_owns(const struct request *request, int64_t owner_id)
{
    return request->user.id != 0 &&
           (request->user.id == owner_id || request_is_admin(request));
}

bool request_sees(const struct request *request, int64_t owner_id)
{
    bool own =
        request->user.id == owner_id && (request->user.scopes & SCOPE_READ);

    return request->user.id != 0 &&
           (own || request_has_role(request, ROLE_OBSERVER));
}

static bool request_must(struct request *request, bool may, const char *what)
{
    if (!may)
        reply_problem(&request->reply, MHD_HTTP_FORBIDDEN, "not_owner",
                      "only its owner may %s", what);
    return may;
}

bool request_must_own(struct request *request, int64_t owner_id,
                      const char *what)
{
    return request_must(request, request_owns(request, owner_id), what);
}

bool request_must_see(struct request *request, int64_t owner_id,
                      const char *what)
{
    return request_must(request, request_sees(request, owner_id), what);
}

int request_lacks_scope(struct request *request, unsigned scope)
{
    unsigned number = 0;

    while (!(scope & 1u << number))
        number++;
    reply_problem(&request->reply, MHD_HTTP_FORBIDDEN, "no_scope",
                  "this token lacks the scope \"%s\"", scope_word(number));
    return HANDLED_REPLY;
}

int request_read_wait(struct request *request, uint64_t now_ns, struct err *err)
{
    int64_t wait_s;

    if (uri_query_int(&request->uri, "wait",
                      (struct uri_range){.high = REQUEST_MAX_WAIT_S}, &wait_s,
                      err) < 0)
        return -1;
    if (wait_s > 0)
        request->wait_until_ns = now_ns + (uint64_t)wait_s * 1000000000;
    return 0;
}

int request_wait(struct request *request, int64_t topic)
{
    if (!request->wait_until_ns || request->wait_over)
        return HANDLED_REPLY;
    request->topic = topic;
    return HANDLED_WAIT;
}

/* Is the Content-Type `type`, whatever parameters follow? */
static bool request_has_type(const struct request *request, const char *type)
{
    size_t size = strlen(type);

    return request->content_type &&
           !strncasecmp(request->content_type, type, size) &&
           (request->content_type[size] == '\0' ||
            strchr("; \t", request->content_type[size]));
}

static bool request_parse_json(struct request *request)
{
    json_error_t error = {0};

    if (request->body.size == 0)
        request->json = json_object();
    else
        request->json = json_loadb(request->body.data, request->body.size,
                                   JSON_REJECT_DUPLICATES, &error);
    if (!request->json)
        reply_problem(&request->reply, MHD_HTTP_BAD_REQUEST, "malformed_json",
                      "the body is not JSON: line %d, column %d: %s",
                      error.line, error.column, error.text);
    else if (!json_is_object(request->json))
        reply_problem(&request->reply, MHD_HTTP_BAD_REQUEST, "malformed_json",
                      "the body must be a JSON object");
    return request->reply.status == 0;
}

static bool request_parse_form(struct request *request)
{
    struct err err;

    if (multipart_parse(&request->form, request->content_type,
                        request->body.data ? request->body.data : "",
                        request->body.size, &err) == 0)
        return true;
    if (err.kind == ERR_INPUT)
        reply_problem(&request->reply, MHD_HTTP_BAD_REQUEST,
                      "malformed_multipart", "%s", err.msg);
    else
        reply_err(&request->reply, &err);
    return false;
}

bool request_parse_body(struct request *request)
{
    static const char *const types[] = {
        [ROUTE_NO_BODY] = NULL,
        [ROUTE_JSON] = "application/json",
        [ROUTE_MULTIPART] = "multipart/form-data",
    };
    const char *type = types[request->route->body];
    bool empty = request->body.size == 0 && !request->content_type;

    if (!type || (empty && request->route->body == ROUTE_JSON &&
                  request->route->body_optional))
        return true;
    if (!request_has_type(request, type)) {
        reply_problem(&request->reply, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE,
                      "unsupported_media_type", "the body must be %s", type);
        return false;
    }
    return request->route->body == ROUTE_JSON ? request_parse_json(request)
                                              : request_parse_form(request);
}

static void request_hash_bytes(struct hash *hash, const void *bytes,
                               size_t size)
{
    uint64_t size_word = size;

    hash_add(hash, &size_word, sizeof size_word);
    hash_add(hash, bytes, size);
}

static void request_hash_text(struct hash *hash, const char *text)
{
    request_hash_bytes(hash, text ? text : "", text ? strlen(text) : 0);
}

void request_hash(const struct request *request, uint8_t out[HASH_BYTES])
{
    struct hash hash;

    hash_init(&hash);
    request_hash_text(&hash, "POST");
    request_hash_text(&hash, request->target);
    if (!request->form.count)
        request_hash_bytes(&hash, request->body.data, request->body.size);
    for (size_t i = 0; i < request->form.count; i++) {
        const struct multipart_part *part = &request->form.part[i];
        request_hash_text(&hash, part->name);
        request_hash_text(&hash, part->filename);
        request_hash_bytes(&hash, part->bytes, part->size);
    }
    hash_end(&hash, out);
}
