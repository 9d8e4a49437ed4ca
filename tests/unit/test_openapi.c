/* /openapi.json says what the contract says and what the routes do. */
#include "api/http/openapi.h"
#include "api/http/route.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

/* Contract section 7, as far as it is there; written by hand, not made from
 * the table that is under test. */
static const char *const contract[] = {
    "POST /v1/users",
    "GET /v1/users",
    "GET /v1/users/me",
    "GET /v1/users/{id}",
    "POST /v1/users/{id}/role",
    "POST /v1/users/{id}/quotas",
    "GET /v1/users/{id}/export",
    "POST /v1/users/{id}/erase",
    "POST /v1/bots/{id}/fork",
    "POST /v1/bots/{id}/notes",
    "POST /v1/bots/{id}/suspend",
    "POST /v1/bots/{id}/resume",
    "POST /v1/batches",
    "GET /v1/batches/{id}",
    "GET /v1/events",
    "GET /v1/webhooks",
    "POST /v1/webhooks",
    "POST /v1/webhooks/{id}/remove",
    "GET /v1/tokens",
    "POST /v1/tokens",
    "POST /v1/tokens/{id}/revoke",
    "GET /v1/invitations",
    "POST /v1/invitations",
    "POST /v1/invitations/{id}/revoke",
    "GET /v1/admin/audit",
    "POST /v1/bots",
    "GET /v1/bots",
    "GET /v1/bots/{id}",
    "GET /v1/bots/{id}/source",
    "POST /v1/bots/{id}/activate",
    "POST /v1/matches",
    "GET /v1/matches",
    "GET /v1/matches/{id}",
    "POST /v1/matches/{id}/cancel",
    "POST /v1/matches/{id}/requeue",
    "POST /v1/matches/{id}/verify",
    "GET /v1/matches/{id}/turns",
    "GET /v1/matches/{id}/replay",
    "GET /v1/matches/{id}/profile",
    "GET /v1/matches/{id}/measures",
    "GET /v1/matches/{id}/log",
    "GET /v1/admin/profile",
    "GET /v1/leaderboard",
    "GET /v1/games",
    "GET /v1/games/{name}",
    "GET /v1/costs",
    "GET /v1/limits",
    "GET /v1/fingerprint",
    "GET /healthz",
    "GET /readyz",
    "GET /metrics",
    "GET /openapi.json",
    "GET /",
};

static const json_t *find_operation(const json_t *document, const char *line)
{
    bool post = !strncmp(line, "POST ", 5);
    const json_t *paths = json_object_get(document, "paths");

    return json_object_get(json_object_get(paths, strchr(line, ' ') + 1),
                           post ? "post" : "get");
}

static void test_every_endpoint_of_the_contract_is_told(void **state)
{
    json_t *document = openapi_document();
    size_t told = 0;
    const char *path;
    json_t *operations;

    (void)state;
    for (size_t i = 0; i < sizeof contract / sizeof *contract; i++)
        if (!find_operation(document, contract[i]))
            fail_msg("%s is not told", contract[i]);
    json_object_foreach(json_object_get(document, "paths"), path, operations)
        told += json_object_size(operations);
    assert_int_equal(told, sizeof contract / sizeof *contract);
    json_decref(document);
}

/* A path of the document with its placeholders filled finds its own route. */
static void test_every_path_of_the_document_finds_its_route(void **state)
{
    json_t *document = openapi_document();
    const char *path;
    json_t *operations;

    (void)state;
    json_object_foreach(json_object_get(document, "paths"), path, operations) {
        struct request request = {0};
        struct buf target = {0};
        struct err err;

        for (const char *at = path; *at; at++) {
            if (*at != '{') {
                buf_add_char(&target, *at);
                continue;
            }
            buf_add_str(&target, at[1] == 'i' ? "7" : "tron");
            at = strchr(at, '}');
        }
        request.method =
            json_object_get(operations, "post") ? METHOD_POST : METHOD_GET;
        assert_int_equal(uri_parse(&request.uri, target.data, &err), 0);
        assert_true(route_find(&request));
        assert_string_equal(request.route->path, path);
        buf_release(&target);
        request_release(&request);
    }
    json_decref(document);
}

/* Looks for "$ref" everywhere below. */
static void check_references(const json_t *document, const json_t *value)
{
    static const char prefix[] = "#/components/schemas/";
    const json_t *schemas =
        json_object_get(json_object_get(document, "components"), "schemas");
    const char *key;
    json_t *member;
    size_t i;

    json_array_foreach(value, i, member)
        check_references(document, member);
    if (!json_is_object(value))
        return;
    json_object_foreach((json_t *)(uintptr_t)value, key, member) {
        if (strcmp(key, "$ref") != 0) {
            check_references(document, member);
            continue;
        }
        const char *name = json_string_value(member);
        assert_int_equal(strncmp(name, prefix, sizeof prefix - 1), 0);
        if (!json_object_get(schemas, name + sizeof prefix - 1))
            fail_msg("%s leads nowhere", name);
    }
}

static void test_every_reference_leads_to_a_schema(void **state)
{
    json_t *document = openapi_document();

    (void)state;
    check_references(document, document);
    json_decref(document);
}

static void test_rights_are_told_as_security(void **state)
{
    json_t *document = openapi_document();

    (void)state;
    for (size_t i = 0; i < sizeof contract / sizeof *contract; i++) {
        const json_t *operation = find_operation(document, contract[i]);
        size_t ways = json_array_size(json_object_get(operation, "security"));
        bool owner = strstr(contract[i], "/source") ||
                     strstr(contract[i], "/profile") ||
                     strstr(contract[i], "/log");
        bool user =
            !strncmp(contract[i], "POST", 4) && !strstr(contract[i], "/users");
        if (owner || user)
            assert_int_equal(ways, 1);
        if (!strcmp(contract[i], "GET /v1/bots"))
            assert_int_equal(ways, 0);
    }
    json_decref(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_endpoint_of_the_contract_is_told),
        cmocka_unit_test(test_every_path_of_the_document_finds_its_route),
        cmocka_unit_test(test_every_reference_leads_to_a_schema),
        cmocka_unit_test(test_rights_are_told_as_security),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
