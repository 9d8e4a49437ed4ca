/* The service over real sockets and a real database: what libmicrohttpd lets
 * through (research: probes of 0.9.75), and what every request has in common:
 * methods, rights, problems, cursors, repeated POSTs, waits, stopping. */
#include "api/http/server.h"
#include "db/bots.h"
#include "db/users.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/io.h"

#include <setjmp.h>
#include <stdarg.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- a fresh service a test --------------------------------------------- */

struct world {
    char *folder;
    char *path;
    struct games games;
    struct games_row row;
    struct metrics metrics;
    struct service service;
    struct server *server;
    char admin[TOKEN_SIZE];
    char user[TOKEN_SIZE];
};

static int world_add_users(struct db *db, void *arg, struct err *err)
{
    struct world *world = arg;
    uint8_t hash[HASH_BYTES];
    int64_t id;

    token_make(world->admin, hash);
    if (user_add(db, "admin", true, 1, &id, err) < 0 ||
        token_add(db, id, hash, 1, err) < 0)
        return -1;
    token_make(world->user, hash);
    if (user_add(db, "ann", false, 1, &id, err) < 0)
        return -1;
    return token_add(db, id, hash, 1, err);
}

static char world_game[][8] = {"tron", "Tron", "v"};

static int world_open(void **state)
{
    struct world *world = mem_calloc(1, sizeof *world);
    struct err err = {0};

    world->folder = io_make_temp_folder("test-server", &err);
    world->path = mem_format("%s/bout.db", world->folder);
    world->row = (struct games_row){.name = world_game[0],
                                    .label = world_game[1],
                                    .version = world_game[2],
                                    .min_slots = 2,
                                    .max_slots = 4,
                                    .turns = 300};
    world->games = (struct games){.row = &world->row, .count = 1};
    world->service = (struct service){.database = world->path,
                                      .writer = writer_open(world->path, &err),
                                      .games = &world->games,
                                      .metrics = &world->metrics};
    assert_non_null(world->service.writer);
    assert_int_equal(
        writer_run(world->service.writer, false, world_add_users, world, &err),
        0);
    const struct server_spec spec = {.service = &world->service,
                                     .listen_fd =
                                         server_listen("127.0.0.1", 0, &err)};
    assert_true(spec.listen_fd >= 0);
    world->server = server_start(&spec, &err);
    if (!world->server)
        fail_msg("%s", err.msg);
    *state = world;
    return 0;
}

static int world_close(void **state)
{
    struct world *world = *state;
    struct err err;

    server_stop(world->server);
    writer_close(world->service.writer);
    io_remove_tree(world->folder, &err);
    free(world->folder);
    free(world->path);
    free(world);
    return 0;
}

/* ---- a small client ----------------------------------------------------- */

static int client_open(const struct world *world)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(server_port(world->server)),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const void *any = &address;

    assert_true(fd >= 0);
    assert_int_equal(connect(fd, any, sizeof address), 0);
    return fd;
}

static void client_send(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t put = send(fd, bytes, size, MSG_NOSIGNAL);
        if (put < 0)
            return; /* the server has answered and closed */
        bytes += put;
        size -= (size_t)put;
    }
}

/* Reads until the server closes, or `ms` without a byte. True: closed. */
static bool client_read(int fd, struct buf *out, int ms)
{
    char bytes[4096];

    for (;;) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (poll(&wait, 1, ms) <= 0)
            return false;
        ssize_t got = read(fd, bytes, sizeof bytes);
        if (got <= 0)
            return true;
        buf_add(out, bytes, (size_t)got);
    }
}

static int client_status(const struct buf *answer)
{
    int status = 0;

    if (answer->size)
        sscanf(answer->data, "HTTP/1.1 %d", &status);
    return status;
}

/* Sends raw bytes on a new connection and reads the whole answer. */
static int client_raw(const struct world *world, const char *text,
                      struct buf *answer)
{
    auto_fd int fd = client_open(world);

    buf_clear(answer);
    client_send(fd, text, strlen(text));
    client_read(fd, answer, 3000);
    return client_status(answer);
}

struct call {
    const char *method;
    const char *target;
    const char *token;   /* or NULL */
    const char *headers; /* further ones, each with its line break; or NULL */
    const char *type;    /* of the body, or NULL */
    const char *body;    /* or NULL */
};

