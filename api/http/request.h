/* request: one HTTP request as handlers see it, without the library below.
 *
 * A handler reads the request and fills `reply`. It runs either on a thread of
 * the HTTP pool with a reading connection, where it must not block nor take
 * over a millisecond, or on the writer's thread inside a transaction.
 * It returns HANDLED_REPLY after answering (a refusal is an answer, and rolls
 * a write back), HANDLED_WAIT to run again when `topic` changes or `?wait=` is
 * over, HANDLED_WRITE to go on in the route's write function, or -1 with *err.
 */
#pragma once

#include "api/http/multipart.h"
#include "api/http/reply.h"
#include "api/http/service.h"
#include "api/http/uri.h"
#include "db/tokens.h"
#include "db/users.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum handled { HANDLED_REPLY, HANDLED_WAIT, HANDLED_WRITE };

enum method {
    METHOD_UNKNOWN,
    METHOD_GET,
    METHOD_HEAD,
    METHOD_POST,
    METHOD_OPTIONS,
    METHOD_OTHER, /* known to HTTP, of no use here: PUT, DELETE, ... */
};

struct route;

struct request {
    struct service *service;
    const struct route *route;
    enum method method;
    char *target; /* as sent */
    struct uri uri;
    int64_t id;       /* {id} of the route, else 0 */
    const char *name; /* {name} of the route, in `uri`, else NULL */

    struct user user; /* id 0: nobody */
    bool has_token;
    uint8_t token_hash[HASH_BYTES]; /* of that token */
    uint64_t client;                /* a number for the client's address */
    bool loopback;                  /* the client is on this machine */
    char *repeat_key;               /* Idempotency-Key, or NULL */
    char *if_none_match;
    char *accept;        /* Accept, or NULL */
    char *last_event_id; /* Last-Event-ID, or NULL */

    char *content_type;
    struct buf body;
    json_t *json;          /* of a JSON route: an object */
    struct multipart form; /* of a multipart route; points into body */

    struct reply reply;

    uint64_t wait_until_ns; /* CLOCK_MONOTONIC; 0: the client does not wait */
    bool wrote;             /* the write function has run */
    bool wait_over;         /* answer with what there is */
    int64_t topic;          /* HANDLED_WAIT: the bot's or match's id */
};

void request_release(struct request *request);

/* Roles count only with a token that has the scope "staff". */
bool request_is_admin(const struct request *request);
bool request_is_judge(const struct request *request); /* or admin */

/* May it change what belongs to that user: the user, or an admin? */
bool request_owns(const struct request *request, int64_t owner_id);
/* May it see what only that user sees: the user, by a token with the scope
 * "read", or an observer, judge or admin? */
bool request_sees(const struct request *request, int64_t owner_id);
/* request_owns, or answers 403 with "only ... may WHAT" and returns false. */
bool request_must_own(struct request *request, int64_t owner_id,
                      const char *what);
bool request_must_see(struct request *request, int64_t owner_id,
                      const char *what);

/* Answers 403: the token is not for this. HANDLED_REPLY. */
int request_lacks_scope(struct request *request, unsigned scope);

/* Reads `?wait=` into wait_until_ns, once. */
int request_read_wait(struct request *request, uint64_t now_ns,
                      struct err *err);
/* What to return while `topic` is not decided: HANDLED_WAIT while the client
 * still waits, else HANDLED_REPLY (the caller has filled the reply). */
int request_wait(struct request *request, int64_t topic);

/* The body of a JSON or multipart route, once it is whole. Answers and returns
 * false where it is wrong. */
bool request_parse_body(struct request *request);

/* SHA-256 over what a repeated request must have in common with the first:
 * method, target and body (parts of a form, whatever their boundary). */
void request_hash(const struct request *request, uint8_t hash[HASH_BYTES]);
