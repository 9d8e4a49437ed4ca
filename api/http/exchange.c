/* exchange: the states of one request. The library calls exchange_head once,
 * exchange_body for each piece, and exchange_go_on when all is here and again
 * after each resume. */
#include "api/http/exchange.h"

#include "api/http/auth.h"
#include "api/http/route.h"
#include "profiler/profile.h"
#include "runner/base/clock.h"
#include "runner/base/log.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* A refused body is read and dropped up to this size, so that the client sees
 * the answer and not a reset; beyond it the connection just ends. */
#define EXCHANGE_DRAIN_MAX ((size_t)64 << 20)
/* All bodies that are being received together. */
#define EXCHANGE_BODIES_MAX ((size_t)256 << 20)

struct exchange *exchange_new(struct server *server, const char *target,
                              struct MHD_Connection *connection)
{
    struct exchange *exchange = mem_calloc(1, sizeof *exchange);
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    exchange->server = server;
    exchange->connection = connection;
    exchange->peer = info->socket_context;
    exchange->started_ns = clock_mono_ns();
    exchange->request.service = server->service;
    exchange->request.target = mem_dup_str(target);
    pthread_mutex_lock(&server->lock);
    server->active++;
    exchange->live_next = server->live;
    if (server->live)
        server->live->live_before = exchange;
    server->live = exchange;
    pthread_mutex_unlock(&server->lock);
    return exchange;
}

static void exchange_unreserve(struct exchange *exchange)
{
    atomic_fetch_sub(&exchange->server->body_bytes, exchange->body_reserved);
    exchange->body_reserved = 0;
}

/* Holds server->lock. */
static void exchange_unlink(struct exchange *exchange)
{
    if (exchange->live_before)
        exchange->live_before->live_next = exchange->live_next;
    else
        exchange->server->live = exchange->live_next;
    if (exchange->live_next)
        exchange->live_next->live_before = exchange->live_before;
}

void exchange_abandon(struct server *server,
                      const struct MHD_Connection *connection)
{
    pthread_mutex_lock(&server->lock);
    struct exchange *at = server->live;
    while (at && at->connection != connection)
        at = at->live_next;
    pthread_mutex_unlock(&server->lock);
    if (at)
        exchange_free(at);
}

void exchange_free(struct exchange *exchange)
{
    struct server *server = exchange->server;

    exchange_unreserve(exchange);
    if (exchange->is_counted)
        crowd_leave(server->clients, exchange->request.client);
    guard_idle(server->guard, exchange->peer->watch, clock_mono_ns());
    request_release(&exchange->request);
    pthread_mutex_lock(&server->lock);
    exchange_unlink(exchange);
    free(exchange);
    server->active--;
    pthread_cond_broadcast(&server->news);
    pthread_mutex_unlock(&server->lock);
}

/* ---- the head ----------------------------------------------------------- */

static const char *exchange_header(struct exchange *exchange, const char *name)
{
    return MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND,
                                       name);
}

static char *exchange_copy_header(struct exchange *exchange, const char *name)
{
    const char *value = exchange_header(exchange, name);

    return value ? mem_dup_str(value) : NULL;
}

/* All values of one header, as if they stood in one line. */
struct joined {
    const char *name;
    struct buf text;
};

static enum MHD_Result exchange_join(void *user, enum MHD_ValueKind kind,
                                     const char *name, const char *value)
{
    struct joined *joined = user;

    (void)kind;
    if (strcasecmp(name, joined->name) != 0)
        return MHD_YES;
    if (joined->text.size)
        buf_add_str(&joined->text, ", ");
    buf_add_str(&joined->text, value ? value : "");
    return MHD_YES;
}

/* Whom the proxy asks for. False: answered. */
static bool exchange_read_proxy(struct exchange *exchange)
{
    struct request *request = &exchange->request;
    struct joined list = {.name = "X-Forwarded-For"};
    struct joined forwarded = {.name = "Forwarded"};
    struct address client;
    struct err err;

    MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND,
                              exchange_join, &list);
    MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND,
                              exchange_join, &forwarded);
    int found =
        address_forwarded(&exchange->server->service->proxies, list.text.data,
                          forwarded.text.data, &client, &err);
    if (list.text.data || forwarded.text.data)
        request->loopback = false;
    buf_release(&list.text);
    buf_release(&forwarded.text);
    if (found < 0)
        reply_err(&request->reply, &err);
    if (found > 0)
        request->client = address_key(&client);
    if (found <= 0)
        return found == 0;
    exchange->is_counted =
        crowd_enter(exchange->server->clients, request->client,
                    exchange->server->client_most);
    if (exchange->is_counted)
        return true;
    request->reply.retry_after_s = 1;
    reply_problem(&request->reply, MHD_HTTP_TOO_MANY_REQUESTS, "too_many",
                  "%u of your requests are open already; let some end first",
                  exchange->server->client_most);
    return false;
}

