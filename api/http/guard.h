/* guard: what libmicrohttpd 0.9.75 lets through and we do not.
 *
 * guard_head looks at a request's framing before its body is read: two lengths,
 * a length beside chunks, other transfer codings, control characters, names
 * that are none ("Content-Length : 5"), more than 16 KiB of headers, an Expect
 * that is not 100-continue. What it refuses is answered with
 * `Connection: close`, so that nothing hidden behind it is taken for a request.
 *
 * What the library does to a head before anybody is asked, and we cannot:
 *
 *   | in the head                       | the library                         |
 *   |-----------------------------------|-------------------------------------|
 *   | a line that ends with LF or CR    | is a line; what follows a bare CR   |
 *   | alone                             | begins with LF, which is refused    |
 *   | a header that goes on in the next | is joined; a folded Content-Length  |
 *   | line (obs-fold)                   | counts                              |
 *   | NUL in method, target or value    | ends it there                       |
 *   | a header without a name           | is dropped                          |
 *   | NUL in a name, a line without     | 400                                 |
 *   | colon                             |                                     |
 *   | a space or tab more in the first  | the connection ends                 |
 *   | line                              |                                     |
 *   | a head over 32 KiB; target alone  | 431; 414                            |
 *   | no Host, no number as length      | 400, its status line sent twice     |
 *   | a bad chunk; HTTP/2.0             | 400 or 413; 505                     |
 *
 * Its own answers are HTML, not problem+json, and all close the connection. In
 * the first three no framing is hidden from us: lengths and codings are judged
 * as the library has read them. A proxy in front does not send such heads.
 *
 * The watch closes connections that send too slowly: the library's own timeout
 * starts anew on every byte, so one byte a second holds a connection for ever.
 * A head must be complete within 10 s of the connection's birth or of the last
 * answer plus the keep-alive time; a body must arrive at 16 KiB/s after that.
 * guard_tick is called about once a second. All functions are safe from any
 * thread; the watch has its own lock. Source: RFC 9112 6.1 to 6.3, probes of
 * 0.9.75 (slow loris, smuggling) that tests/unit/test_server.c repeats.
 */
#pragma once

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 0: fine; else the status to answer, with *why a sentence that lasts. */
unsigned guard_head(struct MHD_Connection *connection, const char **why);

/* The same on what was collected from the headers: for tests. */
struct guard_framing {
    unsigned length_count;   /* Content-Length headers */
    unsigned transfer_count; /* Transfer-Encoding headers */
    unsigned host_count;
    size_t header_bytes;
    bool chunked;    /* the one transfer coding is "chunked" */
    bool bad_length; /* not all digits, or over 2^53-1 */
    bool bad_bytes;  /* a control character in a value */
    bool bad_name;   /* of a header */
    bool bad_host;   /* a Host that is none */
    bool bad_expect;
    bool http11;
};
unsigned guard_judge(const struct guard_framing *framing, const char **why);

struct guard;       /* the watch over all connections of one server */
struct guard_watch; /* one connection of it */

struct guard *guard_new(void);
/* After the daemon has stopped: no connection may be left. */
void guard_free(struct guard *guard);

/* A connection is born, and ends (before its descriptor is closed). */
struct guard_watch *guard_open(struct guard *guard, int fd, uint64_t now_ns);
void guard_close(struct guard *guard, struct guard_watch *watch);

/* The head is complete, the body begins to arrive. */
void guard_head_done(struct guard *guard, struct guard_watch *watch,
                     uint64_t now_ns);
void guard_body_bytes(struct guard *guard, struct guard_watch *watch,
                      uint64_t bytes);
/* The request is complete: what follows is our time, not the client's. */
void guard_busy(struct guard *guard, struct guard_watch *watch);
/* The answer is sent or given up: the next head may take its time. */
void guard_idle(struct guard *guard, struct guard_watch *watch,
                uint64_t now_ns);

/* Shuts down what is too slow. Returns how many connections that were. */
unsigned guard_tick(struct guard *guard, uint64_t now_ns);
