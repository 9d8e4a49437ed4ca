/* route: the static table of what the service answers, and who may ask.
 *
 * The table is routes.def; /openapi.json is made from the same lines. Every
 * path answers OPTIONS, every GET answers HEAD.
 */
#pragma once

#include "api/http/request.h"

#include <stddef.h>

enum route_right {
    RIGHT_ALL,      /* needs no token; a wrong one is still refused */
    RIGHT_USER,     /* a token */
    RIGHT_OWNER,    /* a token; the handler asks whether it is the owner's */
    RIGHT_REGISTER, /* an admin, or anybody where registration is not closed */
    RIGHT_JUDGE,    /* a judge's or admin's token */
    RIGHT_ADMIN,    /* an admin's token */
    RIGHT_METRICS,  /* a client on this machine, or a token */
};

enum route_body { ROUTE_NO_BODY, ROUTE_JSON, ROUTE_MULTIPART };

/* What it needs of the disk (disk.h). */
enum route_room {
    ROOM_NONE, /* stores nothing, or frees more than it stores */
    ROOM_SOME,
    ROOM_MUCH,
};

typedef int (*route_fn)(struct request *request, struct db *db,
                        struct err *err);

struct route {
    enum method method; /* METHOD_GET or METHOD_POST */
    const char *path;   /* "/v1/bots/{id}" */
    enum route_right right;
    enum scope scope; /* that a token needs, where one is given */
    enum route_body body;
    bool body_optional;
    route_fn handle; /* on an HTTP thread, reads; or NULL */
    route_fn write;  /* on the writer's thread; or NULL */
    enum route_room room;
    const char *query;       /* names of parameters, "limit cursor" */
    const char *answers;     /* statuses of success, "200" or "200 202" */
    const char *schema;      /* of the answer: a name in openapi.def, and media
                                types where it may be no JSON */
    const char *text;        /* one sentence */
    const char *handle_name; /* the functions' names, "NULL" where none is */
    const char *write_name;
};

extern const struct route routes[];
extern const size_t route_count;

enum method route_method(const char *text);

/* Finds the route of request->uri and request->method and fills route, id and
 * name. Answers 404, 405 (with Allow), 501 or OPTIONS itself and returns false
 * then. */
bool route_find(struct request *request);

/* Has the request this right? Answers 401 or 403 itself otherwise. */
bool route_allows(struct request *request);

/* Does the route know every parameter of the query? Answers 400 with those that
 * it does not know otherwise: a misspelt one would pass unseen. Below /v1 only,
 * since pages are linked to with marks of others. */
bool route_knows_query(struct request *request);

/* The most bytes that a body may have. */
size_t route_body_cap(const struct route *route);
