#include "api/http/route.h"

#include "api/http/resources.h"

#include <microhttpd.h>
#include <string.h>

/* Where nothing is said in routes.def about a body. */
#define ROUTE_BODY_NONE ROUTE_NO_BODY, false
#define ROUTE_BODY_JSON ROUTE_JSON, false
#define ROUTE_BODY_MAYBE ROUTE_JSON, true
#define ROUTE_BODY_MULTIPART ROUTE_MULTIPART, false

const struct route routes[] = {
#define ROUTE(method, path, right, scope, body, handle, write, room, query,   \
              answers, schema, text)                                          \
    {METHOD_##method, path,  RIGHT_##right, SCOPE_##scope, ROUTE_BODY_##body, \
     handle,          write, ROOM_##room,   query,         answers,           \
     schema,          text,  #handle,       #write},
#include "api/http/routes.def"
};

const size_t route_count = sizeof routes / sizeof *routes;

#define ROUTE_JSON_CAP 65536
/* Contract section 5: an upload has at most 8 MiB; the rest is framing. */
#define ROUTE_MULTIPART_CAP (8388608 + 1048576)

size_t route_body_cap(const struct route *route)
{
    return route->body == ROUTE_MULTIPART ? ROUTE_MULTIPART_CAP
                                          : ROUTE_JSON_CAP;
}

enum method route_method(const char *text)
{
    static const char *const others[] = {"PUT", "DELETE", "PATCH", "CONNECT",
                                         "TRACE"};

    if (!strcmp(text, "GET"))
        return METHOD_GET;
    if (!strcmp(text, "HEAD"))
        return METHOD_HEAD;
    if (!strcmp(text, "POST"))
        return METHOD_POST;
    if (!strcmp(text, "OPTIONS"))
        return METHOD_OPTIONS;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(text, others[i]))
            return METHOD_OTHER;
    return METHOD_UNKNOWN;
}

/* Does the segment fit the pattern's [at, end)? Fills id or name. */
static bool route_segment(struct request *request, const char *segment,
                          const char *at, size_t size)
{
    if (size == 4 && !memcmp(at, "{id}", 4))
        return uri_parse_count(segment, &request->id) && request->id > 0;
    if (size == 6 && !memcmp(at, "{name}", 6)) {
        request->name = segment;
        return true;
    }
    return strlen(segment) == size && !memcmp(segment, at, size);
}

static bool route_matches(struct request *request, const struct route *route)
{
    const char *at = route->path;
    size_t i = 0;

    if (!strcmp(at, "/"))
        return request->uri.segment_count == 0;
    while (*at) {
        const char *end = strchrnul(++at, '/');
        if (i == request->uri.segment_count ||
            !route_segment(request, request->uri.segment[i++], at,
                           (size_t)(end - at)))
            return false;
        at = end;
    }
    return i == request->uri.segment_count;
}

/* OPTIONS and wrong methods of a path that has these. */
static void route_answer_allow(struct request *request, bool get, bool post)
{
    struct reply *reply = &request->reply;

    reply->allow = mem_format("%s%sOPTIONS", get ? "GET, HEAD, " : "",
                              post ? "POST, " : "");
    if (request->method == METHOD_OPTIONS)
        reply->status = MHD_HTTP_NO_CONTENT;
    else
        reply_problem(reply, MHD_HTTP_METHOD_NOT_ALLOWED, "method_not_allowed",
                      "this path answers %s", reply->allow);
}

bool route_find(struct request *request)
{
    enum method wanted =
        request->method == METHOD_HEAD ? METHOD_GET : request->method;
    bool get = false;
    bool post = false;

    if (request->method == METHOD_UNKNOWN) {
        reply_problem(&request->reply, MHD_HTTP_NOT_IMPLEMENTED,
                      "unknown_method", "HTTP knows no such method");
        return false;
    }
    for (size_t i = 0; i < route_count; i++) {
        if (!route_matches(request, &routes[i]))
            continue;
        get = get || routes[i].method == METHOD_GET;
        post = post || routes[i].method == METHOD_POST;
        if (routes[i].method == wanted) {
            request->route = &routes[i];
            return true;
        }
    }
    if (get || post)
        route_answer_allow(request, get, post);
    else
        reply_problem(&request->reply, MHD_HTTP_NOT_FOUND, "not_found",
                      "there is nothing here; /openapi.json lists what there "
                      "is");
    return false;
}

static bool route_needs_token(const struct request *request)
{
    switch (request->route->right) {
    case RIGHT_ALL:
        return false;
    case RIGHT_REGISTER:
        return request->service->registration == REGISTRATION_ADMIN;
    case RIGHT_METRICS:
        return !request->loopback;
    case RIGHT_USER:
    case RIGHT_OWNER:
    case RIGHT_JUDGE:
    case RIGHT_ADMIN:
        break;
    }
    return true;
}

/* A token that is given must be good for this, even where none is needed. */
static bool route_scope_allows(struct request *request)
{
    unsigned scope = request->route->scope;

    if (request->user.id == 0 || scope == SCOPE_NONE ||
        (request->user.scopes & scope))
        return true;
    request_lacks_scope(request, scope);
    return false;
}

bool route_allows(struct request *request)
{
    struct reply *reply = &request->reply;

    if (!route_scope_allows(request))
        return false;
    if (!route_needs_token(request))
        return true;
    if (request->user.id == 0) {
        reply->authenticate = true;
        reply_problem(reply, MHD_HTTP_UNAUTHORIZED, "no_token",
                      "this needs a token: Authorization: Bearer TOKEN");
        return false;
    }
    if (request->route->right == RIGHT_REGISTER && !request_is_admin(request)) {
        reply_problem(reply, MHD_HTTP_FORBIDDEN, "admin_only",
                      "registration is closed: only an admin adds users");
        return false;
    }
    if (request->route->right == RIGHT_JUDGE && !request_is_judge(request)) {
        reply_problem(reply, MHD_HTTP_FORBIDDEN, "judge_only",
                      "this is for judges");
        return false;
    }
    if (request->route->right == RIGHT_ADMIN && !request_is_admin(request)) {
        reply_problem(reply, MHD_HTTP_FORBIDDEN, "admin_only",
                      "this is for admins");
        return false;
    }
    return true;
}

static bool route_has_parameter(const struct route *route, const char *name)
{
    const size_t size = strlen(name);

    for (const char *at = route->query; *at;) {
        const size_t word = strcspn(at, " ");
        if (word == size && !memcmp(at, name, size))
            return true;
        at += word + strspn(at + word, " ");
    }
    return false;
}

bool route_knows_query(struct request *request)
{
    const struct route *route = request->route;

    if (strncmp(route->path, "/v1/", 4) != 0)
        return true;
    for (size_t i = 0; i < request->uri.pair_count; i++) {
        const char *name = request->uri.pair[i].name;
        if (!route_has_parameter(route, name))
            reply_invalid(&request->reply, name,
                          "is no parameter of this path%s%s",
                          *route->query ? ", which takes " : "", route->query);
    }
    if (!request->reply.errors)
        return true;
    reply_invalid_query(&request->reply);
    return false;
}