static bool exchange_read_client(struct exchange *exchange)
{
    const struct peer *peer = exchange->peer;

    exchange->request.client = address_key(&peer->address);
    exchange->request.loopback = address_is_loopback(&peer->address);
    return !peer->is_proxy || exchange_read_proxy(exchange);
}

static bool exchange_take_token(struct exchange *exchange, struct rate *rate)
{
    struct request *request = &exchange->request;
    uint64_t key = request->user.id
                       ? (uint64_t)request->user.id | UINT64_C(1) << 63
                       : request->client;
    uint64_t wait_ns = rate_take(rate, key, clock_mono_ns());

    if (wait_ns == 0)
        return true;
    request->reply.retry_after_s =
        (unsigned)((wait_ns + 999999999) / 1000000000);
    reply_problem(&request->reply, MHD_HTTP_TOO_MANY_REQUESTS, "too_many",
                  "too many requests; try again in %u s",
                  request->reply.retry_after_s);
    return false;
}

/* Who asks? Wrong tokens are rationed for each address, so that nobody can
 * try many. */
static bool exchange_identify(struct exchange *exchange)
{
    struct request *request = &exchange->request;
    const char *header = exchange_header(exchange, "Authorization");
    struct err err;

    if (!header)
        return true;
    struct db *db = readers_take(exchange->server->readers, &err);
    if (!db) {
        reply_err(&request->reply, &err);
        return false;
    }
    bool known = auth_identify(request, header, db);
    readers_put(exchange->server->readers, db);
    if (!known && request->reply.status == MHD_HTTP_UNAUTHORIZED)
        exchange_take_token(exchange, exchange->server->token_rate);
    return known;
}

static bool exchange_rate_is_kept(struct exchange *exchange)
{
    struct server *server = exchange->server;

    if (request_is_admin(&exchange->request))
        return true;
    if (!exchange_take_token(exchange, server->rate))
        return false;
    return exchange->request.method != METHOD_POST ||
           exchange_take_token(exchange, server->post_rate);
}

/* Is this body small enough, and is there room for it now? */
static bool exchange_reserve(struct exchange *exchange, size_t announced)
{
    struct request *request = &exchange->request;
    size_t cap = route_body_cap(request->route);

    if (announced > cap) {
        reply_problem(&request->reply, MHD_HTTP_CONTENT_TOO_LARGE, "too_big",
                      "the body has %zu bytes; at most %zu are taken here",
                      announced, cap);
        return false;
    }
    if (atomic_fetch_add(&exchange->server->body_bytes, announced) + announced >
        EXCHANGE_BODIES_MAX) {
        atomic_fetch_sub(&exchange->server->body_bytes, announced);
        request->reply.retry_after_s = 2;
        reply_problem(&request->reply, MHD_HTTP_SERVICE_UNAVAILABLE, "busy",
                      "too many uploads at once; try again in a moment");
        return false;
    }
    exchange->body_reserved = announced;
    return true;
}

/* The bytes that the head announces; of a chunked body the most. */
static size_t exchange_announced(struct exchange *exchange)
{
    const char *length = exchange_header(exchange, "Content-Length");
    int64_t bytes = 0;

    if (length && uri_parse_count(length, &bytes))
        return (size_t)bytes;
    if (exchange_header(exchange, "Transfer-Encoding"))
        return exchange->request.route ? route_body_cap(exchange->request.route)
                                       : 1;
    return 0;
}

/* Everything that can be said before the body. False: it is answered. */
static bool exchange_judge_head(struct exchange *exchange, const char *method)
{
    struct request *request = &exchange->request;
    struct err err;

    request->method = route_method(method);
    if (!exchange_read_client(exchange))
        return false;
    if (strlen(request->target) > URI_MAX_BYTES) {
        reply_problem(&request->reply, MHD_HTTP_URI_TOO_LONG, "too_big",
                      "the request target is longer than %d bytes",
                      URI_MAX_BYTES);
        return false;
    }
    if (uri_parse(&request->uri, request->target, &err) < 0) {
        reply_err(&request->reply, &err);
        return false;
    }
    if (!route_find(request)) {
        exchange_take_token(exchange, exchange->server->rate);
        return false;
    }
    request->content_type = exchange_copy_header(exchange, "Content-Type");
    request->repeat_key = exchange_copy_header(exchange, "Idempotency-Key");
    request->if_none_match = exchange_copy_header(exchange, "If-None-Match");
    request->accept = exchange_copy_header(exchange, "Accept");
    request->last_event_id = exchange_copy_header(exchange, "Last-Event-ID");
    if (!exchange_identify(exchange) || !exchange_rate_is_kept(exchange) ||
        !route_allows(request) || !route_knows_query(request) ||
        (request->method == METHOD_POST && !disk_allows(request)))
        return false;
    if (request_read_wait(request, clock_mono_ns(), &err) < 0) {
        reply_err(&request->reply, &err);
        return false;
    }
    return exchange_reserve(exchange, exchange_announced(exchange));
}

