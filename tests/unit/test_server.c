/* HTTP itself, over real sockets: what libmicrohttpd lets through (research:
 * probes of 0.9.75), and what every request has in common: framing, paths,
 * methods, sizes, ETags, limits. */
#include "tests/unit/server_fixture.h"

/* ---- framing ------------------------------------------------------------ */

static void test_ambiguous_framing_is_refused_and_closed(void **state)
{
    static const struct {
        const char *headers;
        int status;
    } probe[] = {
        {"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", 400},
        {"Content-Length: 2\r\nContent-Length: 3\r\n", 400},
        {"Transfer-Encoding: gzip\r\n", 501},
        {"Transfer-Encoding: gzip, chunked\r\n", 501},
        {"Expect: the-moon\r\n", 417},
        {"X-A: a\001b\r\n", 400},
        {"Content-Length : 2\r\n", 400},
        {"Content-Length\t: 2\r\n", 400},
        {"Transfer-Encoding : chunked\r\n", 400},
        {"X(A): b\r\n", 400},
        {"Host: y\r\n", 400},
        {"X-A: a\rContent-Length: 2\r\n", 400},
    };
    auto_buf struct buf answer = {0};

    for (size_t i = 0; i < sizeof probe / sizeof *probe; i++) {
        auto_free char *text = mem_format("GET /healthz HTTP/1.1\r\nHost: x\r\n"
                                          "%s\r\n{}GET /healthz HTTP/1.1\r\n"
                                          "Host: x\r\n\r\n",
                                          probe[i].headers);
        if (client_raw(*state, text, &answer) != probe[i].status)
            fail_msg("%s: %s", probe[i].headers, answer.data);
        assert_true(client_says(&answer, "Connection: close"));
        assert_false(client_says(&answer, "\"ok\"")); /* nothing behind it */
    }
}

static void test_a_byte_a_second_does_not_hold_a_connection(void **state)
{
    auto_fd int fd = client_open(*state);
    uint64_t start_ns = clock_mono_ns();
    bool closed = false;

    client_send(fd, "GET / HTTP/1.1\r\nX: ", 19);
    while (!closed && clock_mono_ns() - start_ns < 20000000000u) {
        auto_buf struct buf answer = {0};
        client_send(fd, "a", 1);
        closed = client_read(fd, &answer, 700);
    }
    uint64_t took_ns = clock_mono_ns() - start_ns;
    assert_true(closed);
    assert_in_range(took_ns / 1000000000, 8, 14);
}

static void test_paths_are_taken_apart_before_they_are_decoded(void **state)
{
    static const char *const bad[] = {"/v1//bots",
                                      "/v1/%2e%2e/bots",
                                      "/v1/../healthz",
                                      "/v1/bots%00",
                                      "/v1/%ff",
                                      "/v1/%zz",
                                      "/v1/games/a%2Fb",
                                      "http://x/healthz",
                                      "/v1/bots?limit=%0a",
                                      "/v1/bots?limit=1&limit=2"};
    auto_buf struct buf answer = {0};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (client_get(*state, bad[i], &answer) != 400)
            fail_msg("%s: %s", bad[i], answer.data);
    assert_int_equal(client_get(*state, "/%68ealthz", &answer), 200);
}

static void test_pipelined_requests_are_each_answered(void **state)
{
    auto_buf struct buf answer = {0};

    client_raw(*state,
               "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
               "GET /v1/nothing HTTP/1.1\r\nHost: x\r\n"
               "Connection: close\r\n\r\n",
               &answer);
    assert_true(client_says(&answer, "HTTP/1.1 200"));
    assert_true(client_says(&answer, "HTTP/1.1 404"));
}

/* ---- methods and sizes -------------------------------------------------- */

static void test_methods_answer_as_http_says(void **state)
{
    struct call call = {.method = "HEAD", .target = "/healthz"};
    auto_buf struct buf answer = {0};

    assert_int_equal(client_call(*state, &call, &answer), 200);
    assert_true(client_says(&answer, "Content-Length: 16"));
    assert_false(client_says(&answer, "\"ok\""));
    call.method = "OPTIONS";
    call.target = "/v1/bots";
    assert_int_equal(client_call(*state, &call, &answer), 204);
    assert_true(client_says(&answer, "Allow: GET, HEAD, POST, OPTIONS"));
    call.method = "DELETE";
    assert_int_equal(client_call(*state, &call, &answer), 405);
    assert_true(client_says(&answer, "Allow: GET, HEAD, POST, OPTIONS"));
    assert_true(client_says(&answer, "application/problem+json"));
    call.method = "get";
    assert_int_equal(client_call(*state, &call, &answer), 501);
}

static void
test_a_body_over_the_cap_is_413_by_length_and_by_chunks(void **state)
{
    struct world *world = *state;
    auto_free char *big = mem_alloc(70001);
    auto_buf struct buf answer = {0};
    auto_buf struct buf request = {0};

    memset(big, 'x', 70000);
    big[70000] = '\0';
    const struct call call = {.method = "POST",
                              .target = "/v1/users",
                              .token = world->admin,
                              .type = "application/json",
                              .body = big};
    assert_int_equal(client_call(world, &call, &answer), 413);
    assert_true(client_says(&answer, "\"code\":\"too_big\""));

    buf_add_format(
        &request,
        "POST /v1/users HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        "Transfer-Encoding: chunked\r\nAuthorization: Bearer %s\r\n"
        "Content-Type: application/json\r\n\r\n%x\r\n%s\r\n0\r\n\r\n",
        world->admin, 70000, big);
    assert_int_equal(client_raw(world, request.data, &answer), 413);
}

