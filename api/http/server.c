#include "api/http/server.h"

#include "api/http/exchange.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/log.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SERVER_SECOND_NS UINT64_C(1000000000)
#define SERVER_STOP_NS (5 * SERVER_SECOND_NS) /* for answers to go out */
#define SERVER_CONNECTIONS 1024
#define SERVER_IDLE_S 15
#define SERVER_HEAD_BYTES 32768
#define SERVER_CLIENTS 4096

/* ---- what the library calls --------------------------------------------- */

static void *server_on_target(void *user, const char *target,
                              struct MHD_Connection *connection)
{
    return exchange_new(user, target, connection);
}

/* The signature is the library's. NOLINTNEXTLINE(readability-function-size) */
static enum MHD_Result server_on_request(void *user,
                                         struct MHD_Connection *connection,
                                         const char *url, const char *method,
                                         const char *version, const char *bytes,
                                         size_t *size, void **slot)
{
    struct exchange *exchange = *slot;

    (void)user;
    (void)connection;
    (void)url;
    (void)version;
    if (exchange->state == EXCHANGE_NEW)
        return exchange_head(exchange, method);
    if (*size == 0)
        return exchange_go_on(exchange);
    enum MHD_Result result = exchange_body(exchange, bytes, *size);
    *size = 0;
    return result;
}

static void server_on_completed(void *user, struct MHD_Connection *connection,
                                void **slot,
                                enum MHD_RequestTerminationCode code)
{
    (void)user;
    (void)connection;
    (void)code;
    if (*slot)
        exchange_free(*slot);
    *slot = NULL;
}

/* One address does not get all connections; a proxy asks for many people, whose
 * requests are counted one by one (exchange.c). */
static enum MHD_Result server_admits(void *user, const struct sockaddr *socket,
                                     socklen_t size)
{
    struct server *server = user;
    struct address address;

    (void)size;
    address_of(&address, socket);
    return proxies_have(&server->service->proxies, &address) ||
                   crowd_count(server->peers, address_key(&address)) <
                       server->client_most
               ? MHD_YES
               : MHD_NO;
}

static struct peer *server_peer_new(struct server *server,
                                    struct MHD_Connection *connection)
{
    struct peer *peer = mem_calloc(1, sizeof *peer);
    const union MHD_ConnectionInfo *fd =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    peer->watch = guard_open(server->guard, fd->connect_fd, clock_mono_ns());
    const union MHD_ConnectionInfo *socket =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    address_of(&peer->address, socket->client_addr);
    peer->is_proxy = proxies_have(&server->service->proxies, &peer->address);
    /* Two threads may admit the last one at once: then there is one more. */
    peer->is_counted =
        !peer->is_proxy &&
        crowd_enter(server->peers, address_key(&peer->address), UINT_MAX);
    return peer;
}

static void server_peer_free(struct server *server, struct peer *peer)
{
    guard_close(server->guard, peer->watch);
    if (peer->is_counted)
        crowd_leave(server->peers, address_key(&peer->address));
    free(peer);
}

static void server_on_connection(void *user, struct MHD_Connection *connection,
                                 void **slot,
                                 enum MHD_ConnectionNotificationCode code)
{
    struct server *server = user;
    struct metrics *metrics = server->service->metrics;

    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        exchange_abandon(server, connection);
        server_peer_free(server, *slot);
        *slot = NULL;
        atomic_fetch_sub(&metrics->open_connections, 1);
        return;
    }
    *slot = server_peer_new(server, connection);
    atomic_fetch_add(&metrics->open_connections, 1);
}

/* We take the target apart ourselves (uri.h): nothing is decoded before. */
static size_t server_keep_escapes(void *user, struct MHD_Connection *connection,
                                  char *text)
{
    (void)user;
    (void)connection;
    return strlen(text);
}

