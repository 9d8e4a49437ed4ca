/* child: what a box's process does between clone and exec. It shares the
 * zygote's memory meanwhile (CLONE_VM | CLONE_VFORK): raw system calls only. */
#pragma once

#include "runner/jail/root.h"

#include <stdbool.h>
#include <stdint.h>

/* Descriptors inside the zygote, in the order in which they are made. */
#define CHILD_SOCKET_FD 3
#define CHILD_ELF_FD 4
#define CHILD_MEMORY_FD 5
#define CHILD_SLOT_FD 6 /* where there is one */

/* The steps in order. CHILD_STEP(NAME, text): for the message on failure. */
#define CHILD_STEPS(CHILD_STEP)                       \
    CHILD_STEP(NONE, "none")                          \
    CHILD_STEP(CLONE, "clone")                        \
    CHILD_STEP(SLOT, "enter its control group")       \
    CHILD_STEP(MEMORY, "pass the shared memory")      \
    CHILD_STEP(LIMITS, "set resource limits")         \
    CHILD_STEP(USER, "change the user")               \
    CHILD_STEP(PARENT, "tie it to the runner's life") \
    CHILD_STEP(SIGNALS, "reset the signal mask")      \
    CHILD_STEP(EXEC, "execute the program")

enum child_step {
#define CHILD_STEP(name, text) CHILD_STEP_##name,
    CHILD_STEPS(CHILD_STEP)
#undef CHILD_STEP
};

/* How it gets into its control group (slot.h). */
enum child_slot {
    CHILD_SLOT_NONE,
    CHILD_SLOT_BORN,    /* by clone3 */
    CHILD_SLOT_WRITTEN, /* CHILD_SLOT_FD is its cgroup.procs */
};

struct child_spec {
    uint64_t address_space_bytes; /* RLIMIT_AS */
    uint64_t cpu_s;               /* RLIMIT_CPU; 0: none */
    enum child_slot slot;
};

/* One start, in the zygote's memory; `step` and `sys_errno` are written by the
 * child before it exits for failure. */
struct child {
    struct child_spec spec;
    enum root_user user;
    uint32_t uid; /* used with ROOT_USER_OWN and ROOT_USER_SHARED */
    enum child_step step;
    int sys_errno;
};

const char *child_step_text(enum child_step step);

/* Once, in the zygote: what every child inherits and nothing there needs. */
bool child_prepare(enum root_user user);

/* Runs on its own stack in the zygote's memory; the argument is struct child.
 * Returns (an exit) only on failure. */
int child_run(void *child);