enum MHD_Result exchange_head(struct exchange *exchange, const char *method)
{
    struct reply *reply = &exchange->request.reply;
    const char *why;
    unsigned refused = guard_head(exchange->connection, &why);

    guard_head_done(exchange->server->guard, exchange->peer->watch,
                    clock_mono_ns());
    if (refused) {
        reply->close = true;
        reply_problem(reply, refused, "bad_framing", "%s", why);
        return exchange_answer(exchange);
    }
    exchange->state = EXCHANGE_BODY;
    if (exchange_judge_head(exchange, method))
        return MHD_YES;

    /* Refused. A client that waits for 100 Continue, or sends too much, is
     * answered now; the library then closes the connection. */
    size_t announced = exchange_announced(exchange);
    if (announced > 0 && (announced > EXCHANGE_DRAIN_MAX ||
                          exchange_header(exchange, "Expect"))) {
        reply->close = true;
        return exchange_answer(exchange);
    }
    exchange->state = EXCHANGE_DRAIN;
    return MHD_YES;
}

/* ---- the body ----------------------------------------------------------- */

enum MHD_Result exchange_body(struct exchange *exchange, const char *bytes,
                              size_t size)
{
    struct request *request = &exchange->request;

    guard_body_bytes(exchange->server->guard, exchange->peer->watch, size);
    if (exchange->state == EXCHANGE_BODY &&
        request->body.size + size > route_body_cap(request->route)) {
        reply_problem(&request->reply, MHD_HTTP_CONTENT_TOO_LARGE, "too_big",
                      "the body has more than the %zu bytes that are taken "
                      "here",
                      route_body_cap(request->route));
        buf_release(&request->body);
        exchange->state = EXCHANGE_DRAIN;
    }
    if (exchange->state == EXCHANGE_BODY) {
        buf_add(&request->body, bytes, size);
        return MHD_YES;
    }
    exchange->drained_bytes += size;
    return exchange->drained_bytes > EXCHANGE_DRAIN_MAX ? MHD_NO : MHD_YES;
}

/* ---- the handler -------------------------------------------------------- */

/* Runs the reading handler. Returns enum handled. */
static int exchange_handle(struct exchange *exchange)
{
    struct server *server = exchange->server;
    struct request *request = &exchange->request;
    int result = HANDLED_REPLY;
    struct err err;

    reply_release(&request->reply); /* of a run before a wait */
    pthread_mutex_lock(&server->lock);
    exchange->changes_seen = server->changes;
    pthread_mutex_unlock(&server->lock);

    struct db *db = readers_take(server->readers, &err);
    if (db)
        result = request->route->handle(request, db, &err);
    readers_put(server->readers, db);
    if (!db || result < 0) {
        reply_err(&request->reply, &err);
        return HANDLED_REPLY;
    }
    return result;
}

static enum MHD_Result exchange_run_route(struct exchange *exchange)
{
    for (;;) {
        int result = exchange->request.route->handle ? exchange_handle(exchange)
                                                     : HANDLED_WRITE;
        if (result == HANDLED_WRITE)
            return exchange_write(exchange);
        if (result == HANDLED_REPLY)
            return exchange_answer(exchange);
        if (exchange_wait(exchange))
            return MHD_YES;
    }
}

static enum MHD_Result exchange_run(struct exchange *exchange)
{
    profile_begin_block("request");
    profile_begin_block(exchange->request.route->path);
    enum MHD_Result result = exchange_run_route(exchange);
    profile_end_block();
    profile_end_block();
    return result;
}

enum MHD_Result exchange_go_on(struct exchange *exchange)
{
    guard_busy(exchange->server->guard, exchange->peer->watch);
    switch (exchange->state) {
    case EXCHANGE_DRAIN:
    case EXCHANGE_ANSWER:
        return exchange_answer(exchange);
    case EXCHANGE_BODY:
        if (!request_parse_body(&exchange->request))
            return exchange_answer(exchange);
        return exchange_run(exchange);
    case EXCHANGE_RUN:
        return exchange_run(exchange);
    case EXCHANGE_NEW:
    case EXCHANGE_AWAY:
    case EXCHANGE_SENT:
        break;
    }
    log_line(LOG_ALARM, "http", "%s: called in state %d",
             exchange->request.target, (int)exchange->state);
    return MHD_NO;
}
