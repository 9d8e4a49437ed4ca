/* lease: how a worker gets work and hands it back.
 *
 * Calling order: lease_open once; then lease_take, what the work needs
 * (lease_build, lease_extend while it takes long), and one of lease_finish and
 * lease_give_up; then lease_take again. One thread. The work's fence goes with
 * every call, so a worker that was thought dead cannot spoil anything: its
 * result is dropped.
 *
 * Here over a socketpair to the server (lease_socket.c), whose end means that
 * the server is gone.
 */
#pragma once

#include "runner/build/build.h"
#include "runner/match/match.h"
#include "runner/work/parcel.h"

struct lease;

/* Takes the descriptor over. */
struct lease *lease_open(int fd);
void lease_close(struct lease *lease);

/* Without what is at the other end of this descriptor no work can be done: once
 * it has hung up, lease_take fails, work that waits is nobody's yet. -1: no
 * such thing. Borrowed until lease_close. */
void lease_watch(struct lease *lease, int fd);

/* What to do. `parcel` holds what the kind needs:
 *   build    bot, game; files
 *   match    match, game, seed, limits, profile, bots [ids]; starved [turn,
 *            slot] where another worker gave up there
 *   verify   match, game, bots [ids], fingerprint; log (blob 0)
 *   profile  match, bot, slot, last, fingerprint; log (blob 0) */
struct work {
    int64_t job_id;
    int64_t fence;
    const char *kind; /* inside parcel.head: a word of db/jobs.h */
    struct parcel parcel;
};

void work_release(struct work *work);

/* Waits for work. 1; 0: the server is gone; -1. */
int lease_take(struct lease *lease, struct work *work, struct err *err);

/* Still at it. `phase` is NULL or "checking". 1: held; 0: lost, -1. */
int lease_extend(struct lease *lease, const struct work *work,
                 const char *phase, struct err *err);

/* The build of a bot, the one of that toolchain (NULL: the current one); the
 * caller's. NULL on failure. */
struct build *lease_build(struct lease *lease, int64_t bot_id,
                          const char *fingerprint, struct err *err);

/* Sends `result` (its head gets ids and fence added). 1: stored; 0: the lease
 * was lost and the result dropped; -1: the server is gone or refused it. */
int lease_finish(struct lease *lease, const struct work *work,
                 struct parcel *result, struct err *err);

/* Could not be done, by a failure of ours: somebody tries again. `starved` says
 * at which turn the host was starved (turn UINT32_MAX: that was not it): if it
 * is on another worker too, the bot is to blame. */
int lease_give_up(struct lease *lease, const struct work *work,
                  const struct match_place *starved, const char *reason,
                  struct err *err);
