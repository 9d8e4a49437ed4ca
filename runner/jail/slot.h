/* slot: a control group (version 2) for each box that runs at a time: the
 * kernel's own bound of its memory and processes, behind the address space, the
 * limits and the filter.
 *
 * A zygote's slots are made as boxes need them, used again by the next ones and
 * removed with the zygote; each is locked (flock) while its owner lives, so
 * that the next worker knows what a dead one has left. A slot's bounds lie
 * above all that a box may reach (RLIMIT_AS): nothing in an honest jail meets
 * them, and no verdict comes of them. Where there are no slots (slot_home.h
 * says why), all this does nothing.
 * Source: cgroups(7), clone3(2) CLONE_INTO_CGROUP, the kernel's
 * admin-guide/cgroup-v2.
 */
#pragma once

#include "runner/base/err.h"
#include "runner/jail/child.h"
#include "runner/jail/slot_home.h"

#include <stdint.h>

#define SLOT_PREFIX "bout-slot-" /* then the owner's pid, "-", the number */
#define SLOT_NONE (-1)
#define SLOTS_MAX 64u

struct slot {
    char name[48];
    int folder; /* -1: not made yet */
    int procs;  /* -1, or its cgroup.procs, with CHILD_SLOT_WRITTEN */
    bool taken;
    uint64_t memory_bytes; /* memory.max */
    uint64_t oom_kills;    /* when it was looked at last */
};

struct slots {
    enum slot_lack lack;
    struct slot_home home;
    enum child_slot way; /* how a child gets in */
    struct slot slot[SLOTS_MAX];
};

/* Sweeps, and tries the first slot. To be called, like zygote_start, early in a
 * small, single-threaded process: it moves into the leaf, and all that it
 * starts later is there too. Never NULL; ->lack says what there is. */
struct slots *slots_open(void);

/* The boxes are dead and reaped, the zygote too. NULL is fine. */
void slots_close(struct slots *slots);

/* A slot with this memory.max for one process, to be given back when that is
 * reaped. *slot is SLOT_NONE where slots lack. */
int slot_take(struct slots *slots, uint64_t memory_bytes, int *slot,
              struct err *err);
void slot_give_back(struct slots *slots, int slot);

/* What the child needs to be put in: a descriptor, -1 with SLOT_NONE. */
int slot_fd(const struct slots *slots, int slot);

/* Has the kernel killed there for want of memory, since this was last asked?
 * That may be want of the slot's, of an outer group's, or of the host's. */
bool slot_ran_out(struct slots *slots, int slot);
