/* guard: what libmicrohttpd 0.9.75 lets through and we do not.
 *
 * guard_head looks at a request's framing before its body is read: two lengths,
 * a length beside chunks, other transfer codings, control characters, an
 * Expect that is not 100-continue. What it refuses is answered with
 * `Connection: close`, so that nothing hidden behind it is taken for a request.
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
    bool chunked;    /* the one transfer coding is "chunked" */
    bool bad_length; /* not all digits, or over 2^53-1 */
    bool bad_bytes;  /* a control character in a name or value */
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
