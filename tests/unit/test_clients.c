/* How much of the server one client gets: by address, and through a proxy. */
#include "tests/unit/server_fixture.h"

#define MOST 8

static int open_direct(void **state)
{
    return world_open_as(state, &(struct service){.client_connections = MOST});
}

static int open_behind_a_proxy(void **state)
{
    struct service with = {.client_connections = MOST,
                           .registration = REGISTRATION_OPEN};
    struct err err;

    assert_int_equal(proxies_parse(&with.proxies, "127.0.0.0/8", &err), 0);
    return world_open_as(state, &with);
}

/* A request that stays open; 0 or its refusal's status. */
static int listen_as(const struct world *world, const char *client, int *fd,
                     struct buf *answer)
{
    auto_free char *text = mem_format(
        "GET /v1/events HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: %s\r\n\r\n",
        client);

    buf_clear(answer);
    *fd = client_open(world);
    client_send(*fd, text, strlen(text));
    for (int i = 0; i < 500 && !client_says(answer, "\r\n\r\n"); i++)
        client_read(*fd, answer, 20);
    int status = client_status(answer);
    return status == 200 ? 0 : status;
}

/* True: the server does not take it. */
static bool is_refused(const struct world *world)
{
    static const char text[] = "GET /healthz HTTP/1.1\r\nHost: x\r\n"
                               "Connection: close\r\n\r\n";
    auto_buf struct buf answer = {0};

    return client_raw(world, text, &answer) != 200;
}

static void close_all(int *fd, unsigned count)
{
    while (count-- > 0)
        fd_close(&fd[count]);
}

static void test_an_address_gets_its_share_of_connections(void **state)
{
    static const char text[] = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    auto_buf struct buf answer = {0};
    int fd[MOST];

    for (unsigned i = 0; i < MOST; i++) {
        buf_clear(&answer);
        fd[i] = client_open(*state);
        client_send(fd[i], text, strlen(text));
        for (int k = 0; k < 500 && !answer.size; k++)
            client_read(fd[i], &answer, 20);
        assert_int_equal(client_status(&answer), 200);
    }
    assert_true(is_refused(*state));
    close_all(fd, MOST);
    /* The server learns of it when it next looks there. */
    for (int i = 0; i < 300 && is_refused(*state); i++)
        usleep(100000);
    assert_false(is_refused(*state));
}

static void test_a_client_of_a_proxy_gets_a_share_too(void **state)
{
    auto_buf struct buf answer = {0};
    int fd[MOST + 2];

    for (unsigned i = 0; i < MOST; i++)
        assert_int_equal(listen_as(*state, "1.2.3.4", &fd[i], &answer), 0);
    assert_int_equal(listen_as(*state, "1.2.3.4", &fd[MOST], &answer), 429);
    assert_true(client_says(&answer, "Retry-After: "));
    assert_true(client_says(&answer, "problem+json"));
    assert_int_equal(
        listen_as(*state, "9.9.9.9, 5.6.7.8", &fd[MOST + 1], &answer), 0);
    assert_false(is_refused(*state)); /* the proxy itself */
    close_all(fd, MOST + 2);
    /* One after the other there may be any number. */
    const struct call call = {.method = "GET",
                              .target = "/healthz",
                              .headers = "X-Forwarded-For: 7.7.7.7\r\n"};
    for (int i = 0; i < 3 * MOST; i++)
        assert_int_equal(client_call(*state, &call, &answer), 200);
}

static void test_headers_that_contradict_each_other_are_refused(void **state)
{
    auto_buf struct buf answer = {0};
    struct call call = {.method = "GET",
                        .target = "/healthz",
                        .headers = "X-Forwarded-For: 1.2.3.4\r\n"
                                   "Forwarded: for=5.6.7.8\r\n"};

    assert_int_equal(client_call(*state, &call, &answer), 400);
    assert_true(client_says(&answer, "two clients"));
    call.headers = "X-Forwarded-For: 5.6.7.8\r\nX-Forwarded-For: 1.2.3.4\r\n"
                   "Forwarded: for=1.2.3.4\r\n";
    assert_int_equal(client_call(*state, &call, &answer), 200);
}

static void test_metrics_are_not_for_who_comes_by_a_proxy(void **state)
{
    auto_buf struct buf answer = {0};
    struct call call = {.method = "GET", .target = "/metrics"};

    assert_int_equal(client_call(*state, &call, &answer), 200);
    call.headers = "X-Forwarded-For: 127.0.0.1\r\n";
    assert_int_equal(client_call(*state, &call, &answer), 401);
    call.headers = "Forwarded: for=unknown\r\n";
    assert_int_equal(client_call(*state, &call, &answer), 401);
}

static void test_who_is_no_proxy_is_not_believed(void **state)
{
    auto_buf struct buf answer = {0};
    const struct call call = {.method = "GET",
                              .target = "/metrics",
                              .headers = "X-Forwarded-For: 1.2.3.4\r\n"
                                         "Forwarded: for=5.6.7.8\r\n"};

    assert_int_equal(client_call(*state, &call, &answer), 200);
}

/* Wrong tokens are rationed for each client, whoever else the proxy serves. */
static void test_a_proxys_clients_have_a_ration_each(void **state)
{
    auto_buf struct buf answer = {0};
    struct call call = {.method = "GET",
                        .target = "/v1/games",
                        .token = "bout_guess",
                        .headers = "X-Forwarded-For: 1.2.3.4\r\n"};
    int status = 401;

    for (int i = 0; i < 200 && status == 401; i++)
        status = client_call(*state, &call, &answer);
    assert_int_equal(status, 429);
    call.headers = "X-Forwarded-For: 1.2.3.4, 1.2.3.5\r\n";
    assert_int_equal(client_call(*state, &call, &answer), 401);
}

/* Without a token a key is not a person's: it holds for the address. */
static void test_strangers_with_the_same_key_do_not_meet(void **state)
{
    static const char one[] = "X-Forwarded-For: 1.2.3.4\r\n"
                              "Idempotency-Key: 1\r\n";
    static const char other[] = "X-Forwarded-For: 5.6.7.8\r\n"
                                "Idempotency-Key: 1\r\n";
    auto_buf struct buf answer = {0};
    struct call call = {.method = "POST",
                        .target = "/v1/users",
                        .type = "application/json",
                        .headers = one,
                        .body = "{\"name\":\"eve\"}"};

    assert_int_equal(client_call(*state, &call, &answer), 201);
    assert_true(client_says(&answer, "\"token\""));
    assert_int_equal(client_call(*state, &call, &answer), 201);
    assert_false(client_says(&answer, "\"token\""));
    call.headers = other; /* is not told what eve was */
    assert_int_equal(client_call(*state, &call, &answer), 409);
    call.body = "{\"name\":\"fay\"}"; /* nor kept from its own */
    assert_int_equal(client_call(*state, &call, &answer), 201);
}

#define SET_UP(name, open) \
    cmocka_unit_test_setup_teardown(name, open, world_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SET_UP(test_an_address_gets_its_share_of_connections, open_direct),
        SET_UP(test_who_is_no_proxy_is_not_believed, open_direct),
        SET_UP(test_a_client_of_a_proxy_gets_a_share_too, open_behind_a_proxy),
        SET_UP(test_headers_that_contradict_each_other_are_refused,
               open_behind_a_proxy),
        SET_UP(test_metrics_are_not_for_who_comes_by_a_proxy,
               open_behind_a_proxy),
        SET_UP(test_strangers_with_the_same_key_do_not_meet,
               open_behind_a_proxy),
        SET_UP(test_a_proxys_clients_have_a_ration_each, open_behind_a_proxy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
