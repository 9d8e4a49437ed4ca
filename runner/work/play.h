/* play: a worker: takes work, does it, hands it back, until the server is gone.
 *
 * One single-threaded process a core. Its zygote is forked first, while the
 * process is small; worker, zygote and boxes share the core and never run at
 * the same time. It dies with its server, and everything below dies with it.
 */
#pragma once

#include "runner/base/err.h"

#include <stdbool.h>

struct play_spec {
    int lease_fd; /* to the server; taken over */
    int cpu;      /* -1: not pinned */
    bool profile; /* itself, for the server */
};

/* 0 when the server has closed; -1 when the worker cannot go on. */
int play_run(const struct play_spec *spec, struct err *err);
