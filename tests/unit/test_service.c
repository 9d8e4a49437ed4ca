/* What the service answers, over real sockets and a real database: rights,
 * problems, forms, repeated POSTs, cursors, waits, stopping. */
#include "tests/unit/server_fixture.h"

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

    world->service.registration = REGISTRATION_OPEN;
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
    server_changed(world->server, "match", 1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERVED(test_a_wrong_token_is_401_even_where_none_is_needed),
        SERVED(test_users_are_added_by_the_admin_alone),
        SERVED(test_open_registration_needs_no_token),
        SERVED(test_bad_bodies_are_named),
        SERVED(test_a_bot_is_entered_and_shown_by_role),
        SERVED(test_bad_forms_are_refused_and_leave_nothing),
        SERVED(test_a_repeated_post_answers_the_same_and_acts_once),
        SERVED(test_pages_hold_every_row_once),
        SERVED(test_matches_need_ready_bots_and_sane_fields),
        SERVED(test_wait_ends_with_the_news_or_with_the_time),
        SERVED(test_stopping_answers_those_who_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