static int client_call(const struct world *world, const struct call *call,
                       struct buf *answer)
{
    auto_buf struct buf request = {0};

    buf_add_format(
        &request, "%s %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s",
        call->method, call->target, call->headers ? call->headers : "");
    if (call->token)
        buf_add_format(&request, "Authorization: Bearer %s\r\n", call->token);
    if (call->type)
        buf_add_format(&request, "Content-Type: %s\r\n", call->type);
    if (call->body)
        buf_add_format(&request, "Content-Length: %zu\r\n", strlen(call->body));
    buf_add_format(&request, "\r\n%s", call->body ? call->body : "");
    return client_raw(world, request.data, answer);
}

static int client_get(const struct world *world, const char *target,
                      struct buf *answer)
{
    const struct call call = {.method = "GET", .target = target};

    return client_call(world, &call, answer);
}

static bool client_says(const struct buf *answer, const char *text)
{
    return answer->data && strstr(answer->data, text) != NULL;
}

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
    };
    auto_buf struct buf answer = {0};

    for (size_t i = 0; i < sizeof probe / sizeof *probe; i++) {
        auto_free char *text = mem_format("GET /healthz HTTP/1.1\r\nHost: x\r\n"
                                          "%s\r\n{}GET /healthz HTTP/1.1\r\n"
                                          "Host: x\r\n\r\n",
                                          probe[i].headers);
        assert_int_equal(client_raw(*state, text, &answer), probe[i].status);
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

/* ---- methods and rights ------------------------------------------------- */

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

static void test_a_wrong_token_is_401_even_where_none_is_needed(void **state)
{
    struct call call = {
        .method = "GET", .target = "/v1/games", .token = "bout_wrong"};
    auto_buf struct buf answer = {0};

    assert_int_equal(client_call(*state, &call, &answer), 401);
    assert_true(client_says(&answer, "WWW-Authenticate: Bearer"));
    call.token = NULL;
    assert_int_equal(client_call(*state, &call, &answer), 200);
    call.headers = "Authorization: Basic YTpi\r\n";
    assert_int_equal(client_call(*state, &call, &answer), 401);
}

static void test_users_are_added_by_the_admin_alone(void **state)
{
    struct world *world = *state;
    struct call call = {.method = "POST",
                        .target = "/v1/users",
                        .type = "application/json",
                        .body = "{\"name\": \"bob\"}"};
    auto_buf struct buf answer = {0};

    assert_int_equal(client_call(world, &call, &answer), 401);
    call.token = world->user;
    assert_int_equal(client_call(world, &call, &answer), 403);
    call.token = world->admin;
    assert_int_equal(client_call(world, &call, &answer), 201);
    assert_true(client_says(&answer, "\"token\":\"bout_"));
    assert_int_equal(client_call(world, &call, &answer), 409);
    call.body = "{\"name\": \"b b\"}";
    assert_int_equal(client_call(world, &call, &answer), 422);
    assert_true(client_says(&answer, "\"field\":\"name\""));
}

static void test_open_registration_needs_no_token(void **state)
{
    struct world *world = *state;
    const struct call call = {.method = "POST",
                              .target = "/v1/users",
                              .type = "application/json",
                              .body = "{\"name\": \"bob\"}"};
    auto_buf struct buf answer = {0};

    world->service.open_registration = true;
    assert_int_equal(client_call(world, &call, &answer), 201);
}

/* ---- bodies ------------------------------------------------------------- */

static void test_bad_bodies_are_named(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *type;
        const char *body;
        int status;
    } probe[] = {
        {"application/json", "{\"name\":", 400},
        {"application/json", "[]", 400},
        {"application/json", "{\"name\":\"a\",\"name\":\"b\"}", 400},
        {"application/json", "{\"name\":1}", 422},
        {"application/json", "{\"name\":\"x\",\"admin\":true}", 422},
        {"application/json", "{}", 422},
        {"application/json", "{\"name\":\"\\u0000\"}", 400},
        {"text/plain", "{\"name\":\"x\"}", 415},
        {NULL, "{\"name\":\"x\"}", 415},
    };
    auto_buf struct buf answer = {0};

    for (size_t i = 0; i < sizeof probe / sizeof *probe; i++) {
        const struct call call = {.method = "POST",
                                  .target = "/v1/users",
                                  .token = world->admin,
                                  .type = probe[i].type,
                                  .body = probe[i].body};
        if (client_call(world, &call, &answer) != probe[i].status)
            fail_msg("%s: %s", probe[i].body, answer.data);
        assert_true(client_says(&answer, "application/problem+json"));
    }
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

/* ---- bots --------------------------------------------------------------- */

#define FORM "multipart/form-data; boundary=B"
#define PART(name, value)                                                    \
    "--B\r\nContent-Disposition: form-data; name=\"" name "\"\r\n\r\n" value \
    "\r\n"
#define SOURCE(filename, text)                                 \
    "--B\r\nContent-Disposition: form-data; name=\"source\"; " \
    "filename=\"" filename "\"\r\n\r\n" text "\r\n"

static int post_bot(const struct world *world, const char *token,
                    const char *body, const char *headers, struct buf *answer)
{
    const struct call call = {.method = "POST",
                              .target = "/v1/bots",
                              .token = token,
                              .headers = headers,
                              .type = FORM,
                              .body = body};

    return client_call(world, &call, answer);
}

static const char good_bot[] = PART("name", "racer") PART("game", "tron")
    SOURCE("bot.c", "int main(void) { return 0; }") "--B--\r\n";

static void test_a_bot_is_entered_and_shown_by_role(void **state)
{
    struct world *world = *state;
    auto_buf struct buf answer = {0};

    assert_int_equal(post_bot(world, NULL, good_bot, NULL, &answer), 401);
    assert_int_equal(post_bot(world, world->user, good_bot, NULL, &answer),
                     202);
    assert_true(client_says(&answer, "Location: /v1/bots/1"));
    assert_true(client_says(&answer, "\"status\":\"queued\""));
    assert_true(client_says(&answer, "\"version\":1"));

    assert_int_equal(client_get(world, "/v1/bots/1", &answer), 200);
    assert_false(client_says(&answer, "diagnostics"));
    struct call call = {
        .method = "GET", .target = "/v1/bots/1", .token = world->user};
    assert_int_equal(client_call(world, &call, &answer), 200);
    assert_true(client_says(&answer, "diagnostics"));

    assert_int_equal(client_get(world, "/v1/bots/1/source", &answer), 401);
    call.target = "/v1/bots/1/source";
    assert_int_equal(client_call(world, &call, &answer), 200);
    assert_true(client_says(&answer, "int main(void)"));
    assert_int_equal(client_get(world, "/v1/bots/99", &answer), 404);
    assert_int_equal(client_get(world, "/v1/bots/0", &answer), 404);

    /* Another owner's name. */
    assert_int_equal(post_bot(world, world->admin, good_bot, NULL, &answer),
                     409);
    /* The same owner's: the next version. */
    assert_int_equal(post_bot(world, world->user, good_bot, NULL, &answer),
                     202);
    assert_true(client_says(&answer, "\"version\":2"));
}

static void test_bad_forms_are_refused_and_leave_nothing(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *body;
        int status;
    } probe[] = {
        {"", 400},
        {"--B", 400},
        {PART("name", "racer"), 400}, /* cut short */
        {PART("name", "racer") PART("game", "tron") "--B--\r\n", 422},
        {PART("name", "racer") PART("game", "chess")
             SOURCE("bot.c", "x") "--B--\r\n",
         422},
        {PART("name", "a b") PART("game", "tron")
             SOURCE("bot.c", "x") "--B--\r\n",
         422},
        {PART("name", "racer") PART("game", "tron")
             SOURCE("../bot.c", "x") "--B--\r\n",
         422},
        {PART("name", "racer") PART("game", "tron") PART("colour", "red")
             SOURCE("bot.c", "x") "--B--\r\n",
         422},
        {"--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--\r\n", 400},
    };
    auto_buf struct buf answer = {0};

    for (size_t i = 0; i < sizeof probe / sizeof *probe; i++)
        if (post_bot(world, world->user, probe[i].body, NULL, &answer) !=
            probe[i].status)
            fail_msg("%s: %s", probe[i].body, answer.data);
    assert_int_equal(client_get(world, "/v1/bots", &answer), 200);
    assert_true(client_says(&answer, "{\"items\":[],\"next\":null}"));
}

