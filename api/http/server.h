/* server: the HTTP side of `bout serve`, over libmicrohttpd.
 *
 * Theory of operation. The library runs an epoll loop on each of a few threads
 * and calls us back (server.c). A request is an `exchange` (exchange.c) from
 * its first line until its answer is sent. Handlers never block: an exchange
 * that must wait for the writer, or for a bot or match to change (`?wait=`),
 * suspends its connection and is resumed by whoever has the news. One mutex
 * guards that step, so a resume can never overtake its suspend. A tick thread
 * closes connections that are too slow and ends waits whose time is over.
 *
 * Calling order: server_start; server_changed from any thread; server_stop
 * (answers what is open, then ends) while the writer still runs.
 */
#pragma once

#include "api/http/service.h"

/* Connections of one address, or requests under way of one client of a proxy,
 * unless the service says otherwise. */
#define SERVER_CONNECTIONS_A_CLIENT 256

struct server;

struct server_spec {
    struct service *service; /* borrowed until server_stop */
    int listen_fd;           /* of server_listen; taken over in any case */
    unsigned threads;        /* 0: one a core */
};

/* A socket that takes connections at "127.0.0.1" or "::1"; port 0 is any free
 * one, see server_port. -1: ERR_INPUT for what is no address, else ERR_SYSTEM.
 */
int server_listen(const char *address, uint16_t port, struct err *err);

struct server *server_start(const struct server_spec *spec, struct err *err);
void server_stop(struct server *server);

uint16_t server_port(const struct server *server);

/* Something about the bot or match with this id has been committed: requests
 * that wait for it are answered. */
void server_changed(struct server *server, const char *what, int64_t id);