static void __attribute__((format(printf, 2, 0)))
server_on_log(void *user, const char *format, va_list args)
{
    char line[512];

    (void)user;
    vsnprintf(line, sizeof line, format, args);
    line[strcspn(line, "\n")] = '\0';
    log_line(LOG_DEBUG, "http", "libmicrohttpd: %s", line);
}

/* ---- the tick thread ---------------------------------------------------- */

static struct timespec server_in_one_second(void)
{
    struct timespec when;

    clock_gettime(CLOCK_MONOTONIC, &when);
    when.tv_sec++;
    return when;
}

static void *server_tick(void *arg)
{
    struct server *server = arg;

    for (;;) {
        struct timespec when = server_in_one_second();
        pthread_mutex_lock(&server->lock);
        int waited = 0;
        while (!server->stopping && waited == 0)
            waited =
                pthread_cond_timedwait(&server->news, &server->lock, &when);
        bool stopping = server->stopping;
        pthread_mutex_unlock(&server->lock);
        if (stopping)
            return NULL;
        uint64_t now_ns = clock_mono_ns();
        exchange_end_waits(server, now_ns);
        selfprofile_tick(server->service->selfprofile, now_ns);
        events_tick(server->service->events, now_ns);
        atomic_fetch_add(&server->service->metrics->too_slow,
                         guard_tick(server->guard, now_ns));
    }
}

/* ---- start and stop ----------------------------------------------------- */

union server_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static int server_parse_address(const char *text, uint16_t port,
                                union server_address *address, struct err *err)
{
    *address = (union server_address){0};
    if (inet_pton(AF_INET, text, &address->v4.sin_addr) == 1) {
        address->v4.sin_family = AF_INET;
        address->v4.sin_port = htons(port);
        return 0;
    }
    if (inet_pton(AF_INET6, text, &address->v6.sin6_addr) == 1) {
        address->v6.sin6_family = AF_INET6;
        address->v6.sin6_port = htons(port);
        return 0;
    }
    return err_set(err, ERR_INPUT,
                   "%s: not an address; give 127.0.0.1:8080 or [::1]:8080",
                   text);
}

int server_listen(const char *text, uint16_t port, struct err *err)
{
    union server_address address;
    const int on = 1;

    if (server_parse_address(text, port, &address, err) < 0)
        return -1;
    bool v6 = address.any.sa_family == AF_INET6;
    auto_fd int fd = socket(address.any.sa_family,
                            SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 ||
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0 ||
        (v6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) < 0))
        return err_sys(err, errno, "%s port %u: socket", text, port);
    if (bind(fd, &address.any, v6 ? sizeof address.v6 : sizeof address.v4) <
            0 ||
        listen(fd, SOMAXCONN) < 0)
        return err_sys(err, errno, "%s port %u: listen", text, port);
    return take_fd(&fd);
}

static unsigned server_threads(const struct server_spec *spec)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    if (spec->threads)
        return spec->threads;
    return cores < 2 ? 2 : cores > 16 ? 16 : (unsigned)cores;
}

static int server_start_daemon(struct server *server,
                               const struct server_spec *spec, struct err *err)
{
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
                     MHD_USE_ERROR_LOG;

    errno = 0;
    struct MHD_OptionItem options[] = {
        {MHD_OPTION_LISTEN_SOCKET, spec->listen_fd, NULL},
        {MHD_OPTION_THREAD_POOL_SIZE, server_threads(spec), NULL},
        {MHD_OPTION_CONNECTION_LIMIT, SERVER_CONNECTIONS, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, SERVER_IDLE_S, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, SERVER_HEAD_BYTES, NULL},
        {MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)server_on_target, server},
        {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)server_keep_escapes, server},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)server_on_completed, server},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)server_on_connection, server},
        {MHD_OPTION_END, 0, NULL},
    };
    /* The logger must come first, before anything can be logged. */
    server->daemon =
        MHD_start_daemon(flags, 0, server_admits, server, server_on_request,
                         server, MHD_OPTION_EXTERNAL_LOGGER, server_on_log,
                         server, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
    if (!server->daemon) {
        int failed = errno ? errno : EINVAL;
        close(spec->listen_fd);
        return err_sys(err, failed, "start of the HTTP server");
    }
    server->listen_fd = spec->listen_fd;
    return 0;
}