static void test_a_client_that_waits_for_100_is_refused_at_once(void **state)
{
    struct world *world = *state;
    auto_buf struct buf request = {0};
    auto_buf struct buf answer = {0};

    buf_add_format(&request,
                   "POST /v1/users HTTP/1.1\r\nHost: x\r\n"
                   "Expect: 100-continue\r\nAuthorization: Bearer %s\r\n"
                   "Content-Type: application/json\r\n"
                   "Content-Length: 10000000\r\n\r\n",
                   world->admin);
    assert_int_equal(client_raw(world, request.data, &answer), 413);
    assert_false(client_says(&answer, "100 Continue"));
}

static void test_heads_that_are_too_large_are_problems(void **state)
{
    auto_free char *long_text = mem_alloc(20001);
    auto_buf struct buf answer = {0};

    memset(long_text, 'x', 20000);
    long_text[20000] = '\0';
    auto_free char *target = mem_format("/%s", long_text);
    assert_int_equal(client_get(*state, target, &answer), 414);
    assert_true(client_says(&answer, "problem+json"));
    auto_free char *headers = mem_format("X-Long: %s\r\n", long_text);
    const struct call call = {
        .method = "GET", .target = "/healthz", .headers = headers};
    assert_int_equal(client_call(*state, &call, &answer), 431);
    assert_true(client_says(&answer, "problem+json"));
}

static void test_a_host_is_a_host(void **state)
{
    static const struct {
        const char *host;
        int status;
    } probe[] = {{"x", 200},     {"x:80", 200}, {"[::1]:80", 200}, {"", 200},
                 {"a b", 400},   {"a,b", 400},  {"u@x", 400},      {"x/y", 400},
                 {"x?y#z", 400}, {"<x>", 400}};
    auto_buf struct buf answer = {0};

    for (size_t i = 0; i < sizeof probe / sizeof *probe; i++) {
        auto_free char *text =
            mem_format("GET /healthz HTTP/1.1\r\nHost: %s\r\n"
                       "Connection: close\r\n\r\n",
                       probe[i].host);
        if (client_raw(*state, text, &answer) != probe[i].status)
            fail_msg("%s: %s", probe[i].host, answer.data);
    }
}

/* ---- caches and facts --------------------------------------------------- */

static void test_an_etag_saves_the_body(void **state)
{
    struct world *world = *state;
    auto_buf struct buf answer = {0};
    char tag[80];

    assert_int_equal(client_get(world, "/v1/costs", &answer), 200);
    const char *at = strstr(answer.data, "ETag: ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "ETag: %79[^\r]", tag), 1);
    auto_free char *headers = mem_format("If-None-Match: \"x\", W/%s\r\n", tag);
    const struct call call = {
        .method = "GET", .target = "/v1/costs", .headers = headers};
    assert_int_equal(client_call(world, &call, &answer), 304);
    assert_false(client_says(&answer, "instruction"));
}

static void test_public_documents_are_there(void **state)
{
    static const char *const targets[] = {"/",
                                          "/healthz",
                                          "/metrics",
                                          "/openapi.json",
                                          "/v1/bots",
                                          "/v1/matches",
                                          "/v1/leaderboard?game=tron",
                                          "/v1/games",
                                          "/v1/games/tron",
                                          "/v1/costs",
                                          "/v1/limits",
                                          "/v1/limits?game=tron",
                                          "/v1/fingerprint"};
    auto_buf struct buf answer = {0};

    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (client_get(*state, targets[i], &answer) != 200)
            fail_msg("%s: %s", targets[i], answer.data);
    assert_int_equal(client_get(*state, "/v1/games/chess", &answer), 404);
    assert_int_equal(client_get(*state, "/v1/leaderboard", &answer), 400);
    assert_int_equal(client_get(*state, "/v1/leaderboard?game=x", &answer),
                     404);
    assert_int_equal(client_get(*state, "/readyz", &answer), 503);
}

static void test_too_many_posts_are_429(void **state)
{
    struct world *world = *state;
    auto_buf struct buf answer = {0};
    struct call call = {
        .method = "GET", .target = "/v1/games", .token = "bout_guess"};
    int status = 401;

    for (int i = 0; i < 40 && status == 401; i++)
        status = client_call(world, &call, &answer);
    assert_int_equal(status, 429);
    assert_true(client_says(&answer, "Retry-After: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERVED(test_ambiguous_framing_is_refused_and_closed),
        SERVED(test_a_byte_a_second_does_not_hold_a_connection),
        SERVED(test_paths_are_taken_apart_before_they_are_decoded),
        SERVED(test_pipelined_requests_are_each_answered),
        SERVED(test_methods_answer_as_http_says),
        SERVED(test_a_body_over_the_cap_is_413_by_length_and_by_chunks),
        SERVED(test_a_client_that_waits_for_100_is_refused_at_once),
        SERVED(test_heads_that_are_too_large_are_problems),
        SERVED(test_a_host_is_a_host),
        SERVED(test_an_etag_saves_the_body),
        SERVED(test_public_documents_are_there),
        SERVED(test_too_many_posts_are_429),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
