#include "api/http/openapi.h"

#include "api/http/resources.h"
#include "runner/base/cleanup.h"

#include <assert.h>
#include <microhttpd.h>
#include <string.h>

struct openapi_parameter {
    const char *name;
    const char *text;
    const char *schema;
};

static const struct openapi_parameter openapi_parameters[] = {
#define PARAMETER(name, text, ...) {name, text, #__VA_ARGS__},
#include "api/http/openapi.def"
};

struct openapi_schema {
    const char *name;
    const char *schema;
};

static const struct openapi_schema openapi_schemas[] = {
#define SCHEMA(name, ...) {#name, #__VA_ARGS__},
#include "api/http/openapi.def"
};

#define OPENAPI_COUNT(table) (sizeof(table) / sizeof *(table))

static json_t *openapi_parse(const char *text)
{
    json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

    assert(value); /* a table of ours */
    return value;
}

static json_t *openapi_reference(const char *schema)
{
    return json_pack("{s:s+}", "$ref", "#/components/schemas/", schema);
}

static json_t *openapi_query_parameter(const char *name, size_t size)
{
    for (size_t i = 0; i < OPENAPI_COUNT(openapi_parameters); i++) {
        const struct openapi_parameter *p = &openapi_parameters[i];
        if (strlen(p->name) == size && !memcmp(p->name, name, size))
            return json_pack("{s:s, s:s, s:s, s:o}", "name", p->name, "in",
                             "query", "description", p->text, "schema",
                             openapi_parse(p->schema));
    }
    assert(!"routes.def names a parameter that openapi.def does not tell");
    return NULL;
}

static json_t *openapi_path_parameter(const char *name, const char *schema)
{
    return json_pack("{s:s, s:s, s:b, s:o}", "name", name, "in", "path",
                     "required", 1, "schema", openapi_parse(schema));
}

static json_t *openapi_route_parameters(const struct route *route)
{
    json_t *list = json_array();

    if (strstr(route->path, "{id}"))
        json_array_append_new(
            list, openapi_path_parameter(
                      "id", "{\"type\": \"integer\", \"minimum\": 1}"));
    if (strstr(route->path, "{name}"))
        json_array_append_new(
            list, openapi_path_parameter("name", "{\"type\": \"string\"}"));
    for (const char *at = route->query; *at;) {
        size_t size = strcspn(at, " ");
        json_array_append_new(list, openapi_query_parameter(at, size));
        at += size + strspn(at + size, " ");
    }
    if (route->method == METHOD_POST)
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:o}", "name", "Idempotency-Key",
                            "in", "header", "description",
                            "The same key and body again: the same answer, "
                            "nothing is done twice.",
                            "schema", openapi_parse("{\"type\": \"string\"}")));
    return list;
}

/* {"application/json": {"schema": ...}, "text/csv": ...} */
static json_t *openapi_content(const struct route *route)
{
    json_t *content = json_object();

    for (const char *at = route->schema; *at;) {
        size_t size = strcspn(at, " ");
        auto_free char *word = mem_dup(at, size);
        if (strchr(word, '/'))
            json_object_set_new(
                content, word,
                json_pack("{s:{s:s}}", "schema", "type", "string"));
        else
            json_object_set_new(
                content, "application/json",
                json_pack("{s:o}", "schema", openapi_reference(word)));
        at += size + strspn(at + size, " ");
    }
    return content;
}

static void openapi_add_problem(json_t *responses, unsigned status)
{
    auto_free char *key =
        status ? mem_format("%u", status) : mem_dup_str("default");

    json_object_set_new(
        responses, key,
        json_pack("{s:s, s:{s:{s:o}}}", "description",
                  status ? reply_reason(status) : "A problem, RFC 9457.",
                  "content", "application/problem+json", "schema",
                  openapi_reference("Problem")));
}

/* Of what is dropped in time. */
static bool openapi_is_of_a_match(const struct route *route)
{
    static const char folder[] = "/v1/matches/{id}/";

    return !strncmp(route->path, folder, sizeof folder - 1);
}

/* What any request, or any of this kind, may be answered; `default` stands for
 * the rest. */
static void openapi_add_problems(const struct route *route, json_t *responses)
{
    const struct {
        unsigned status;
        bool possible;
    } problem[] = {
        {MHD_HTTP_BAD_REQUEST, true},
        {MHD_HTTP_UNAUTHORIZED, true}, /* a wrong token is never passed over */
        {MHD_HTTP_FORBIDDEN, route->right != RIGHT_ALL},
        {MHD_HTTP_NOT_FOUND, strchr(route->path, '{') || *route->query},
        {MHD_HTTP_CONFLICT, route->write},
        {MHD_HTTP_GONE, openapi_is_of_a_match(route)},
        {MHD_HTTP_CONTENT_TOO_LARGE, route->method == METHOD_POST},
        {MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, route->body != ROUTE_NO_BODY},
        {MHD_HTTP_UNPROCESSABLE_CONTENT, route->body != ROUTE_NO_BODY},
        {MHD_HTTP_TOO_MANY_REQUESTS, true},
        {MHD_HTTP_SERVICE_UNAVAILABLE, true},
        {MHD_HTTP_INSUFFICIENT_STORAGE, route->write},
        {0, true},
    };

    for (size_t i = 0; i < OPENAPI_COUNT(problem); i++)
        if (problem[i].possible)
            openapi_add_problem(responses, problem[i].status);
}