static void test_a_repeated_post_answers_the_same_and_acts_once(void **state)
{
    struct world *world = *state;
    auto_buf struct buf answer = {0};
    const char *key = "Idempotency-Key: one\r\n";

    assert_int_equal(post_bot(world, world->user, good_bot, key, &answer), 202);
    assert_int_equal(post_bot(world, world->user, good_bot, key, &answer), 202);
    assert_true(client_says(&answer, "\"id\":1"));
    assert_true(client_says(&answer, "Location: /v1/bots/1"));
    static const char other[] = PART("name", "other") PART("game", "tron")
        SOURCE("bot.c", "int main(void) { return 0; }") "--B--\r\n";
    assert_int_equal(post_bot(world, world->user, other, key, &answer), 422);

    struct call call = {.method = "POST",
                        .target = "/v1/users",
                        .token = world->admin,
                        .headers = "Idempotency-Key: two\r\n",
                        .type = "application/json",
                        .body = "{\"name\":\"bob\"}"};
    assert_int_equal(client_call(world, &call, &answer), 201);
    assert_true(client_says(&answer, "\"token\""));
    assert_int_equal(client_call(world, &call, &answer), 201);
    assert_true(client_says(&answer, "\"name\":\"bob\""));
    assert_false(client_says(&answer, "\"token\""));
}

