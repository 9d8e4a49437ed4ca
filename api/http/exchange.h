/* exchange: one request on its connection, from first line to sent answer; and
 * the server that all of them share. Internal to server.c, exchange.c, write.c
 * and answer.c. See server.h for the theory. */
#pragma once

#include "api/http/crowd.h"
#include "api/http/guard.h"
#include "api/http/rate.h"
#include "api/http/readers.h"
#include "api/http/request.h"
#include "api/http/server.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

struct server {
    struct service *service;
    struct MHD_Daemon *daemon;
    int listen_fd; /* the daemon's */
    struct readers *readers;
    struct guard *guard;
    struct crowd *peers;     /* connections by the address at their other end */
    struct crowd *clients;   /* exchanges by the client a proxy asks for */
    unsigned client_most;    /* of either */
    struct rate *rate;       /* requests */
    struct rate *post_rate;  /* POSTs */
    struct rate *token_rate; /* wrong tokens */
    atomic_size_t body_bytes; /* promised to bodies that are being read */

    pthread_mutex_t lock;     /* over all below */
    pthread_cond_t news;      /* `suspended`, `active` or `stopping` changed */
    struct exchange *waiting; /* suspended until their topic changes */
    uint64_t changes;         /* how often server_changed was called */
    unsigned suspended;       /* exchanges, waiting or writing */
    unsigned active;          /* exchanges */
    struct exchange *live;    /* those */
    bool stopping;
    pthread_t tick_thread;
};

/* The other end of a connection. */
struct peer {
    struct guard_watch *watch;
    struct address address;
    bool is_proxy;   /* a trusted one */
    bool is_counted; /* in server->peers */
};

enum exchange_state {
    EXCHANGE_NEW,    /* nothing but the target is known */
    EXCHANGE_BODY,   /* the body arrives and is kept */
    EXCHANGE_DRAIN,  /* the body arrives and is dropped: the answer is known */
    EXCHANGE_RUN,    /* the handler is to run */
    EXCHANGE_AWAY,   /* suspended: in the writer or waiting */
    EXCHANGE_ANSWER, /* the answer is known */
    EXCHANGE_SENT,
};

struct exchange {
    struct server *server;
    struct MHD_Connection *connection;
    const struct peer *peer;
    enum exchange_state state;
    struct request request;
    bool is_counted; /* in server->clients, as request.client */
    size_t body_reserved;
    uint64_t drained_bytes;
    uint64_t started_ns;
    uint64_t changes_seen; /* of server->changes, when the handler began */
    struct exchange *next; /* in server->waiting */
    struct exchange *live_next, *live_before;
};

struct exchange *exchange_new(struct server *server, const char *target,
                              struct MHD_Connection *connection);
void exchange_free(struct exchange *exchange);
/* The connection ends. The library says nothing of a request whose head was too
 * much for it, so what is still there of this connection goes now. */
void exchange_abandon(struct server *server,
                      const struct MHD_Connection *connection);

/* The head is here: guard, route, rights. */
enum MHD_Result exchange_head(struct exchange *exchange, const char *method);
/* Some of the body. MHD_NO gives the connection up. */
enum MHD_Result exchange_body(struct exchange *exchange, const char *bytes,
                              size_t size);
/* The request is whole, or was resumed. */
enum MHD_Result exchange_go_on(struct exchange *exchange);

/* Suspends and hands over to the writer. */
enum MHD_Result exchange_write(struct exchange *exchange);
/* Suspends until the topic changes. False: it has changed meanwhile, run the
 * handler again. */
bool exchange_wait(struct exchange *exchange);
/* Resumes a suspended exchange in that state. Holds server->lock. */
void exchange_resume(struct exchange *exchange, enum exchange_state state);

/* Sends request.reply. */
enum MHD_Result exchange_answer(struct exchange *exchange);

/* Ends waits that are over by now. */
void exchange_end_waits(struct server *server, uint64_t now_ns);