static json_t *openapi_responses(const struct route *route)
{
    json_t *responses = json_object();

    for (const char *at = route->answers; *at;) {
        char status[4] = {0};
        memcpy(status, at, 3);
        json_object_set_new(
            responses, status,
            json_pack("{s:s, s:o}", "description",
                      reply_reason((unsigned)strtoul(status, NULL, 10)),
                      "content", openapi_content(route)));
        at += 3 + strspn(at + 3, " ");
    }
    if (route->method == METHOD_GET)
        json_object_set_new(responses, "304",
                            json_pack("{s:s}", "description",
                                      "What If-None-Match names still "
                                      "stands."));
    openapi_add_problems(route, responses);
    return responses;
}

/* The schema of a POST's body is named after its collection: UsersBody. */
static json_t *openapi_body(const struct route *route)
{
    const char *type = route->body == ROUTE_MULTIPART ? "multipart/form-data"
                                                      : "application/json";
    const char *collection = strrchr(route->path, '/') + 1;
    auto_free char *schema = mem_format("%sBody", collection);

    schema[0] = (char)(schema[0] - 'a' + 'A');
    return json_pack("{s:b, s:{s:{s:o}}}", "required", 1, "content", type,
                     "schema", openapi_reference(schema));
}

static json_t *openapi_security(const struct route *route)
{
    switch (route->right) {
    case RIGHT_ALL:
        return openapi_parse("[]");
    case RIGHT_REGISTER:
    case RIGHT_METRICS:
        return openapi_parse("[{}, {\"token\": []}]");
    case RIGHT_USER:
    case RIGHT_OWNER:
    case RIGHT_JUDGE:
    case RIGHT_ADMIN:
        break;
    }
    return openapi_parse("[{\"token\": []}]");
}

static json_t *openapi_operation(const struct route *route)
{
    const char *name = strcmp(route->handle_name, "NULL") != 0
                           ? route->handle_name
                           : route->write_name;
    json_t *operation = json_pack(
        "{s:s, s:s, s:o, s:o, s:o}", "operationId", name, "summary",
        route->text, "parameters", openapi_route_parameters(route), "responses",
        openapi_responses(route), "security", openapi_security(route));

    if (route->body != ROUTE_NO_BODY && !route->body_optional)
        json_object_set_new(operation, "requestBody", openapi_body(route));
    return operation;
}

static json_t *openapi_paths(void)
{
    json_t *paths = json_object();

    for (size_t i = 0; i < route_count; i++) {
        json_t *path = json_object_get(paths, routes[i].path);
        if (!path) {
            path = json_object();
            json_object_set_new(paths, routes[i].path, path);
        }
        json_object_set_new(path,
                            routes[i].method == METHOD_POST ? "post" : "get",
                            openapi_operation(&routes[i]));
    }
    return paths;
}

json_t *openapi_document(void)
{
    json_t *schemas = json_object();

    for (size_t i = 0; i < OPENAPI_COUNT(openapi_schemas); i++)
        json_object_set_new(schemas, openapi_schemas[i].name,
                            openapi_parse(openapi_schemas[i].schema));
    return json_pack(
        "{s:s, s:{s:s, s:s, s:s, s:{s:s, s:s}}, s:[{s:s}], s:o, "
        "s:{s:o, s:{s:{s:s, s:s}}}}",
        "openapi", "3.1.0", "info", "title", "bout", "version", "1",
        "description",
        "A match runner for AI competitions with exact, repeatable "
        "instruction budgets. Every refusal is application/problem+json, but "
        "for what is no HTTP request, or has over 32 KiB of head: that is "
        "answered 400, 413, 414, 431 or 505 with a line of HTML, and the "
        "connection ends.",
        "license", "name", "MIT", "identifier", "MIT", "servers", "url", "/",
        "paths", openapi_paths(), "components", "schemas", schemas,
        "securitySchemes", "token", "type", "http", "scheme", "bearer");
}

int openapi_show(struct request *request, struct db *db, struct err *err)
{
    (void)db;
    (void)err;
    request->reply.cache = REPLY_REVALIDATE;
    return reply_json(&request->reply, MHD_HTTP_OK, openapi_document());
}