/* ---- lists -------------------------------------------------------------- */

/* The text behind `"next":"` in the answer; NULL on the last page. */
static char *next_cursor(const struct buf *answer)
{
    const char *at = strstr(answer->data, "\"next\":\"");

    if (!at)
        return NULL;
    at += 8;
    return mem_dup(at, strcspn(at, "\""));
}

static void test_pages_hold_every_row_once(void **state)
{
    struct world *world = *state;
    auto_buf struct buf answer = {0};
    auto_free char *cursor = NULL;
    unsigned seen = 0;

    for (int i = 0; i < 7; i++)
        assert_int_equal(post_bot(world, world->user, good_bot, NULL, &answer),
                         202);
    for (int page = 0; page < 4; page++) {
        auto_free char *target =
            mem_format("/v1/bots?limit=2%s%s", cursor ? "&cursor=" : "",
                       cursor ? cursor : "");
        assert_int_equal(client_get(world, target, &answer), 200);
        for (int id = 1; id <= 7; id++) {
            auto_free char *text = mem_format("\"id\":%d,", id);
            if (client_says(&answer, text))
                seen += 1u << (4 * (id - 1));
        }
        assert_int_equal(client_says(&answer, "Link: </v1/bots?cursor="),
                         page < 3);
        free(cursor);
        cursor = next_cursor(&answer);
        assert_int_equal(cursor != NULL, page < 3);
        if (page == 0) { /* of another list: refused */
            auto_free char *wrong =
                mem_format("/v1/bots?game=tron&cursor=%s", cursor);
            assert_int_equal(client_get(world, wrong, &answer), 400);
        }
    }
    assert_int_equal(seen, 0x1111111);
    assert_int_equal(client_get(world, "/v1/bots?limit=0", &answer), 400);
    assert_int_equal(client_get(world, "/v1/bots?limit=201", &answer), 400);
    assert_int_equal(client_get(world, "/v1/bots?cursor=xyz", &answer), 400);
    assert_int_equal(client_get(world, "/v1/bots?game=chess", &answer), 404);
}

/* ---- matches ------------------------------------------------------------ */

static void test_matches_need_ready_bots_and_sane_fields(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *body;
        int status;
    } probe[] = {
        {"{\"game\":\"tron\",\"bots\":[1,1]}", 409}, /* not ready */
        {"{\"game\":\"chess\",\"bots\":[1,1]}", 422},
        {"{\"game\":\"tron\",\"bots\":[1]}", 422},
        {"{\"game\":\"tron\",\"bots\":[1,1,1,1,1]}", 422},
        {"{\"game\":\"tron\",\"bots\":[1,77]}", 422},
        {"{\"game\":\"tron\",\"bots\":[1,-1]}", 422},
        {"{\"game\":\"tron\",\"bots\":[1,1],\"seed\":-1}", 422},
        {"{\"game\":\"tron\",\"bots\":[1,1],\"seed\":9007199254740992}", 422},
        {"{\"game\":\"tron\",\"bots\":[1,1],\"seed\":99999999999999999999}",
         400},
        {"{\"game\":\"tron\",\"bots\":[1,1],\"limits\":{\"turns\":301}}", 422},
        {"{\"game\":\"tron\",\"bots\":[1,1],\"limits\":{\"colour\":1}}", 422},
        {"{\"game\":\"tron\",\"bots\":[1,1],\"rated\":true}", 403},
        {"{}", 422},
    };
    auto_buf struct buf answer = {0};

    post_bot(world, world->user, good_bot, NULL, &answer);
    for (size_t i = 0; i < sizeof probe / sizeof *probe; i++) {
        const struct call call = {.method = "POST",
                                  .target = "/v1/matches",
                                  .token = world->user,
                                  .type = "application/json",
                                  .body = probe[i].body};
        if (client_call(world, &call, &answer) != probe[i].status)
            fail_msg("%s: %s", probe[i].body, answer.data);
    }
    assert_int_equal(client_get(world, "/v1/matches/1", &answer), 404);
    assert_int_equal(client_get(world, "/v1/matches/1/turns", &answer), 404);
}

