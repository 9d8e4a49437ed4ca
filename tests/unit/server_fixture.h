/* server_fixture: a fresh service on a real socket and a real database for each
 * test, and a small client that sends what it is told to the byte. */
#pragma once

#include "api/http/server.h"
#include "db/bots.h"
#include "db/tokens.h"
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

static inline int world_add_users(struct db *db, void *arg, struct err *err)
{
    struct world *world = arg;
    uint8_t hash[HASH_BYTES];
    int64_t id;

    token_make(world->admin, hash);
    if (user_add(db, "admin", ROLE_ADMIN, 1, &id, err) < 0 ||
        token_add(db, id, hash, 1, err) < 0)
        return -1;
    token_make(world->user, hash);
    if (user_add(db, "ann", ROLE_USER, 1, &id, err) < 0)
        return -1;
    return token_add(db, id, hash, 1, err);
}

static char world_game[][8] = {"tron", "Tron", "v"};

static inline int world_open_as(void **state, const struct service *with)
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
    world->service =
        (struct service){.database = world->path,
                         .writer = writer_open(world->path, &err),
                         .games = &world->games,
                         .metrics = &world->metrics,
                         .proxies = with->proxies,
                         .registration = with->registration,
                         .client_connections = with->client_connections};
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

static inline int world_open(void **state)
{
    return world_open_as(state, &(struct service){0});
}

static inline int world_close(void **state)
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

static inline int client_open(const struct world *world)
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

static inline void client_send(int fd, const char *bytes, size_t size)
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
static inline bool client_read(int fd, struct buf *out, int ms)
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

static inline int client_status(const struct buf *answer)
{
    int status = 0;

    if (answer->size)
        sscanf(answer->data, "HTTP/1.1 %d", &status);
    return status;
}

/* Sends raw bytes on a new connection and reads the whole answer. */
static inline int client_raw(const struct world *world, const char *text,
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

static inline int client_call(const struct world *world,
                              const struct call *call, struct buf *answer)
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

static inline int client_get(const struct world *world, const char *target,
                             struct buf *answer)
{
    const struct call call = {.method = "GET", .target = target};

    return client_call(world, &call, answer);
}

static inline bool client_says(const struct buf *answer, const char *text)
{
    return answer->data && strstr(answer->data, text) != NULL;
}

#define SERVED(name) \
    cmocka_unit_test_setup_teardown(name, world_open, world_close)