static void server_free(struct server *server)
{
    readers_free(server->readers);
    events_close(server->service->events);
    server->service->events = NULL;
    guard_free(server->guard);
    crowd_free(server->peers);
    crowd_free(server->clients);
    rate_free(server->rate);
    rate_free(server->post_rate);
    rate_free(server->token_rate);
    pthread_cond_destroy(&server->news);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

static struct rate *server_rate(double per_second, double burst)
{
    return rate_new(&(struct rate_spec){
        .per_second = per_second, .burst = burst, .buckets = SERVER_CLIENTS});
}

static struct server *server_new(struct service *service)
{
    struct server *server = mem_calloc(1, sizeof *server);
    pthread_condattr_t monotonic;

    server->service = service;
    server->readers = readers_new(service->database);
    service->events = events_open(service->database);
    server->guard = guard_new();
    server->peers = crowd_new();
    server->clients = crowd_new();
    server->client_most = service->client_connections
                              ? service->client_connections
                              : SERVER_CONNECTIONS_A_CLIENT;
    server->rate = server_rate(service->rate_per_s, service->rate_per_s * 5);
    server->post_rate =
        server_rate(service->post_rate_per_s, service->post_rate_per_s * 20);
    server->token_rate = server_rate(1, 30);
    pthread_mutex_init(&server->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&server->news, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return server;
}

struct server *server_start(const struct server_spec *spec, struct err *err)
{
    struct server *server = server_new(spec->service);

    signal(SIGPIPE, SIG_IGN); /* a client that went away is an EPIPE */
    if (server_start_daemon(server, spec, err) < 0) {
        server_free(server);
        return NULL;
    }
    int failed =
        pthread_create(&server->tick_thread, NULL, server_tick, server);
    if (failed) {
        MHD_stop_daemon(server->daemon);
        server_free(server);
        err_sys(err, failed, "thread");
        return NULL;
    }
    return server;
}

uint16_t server_port(const struct server *server)
{
    union server_address address = {0};
    socklen_t size = sizeof address;

    if (getsockname(server->listen_fd, &address.any, &size) < 0)
        return 0;
    return ntohs(address.any.sa_family == AF_INET6 ? address.v6.sin6_port
                                                   : address.v4.sin_port);
}

/* Waits until nothing is suspended (the library aborts otherwise), and a while
 * for the answers that are under way. */
static void server_drain(struct server *server)
{
    uint64_t end_ns = clock_mono_ns() + SERVER_STOP_NS;

    pthread_mutex_lock(&server->lock);
    while (server->suspended > 0 ||
           (server->active > 0 && clock_mono_ns() < end_ns)) {
        struct timespec when = server_in_one_second();
        pthread_cond_timedwait(&server->news, &server->lock, &when);
    }
    pthread_mutex_unlock(&server->lock);
}

void server_stop(struct server *server)
{
    if (!server)
        return;
    MHD_socket listening = MHD_quiesce_daemon(server->daemon);

    pthread_mutex_lock(&server->lock);
    server->stopping = true;
    pthread_cond_broadcast(&server->news);
    pthread_mutex_unlock(&server->lock);
    pthread_join(server->tick_thread, NULL);
    exchange_end_waits(server, UINT64_MAX);
    selfprofile_tick(server->service->selfprofile, UINT64_MAX);
    events_tick(server->service->events, UINT64_MAX);
    server_drain(server);
    MHD_stop_daemon(server->daemon);
    if (listening != MHD_INVALID_SOCKET)
        close(listening);
    server_free(server);
}