/* ---- waiting ------------------------------------------------------------ */

static int reject_bot(struct db *db, void *arg, struct err *err)
{
    (void)arg;
    return bot_reject(db, 1, "[]", 2, err);
}

static void *reject_later(void *arg)
{
    struct world *world = arg;
    struct err err;

    clock_sleep_ns(500000000);
    writer_run(world->service.writer, false, reject_bot, NULL, &err);
    server_changed(world->server, 1);
    return NULL;
}

static void test_wait_ends_with_the_news_or_with_the_time(void **state)
{
    struct world *world = *state;
    auto_buf struct buf answer = {0};
    pthread_t thread;

    post_bot(world, world->user, good_bot, NULL, &answer);
    uint64_t start_ns = clock_mono_ns();
    assert_int_equal(client_get(world, "/v1/bots/1?wait=1", &answer), 200);
    assert_true(client_says(&answer, "\"status\":\"queued\""));
    assert_in_range((clock_mono_ns() - start_ns) / 100000000, 9, 29);

    start_ns = clock_mono_ns();
    assert_int_equal(pthread_create(&thread, NULL, reject_later, world), 0);
    assert_int_equal(client_get(world, "/v1/bots/1?wait=30", &answer), 200);
    assert_true(client_says(&answer, "\"status\":\"rejected\""));
    assert_in_range((clock_mono_ns() - start_ns) / 100000000, 4, 29);
    pthread_join(thread, NULL);
    assert_int_equal(client_get(world, "/v1/bots/1?wait=61", &answer), 400);
}

static void test_stopping_answers_those_who_wait(void **state)
{
    struct world *world = *state;
    auto_buf struct buf answer = {0};
    auto_fd int fd = client_open(world);
    static const char request[] =
        "GET /v1/bots/1?wait=60 HTTP/1.1\r\nHost: x\r\n\r\n";

    post_bot(world, world->user, good_bot, NULL, &answer);
    buf_clear(&answer);
    client_send(fd, request, sizeof request - 1);
    clock_sleep_ns(300000000);
    server_stop(world->server);
    world->server = NULL;
    client_read(fd, &answer, 1000);
    assert_int_equal(client_status(&answer), 200);
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

#define SERVED(name) \
    cmocka_unit_test_setup_teardown(name, world_open, world_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERVED(test_ambiguous_framing_is_refused_and_closed),
        SERVED(test_a_byte_a_second_does_not_hold_a_connection),
        SERVED(test_paths_are_taken_apart_before_they_are_decoded),
        SERVED(test_pipelined_requests_are_each_answered),
        SERVED(test_methods_answer_as_http_says),
        SERVED(test_a_wrong_token_is_401_even_where_none_is_needed),
        SERVED(test_users_are_added_by_the_admin_alone),
        SERVED(test_open_registration_needs_no_token),
        SERVED(test_bad_bodies_are_named),
        SERVED(test_a_body_over_the_cap_is_413_by_length_and_by_chunks),
        SERVED(test_a_client_that_waits_for_100_is_refused_at_once),
        SERVED(test_a_bot_is_entered_and_shown_by_role),
        SERVED(test_bad_forms_are_refused_and_leave_nothing),
        SERVED(test_a_repeated_post_answers_the_same_and_acts_once),
        SERVED(test_pages_hold_every_row_once),
        SERVED(test_matches_need_ready_bots_and_sane_fields),
        SERVED(test_wait_ends_with_the_news_or_with_the_time),
        SERVED(test_stopping_answers_those_who_wait),
        SERVED(test_an_etag_saves_the_body),
        SERVED(test_public_documents_are_there),
        SERVED(test_too_many_posts_are_429),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
