/* events: what changes, told as it does, to whoever listens (server-sent
 * events).
 *
 * An event says that a bot or match has changed, and how it stands when the
 * event is sent. The last EVENTS_KEPT are kept in memory, numbered, so that a
 * client that was cut off goes on behind the last one that it saw. One that was
 * away for longer, or over a restart, is told `reset`: it has missed some.
 *
 * Safe from any thread. Source: HTML Living Standard, server-sent events.
 */
#pragma once

#include "api/http/stream.h"
#include "runner/base/err.h"

#include <stdint.h>

#define EVENTS_KEPT 4096

struct events;

struct events *events_open(const char *database);
/* No listener may be left. */
void events_close(struct events *events);

/* what: "bot" or "match" (static). */
void events_add(struct events *events, const char *what, int64_t id);

struct events_filter {
    int64_t match;     /* 0: with `bot` 0 too, all */
    int64_t bot;       /* of this version itself, not of its matches */
    uint64_t until_ns; /* CLOCK_MONOTONIC; 0: as long as the client stays */
};

/* last: the id of the last event that the client saw, or NULL. */
struct stream events_listen(struct events *events,
                            const struct events_filter *filter,
                            const char *last);

/* Once a second: ends streams whose time is over, keeps others alive. */
void events_tick(struct events *events, uint64_t now_ns);
