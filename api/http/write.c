/* write: the part of an exchange that is away: in the writer, or waiting for
 * news. The connection is suspended meanwhile. */
#include "api/http/exchange.h"

#include "api/http/auth.h"
#include "api/http/route.h"
#include "db/settings.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WRITE_KEY_MAX 255

/* ---- suspending and resuming -------------------------------------------- */

/* Holds server->lock. */
static void exchange_suspend(struct exchange *exchange)
{
    MHD_suspend_connection(exchange->connection);
    exchange->state = EXCHANGE_AWAY;
    exchange->server->suspended++;
}

void exchange_resume(struct exchange *exchange, enum exchange_state state)
{
    struct server *server = exchange->server;

    exchange->state = state;
    server->suspended--;
    pthread_cond_broadcast(&server->news);
    MHD_resume_connection(exchange->connection);
}

bool exchange_wait(struct exchange *exchange)
{
    struct server *server = exchange->server;

    pthread_mutex_lock(&server->lock);
    bool waits = !server->stopping && exchange->changes_seen == server->changes;
    if (waits) {
        exchange_suspend(exchange);
        exchange->next = server->waiting;
        server->waiting = exchange;
        atomic_fetch_add(&server->service->metrics->waiting, 1);
    }
    if (server->stopping)
        exchange->request.wait_over = true;
    pthread_mutex_unlock(&server->lock);
    return waits;
}

/* Takes the exchange at *link out of the list and lets it run. Holds the
 * lock. */
static void exchange_wake(struct exchange **link)
{
    struct exchange *exchange = *link;

    *link = exchange->next;
    exchange->next = NULL;
    atomic_fetch_sub(&exchange->server->service->metrics->waiting, 1);
    exchange_resume(exchange, EXCHANGE_RUN);
}

void server_changed(struct server *server, const char *what, int64_t id)
{
    if (what)
        events_add(server->service->events, what, id);
    pthread_mutex_lock(&server->lock);
    server->changes++;
    for (struct exchange **link = &server->waiting; *link;) {
        if ((*link)->request.topic == id)
            exchange_wake(link);
        else
            link = &(*link)->next;
    }
    pthread_mutex_unlock(&server->lock);
}

void exchange_end_waits(struct server *server, uint64_t now_ns)
{
    pthread_mutex_lock(&server->lock);
    for (struct exchange **link = &server->waiting; *link;) {
        if ((*link)->request.wait_until_ns <= now_ns) {
            (*link)->request.wait_over = true;
            exchange_wake(link);
        } else {
            link = &(*link)->next;
        }
    }
    pthread_mutex_unlock(&server->lock);
}

/* ---- repeated requests -------------------------------------------------- */

/* Strangers may choose the same key: one's counts for his own address alone. */
static char *write_key(const struct request *request)
{
    if (request->user.id)
        return mem_dup_str(request->repeat_key);
    return mem_format("%" PRIx64 " %s", request->client, request->repeat_key);
}

/* Answers as the first time if this key was used before. 1: answered; 0: it is
 * new; -1. */
static int write_repeat(struct request *request, struct db *db,
                        const uint8_t hash[HASH_BYTES], struct err *err)
{
    struct repeat repeat = {0};
    auto_free char *key = write_key(request);
    int found = repeat_find(db, request->user.id, key, &repeat, err);

    if (found <= 0)
        return found;
    if (memcmp(repeat.request_hash, hash, HASH_BYTES) != 0) {
        reply_problem(&request->reply, MHD_HTTP_UNPROCESSABLE_CONTENT,
                      "key_reused",
                      "this Idempotency-Key was used for "
                      "another request; choose a new one");
    } else {
        request->reply.status = (unsigned)repeat.http_status;
        request->reply.content_type = "application/json";
        request->reply.location = repeat.location;
        repeat.location = NULL;
        buf_add_str(&request->reply.body, repeat.body);
    }
    repeat_release(&repeat);
    return 1;
}

/* What the answer was, less the secret that is shown once. */
static char *write_body_to_keep(const struct reply *reply)
{
    static const char *const secrets[] = {"token", "invitation", "secret"};
    json_t *document = json_loadb(reply->body.data, reply->body.size, 0, NULL);

    if (!document)
        return mem_dup(reply->body.data, reply->body.size);
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
        json_object_del(document, secrets[i]);
    char *text = json_dumps(document, JSON_COMPACT);
    json_decref(document);
    char *kept = mem_format("%s\n", text);
    free(text);
    return kept;
}

