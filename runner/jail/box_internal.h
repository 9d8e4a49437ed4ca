/* box_internal: what box.c, turn.c and fault.c share. */
#pragma once

#include "instrument/bot/page.h"
#include "runner/jail/box.h"

#include <signal.h>

/* Limits of the wait for one answer. */
struct box_net {
    uint64_t cpu_ns;
    uint64_t wall_ns;
};

enum box_wait {
    BOX_ANSWERED,
    BOX_DIED,    /* by itself or killed; not reaped yet */
    BOX_NET,     /* over cpu_ns */
    BOX_STARVED, /* over wall_ns */
};

/* Of one turn: the caller sets start_ns, box_await the rest. */
struct box_time {
    uint64_t start_ns;
    uint64_t wall_ns;
    uint64_t cpu_ns;
    bool cpu_known;
};

/* Waits until the process has answered box->turn. */
enum box_wait box_await(struct box *box, const struct box_net *net,
                        struct box_time *time);

/* Says why a process left before its runtime handed over. Returns -1. */
int box_start_failed(const struct box *box, const siginfo_t *status,
                     struct err *err);

/* Kills (if it still runs) and reaps. *status is waitid's; code CLD_KILLED and
 * signal 0 when somebody else has reaped it. */
void box_reap(struct box *box, siginfo_t *status);

/* More remains than was granted: only a bot that reaches hidden memory, which
 * the toolchain does not build, could do that. */
bool box_count_is_forged(const struct box *box);

/* Says in `turn` (end, code, detail, counted, fault_ip) how a dead process that
 * was READY ended: from its runtime's note, else from the kernel's status. -1
 * when two ways of counting disagree. */
int fault_explain(const struct box *box, const siginfo_t *status,
                  struct turn *turn, struct err *err);
