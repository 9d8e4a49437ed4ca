/* selfprofile: the service's own profile, as a stream to whoever listens.
 *
 * selfprofile_open starts the process's profiler (profiler/profile.h); workers
 * add the streams of theirs. Each listener gets all that is written from when
 * it came until its time is over: a head, then whole trees, each process's
 * behind a head of its own. What a listener does not read in time is left out,
 * whole writes at a time.
 *
 * The lock is taken before server->lock where both are. Open and close once a
 * process; all else from any thread.
 */
#pragma once

#include "api/http/stream.h"
#include "runner/base/buf.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct selfprofile; /* opaque */

struct selfprofile *selfprofile_open(void);
/* No listener may be left. */
void selfprofile_close(struct selfprofile *profile);

/* A worker's: whole trees. */
void selfprofile_add(struct selfprofile *profile, const void *bytes,
                     size_t size);

/* What is written from now on. */
struct stream selfprofile_listen(struct selfprofile *profile,
                                 uint64_t until_ns);

/* Ends the listeners whose time is over. */
void selfprofile_tick(struct selfprofile *profile, uint64_t now_ns);