static int write_keep(struct request *request, struct db *db,
                      const uint8_t hash[HASH_BYTES], struct err *err)
{
    struct repeat repeat = {.http_status = (int)request->reply.status};

    memcpy(repeat.request_hash, hash, HASH_BYTES);
    repeat.location = request->reply.location;
    repeat.body = write_body_to_keep(&request->reply);
    auto_free char *key = write_key(request);
    int result =
        repeat_add(db, request->user.id, key, &repeat, clock_wall_ns(), err);
    free(repeat.body);
    return result;
}

static bool write_key_is_fine(struct request *request)
{
    size_t size = strlen(request->repeat_key);
    bool fine = size > 0 && size <= WRITE_KEY_MAX;

    for (const char *c = request->repeat_key; fine && *c; c++)
        fine = *c > ' ' && *c <= '~';
    if (!fine)
        reply_problem(&request->reply, MHD_HTTP_BAD_REQUEST, "bad_key",
                      "an Idempotency-Key has 1 to %d printable characters",
                      WRITE_KEY_MAX);
    return fine;
}

/* ---- in the writer ------------------------------------------------------ */

/* A refusal is an answer (status 400 and up), and rolls back like an error. */
static int write_result(const struct request *request, int result,
                        struct err *err)
{
    if (result >= 0 && request->reply.status >= 400) {
        err->kind = ERR_NONE;
        return -1;
    }
    return result;
}

static int write_run(struct db *db, void *arg, struct err *err)
{
    struct exchange *exchange = arg;
    struct request *request = &exchange->request;
    bool keyed = request->repeat_key && request->method == METHOD_POST;
    uint8_t hash[HASH_BYTES];

    /* A body may take its time, and a token or role end meanwhile. */
    if (!auth_again(request, db) || !route_allows(request))
        return write_result(request, HANDLED_REPLY, err);
    if (keyed) {
        if (!write_key_is_fine(request))
            return write_result(request, HANDLED_REPLY, err);
        request_hash(request, hash);
        int known = write_repeat(request, db, hash, err);
        if (known != 0)
            return known < 0 ? -1 : write_result(request, HANDLED_REPLY, err);
    }
    int result = request->route->write(request, db, err);
    if (keyed && result >= 0 && request->reply.status < 400 &&
        write_keep(request, db, hash, err) < 0)
        return -1;
    return write_result(request, result, err);
}

/* What a POST made or changed is in its Location, if it is a bot or match. */
static void write_tell(struct server *server, const struct request *request)
{
    const char *location = request->reply.location;
    long long id = 0;

    if (request->method != METHOD_POST)
        return;
    if (location && sscanf(location, "/v1/matches/%lld", &id) == 1)
        server_changed(server, "match", id);
    else if (location && sscanf(location, "/v1/bots/%lld", &id) == 1)
        server_changed(server, "bot", id);
}

static void write_done(void *arg, int result, const struct err *err)
{
    struct exchange *exchange = arg;
    struct server *server = exchange->server;
    struct request *request = &exchange->request;
    enum exchange_state next = EXCHANGE_ANSWER;

    if (result < 0 && err->kind != ERR_NONE)
        reply_err(&request->reply, err);
    if (result >= 0) {
        if (server->service->dispatch)
            dispatch_kick(server->service->dispatch);
        write_tell(server, request);
        if (result == HANDLED_WAIT)
            next = EXCHANGE_RUN;
    }
    pthread_mutex_lock(&server->lock);
    exchange_resume(exchange, next);
    pthread_mutex_unlock(&server->lock);
}

enum MHD_Result exchange_write(struct exchange *exchange)
{
    struct server *server = exchange->server;
    bool durable = exchange->request.method == METHOD_POST;
    struct err err;

    if (!disk_allows(&exchange->request))
        return exchange_answer(exchange);
    pthread_mutex_lock(&server->lock);
    exchange_suspend(exchange);
    pthread_mutex_unlock(&server->lock);
    if (writer_post(server->service->writer, durable, write_run, write_done,
                    exchange, &err) == 0)
        return MHD_YES;
    reply_err(&exchange->request.reply, &err);
    pthread_mutex_lock(&server->lock);
    exchange_resume(exchange, EXCHANGE_ANSWER);
    pthread_mutex_unlock(&server->lock);
    return MHD_YES;
}
