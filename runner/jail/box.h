/* box: one jailed process (a bot or a referee), from spawn to reaping.
 *
 * Calling order: zygote_start once, early, in a small single-threaded process;
 * then for each match and program box_spawn, turns by box_turn, box_end once.
 * box_end is safe at any state. The caller owns `struct box`; it holds a pid, a
 * pidfd and two mappings until box_end.
 *
 * What the jailed program does (crash, overrun, nonsense) is in `struct turn`;
 * -1 means that the jail itself failed, whoever was inside. One worker thread
 * uses a zygote and its boxes; worker and children share one core.
 * Source: design.md 4, README "The jail", instrument/bot/page.h, seccomp(2),
 * pidfd_open(2), futex(2).
 */
#pragma once

#include "runner/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct zygote; /* opaque: a child that holds the empty namespaces and root */

/* The levels of `bout doctor`, from the strongest: what the kernel grants. */
enum jail_level {
    JAIL_LIMITS = 1,     /* filter, rlimits, no_new_privs */
    JAIL_NAMESPACES = 2, /* + empty net, mount, ipc, uts, pid namespaces */
    JAIL_USER = 3,       /* + a uid of its own */
    JAIL_SLOT = 4,       /* + a control group of its own */
};

/* Forks the zygote. With `cpu` >= 0 the calling thread and the zygote, and so
 * every box, are pinned to it: a turn across cores costs many times more. The
 * zygote and its boxes die with the calling thread. NULL on failure.
 * zygote_stop ends the zygote; boxes are ended by box_end. */
struct zygote *zygote_start(int cpu, struct err *err);
void zygote_stop(struct zygote *zygote);
static inline void zygote_cleanup(struct zygote **zygote)
{
    zygote_stop(*zygote);
}
#define auto_zygote __attribute__((cleanup(zygote_cleanup)))
enum jail_level zygote_level(const struct zygote *zygote);
/* Hangs up (poll(2)) when the zygote has ended, whoever ended it. Borrowed. */
int zygote_socket(const struct zygote *zygote);

struct box_spec {
    const char *name;        /* for messages: "slot 1" */
    int elf_fd;              /* sealed memfd of the executable, borrowed */
    uint64_t counters_count; /* of the executable's layout */
    uint64_t data_bytes;
    uint64_t memory_bytes; /* data + heap + linear stack */
    uint64_t stack_bytes;
    uint64_t view_bytes;
    uint64_t reply_bytes;
    uint64_t log_bytes;
    uint64_t profile_bytes; /* for a turn's events (page.h); 0: none are kept */
    /* Processor time of the whole life, enforced by the kernel: a net below the
     * net of each turn, for when this process is stopped or stuck. 0: none. */
    uint64_t cpu_s;
    uint8_t seed[32]; /* key of the slot's stream */
};

struct box {
    char name[32];
    struct zygote *zygote;
    uint32_t start; /* its number: zygote_pid */
    bool started;   /* pid and pid_fd are known */
    pid_t pid;
    int pid_fd;
    struct page_io *io;         /* hostile: read each word once */
    struct page_hidden *hidden; /* the runner's mapping of the hidden part */
    char *events;               /* NULL without profile_bytes */
    uint64_t io_bytes;
    uint64_t hidden_bytes;
    uint64_t events_bytes;
    uint64_t counters_count;
    uint64_t view_cap, reply_cap, log_cap;
    uint32_t turn; /* that runs or ran last; PAGE_TURN_NONE before turn 0 */
    bool ended;    /* the process is dead and reaped */
    uint64_t spent;
    uint64_t memory_peak;
    uint64_t cpu_last_ns; /* the process's time when it was read last */
    int slot;             /* slot.h */
    char *copy;           /* reply and log of the last turn */
    size_t copy_bytes;
};

/* How a turn ended. */
enum turn_end {
    TURN_ASKED,     /* it waits for more input: alive */
    TURN_EXITED,    /* code: exit code */
    TURN_BUDGET,    /* over this turn's budget */
    TURN_STACK,     /* */
    TURN_MEMORY,    /* */
    TURN_OUTPUT,    /* more than reply_bytes */
    TURN_CRASH,     /* code: number in verdict.def's CRASH list */
    TURN_FORBIDDEN, /* detail: the system call's name, or "turn protocol" */
    TURN_NET,       /* over cpu_ns */
    TURN_STARVED,   /* over wall_ns with less than cpu_ns used: nobody's fault,
                       play the match again later */
    TURN_KILLED,    /* from outside: by a hand, or by the kernel for want of the
                       host's memory; the same */
};

struct turn_spec {
    const void *view; /* ignored for turn 0 */
    size_t view_size; /* at most view_bytes: the caller checks */
    bool last;        /* nothing follows: reading past it gives end of input */
    uint64_t budget;  /* instructions, at most 2^53-1 */
    uint64_t cpu_ns;  /* the net; 0 means contract section 3's default */
};

struct turn {
    enum turn_end end;
    int32_t code;
    char detail[120];      /* "" or what contract section 4 shows */
    bool counted;          /* false: a fault, the count means nothing (null) */
    uint64_t instructions; /* of this turn */
    uint64_t memory_bytes; /* highest so far */
    uint64_t wall_ns;
    uint64_t cpu_ns; /* 0 with cpu_known false: too short to be worth it */
    bool cpu_known;
    uint64_t fault_ip; /* 0, or where in the executable it ended */
    const char *reply; /* private copy, valid until the next box_turn/box_end */
    size_t reply_size;
    const char *log;
    size_t log_size;
    uint64_t log_lost; /* bytes that did not fit */
};

/* Has the program started. It is on its way when this returns, and waits for
 * turn 0 before its first instruction. An executable that cannot be started is
 * an error of ours, and known at turn 0. *box is written on success only. */
int box_spawn(struct zygote *zygote, const struct box_spec *spec,
              struct box *box, struct err *err);

/* Turn 0 (start-up) on the first call, then turns 1, 2, ... Returns when the
 * turn has ended. -1 where the program never came so far as to have a first
 * instruction: the jail failed, not the bot. After any end but TURN_ASKED the
 * process is dead. */
int box_turn(struct box *box, const struct turn_spec *spec, struct turn *turn,
             struct err *err);

/* Waits until the process exists: box->pid is set. -1 when it could not be
 * started. box_turn does that by itself. */
int box_await_start(struct box *box, struct err *err);

/* The counters of all turns so far (counters_count words), then the charges of
 * read, write and page in struct page_hidden; valid until box_end. Between
 * turns only. */
const uint64_t *box_counters(const struct box *box);

/* What the bot said of itself in the last turn: struct page_event, one after
 * the other; `lost` is how much found no room. Valid until the next turn. */
const char *box_events(const struct box *box, size_t *size, uint64_t *lost);

/* Kills what still runs, reaps it, unmaps. Nothing more is run or counted. */
void box_end(struct box *box);
