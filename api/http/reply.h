/* reply: what a request is answered with, before any library sees it.
 *
 * A `struct reply` belongs to its request; it is empty (status 0) until one of
 * the functions below fills it. Problems are RFC 9457 documents with a `code`
 * that programs may rely on, and `errors` where several fields are at fault.
 * The functions return 0, so that answering is one line in a handler.
 */
#pragma once

#include "api/http/stream.h"
#include "runner/base/buf.h"
#include "runner/base/err.h"
#include "runner/base/hash.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* The greatest integer that every JSON reader keeps exactly: 2^53-1. */
#define REPLY_MAX_INTEGER INT64_C(9007199254740991)

/* Retry-After, in seconds, while the disk takes nothing. */
#define REPLY_DISK_S 60

enum reply_cache {
    REPLY_NO_STORE,          /* may change or tells a secret */
    REPLY_REVALIDATE,        /* may change; the ETag says whether it did */
    REPLY_IMMUTABLE,         /* never changes, anybody may keep it */
    REPLY_IMMUTABLE_PRIVATE, /* never changes, for this client alone */
};

struct reply {
    unsigned status;          /* 0: not answered yet */
    const char *content_type; /* static */
    struct buf body;
    struct stream stream;   /* instead of the body; owned */
    enum reply_cache cache; /* all but NO_STORE get an ETag over the body */
    char *location;
    char *link;
    char *allow;
    char *disposition;      /* Content-Disposition */
    unsigned retry_after_s; /* 0: none */
    bool close;             /* end the connection after it */
    bool authenticate;      /* say WWW-Authenticate */
    json_t *errors; /* of reply_invalid, until reply_problem takes them */
};

void reply_release(struct reply *reply);

/* Takes the reference. */
int reply_json(struct reply *reply, unsigned status, json_t *document);
/* Takes the buf's bytes. */
int reply_bytes(struct reply *reply, const char *content_type,
                struct buf *bytes);

int reply_problem(struct reply *reply, unsigned status, const char *code,
                  const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Notes that one field is wrong. `field` is its name or path in the body or
 * query ("bots/0"). Nothing is answered yet. */
void reply_invalid(struct reply *reply, const char *field, const char *format,
                   ...) __attribute__((format(printf, 3, 4)));
/* Answers with all that was noted: 422 where a well-formed body is wrong, 400
 * where the query is. */
int reply_invalid_body(struct reply *reply);
int reply_invalid_query(struct reply *reply);

/* The one place where an err becomes HTTP. What failed in the machine is logged
 * and told as such, without its inner message. */
int reply_err(struct reply *reply, const struct err *err);

/* A count for JSON: at most REPLY_MAX_INTEGER. */
json_t *reply_count(uint64_t count);
/* NULL becomes JSON's null. Text that is not UTF-8 is shown with U+FFFD. */
json_t *reply_string(const char *text);
/* Appends text with U+FFFD for each NUL and each byte that is not UTF-8. */
void reply_repair(struct buf *out, const char *text, size_t size);
/* RFC 3339 in UTC with milliseconds; 0 becomes null. */
json_t *reply_time(int64_t time_ns);

/* Whole seconds since then. */
json_t *reply_age(int64_t time_ns);

const char *reply_reason(unsigned status);
