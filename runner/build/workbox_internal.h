/* workbox_internal: what the parent prepares so that the child, which shares
 * its memory until exec, needs raw system calls alone. */
#pragma once

#include "runner/build/workbox.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/types.h>

/* Where a box may fail before exec. STEP(NAME, text) */
#define WORKBOX_STEPS                           \
    STEP(NONE, "none")                          \
    STEP(USER_MAP, "map the user")              \
    STEP(ROOT, "make an empty root")            \
    STEP(MOUNT, "mount the tools")              \
    STEP(WORK, "enter the work folder")         \
    STEP(INPUT, "write the inputs")             \
    STEP(SEND, "hand over the output folder")   \
    STEP(READ_ONLY, "make the root read-only")  \
    STEP(FILES, "set up the standard streams")  \
    STEP(LIMITS, "set the limits")              \
    STEP(IDENTITY, "become nobody")             \
    STEP(PRIVILEGES, "give up privileges")      \
    STEP(CONFINE, "hide the host's files")      \
    STEP(FILTER, "load the system call filter") \
    STEP(EXEC, "start")

enum workbox_step {
#define STEP(name, text) STEP_##name,
    WORKBOX_STEPS
#undef STEP
};

struct plan_mount {
    char *from; /* below /old */
    char *to;   /* below / */
    bool is_file;
};

struct plan_link {
    char *target;
    char *path; /* relative to the base */
};

struct workbox_plan {
    const struct workbox_spec *spec;
    bool namespaces;
    bool user_namespace; /* not root: its own user namespace gives the right */
    bool become_nobody;
    bool talks; /* over spec->talk_fd; no output folder, nothing writable */
    char uid_map[64];
    char gid_map[64];
    char tmpfs_options[96];
    char *base; /* level LIMITS: the temporary folder; else NULL */
    struct plan_mount *mount;
    size_t mount_count;
    struct plan_link *link;
    size_t link_count;
    char **folder; /* relative to the base, parents first */
    size_t folder_count;
    int null_fd, out_fd, log_fd; /* the standard streams */
    int send_fd;                 /* socket that takes the output folder */
    struct sock_fprog filter;    /* .filter is owned */

    /* Written by the child before it gives up. */
    volatile int fault_step;
    volatile int fault_errno;
};

/* What of the host every tool sees; ends with NULL. */
extern const char *const workbox_system_paths[];

/* *plan starts with spec, the flags, base and -1 as descriptors. */
int workbox_plan_make(struct workbox_plan *plan, struct err *err);
void workbox_plan_release(struct workbox_plan *plan);
#define auto_plan __attribute__((cleanup(workbox_plan_release)))

/* In the child: without namespaces Landlock keeps the tool to what the box
 * would show it. 0 also where the kernel has no Landlock. */
int workbox_confine(const struct workbox_plan *plan);

/* The system call filter as a BPF program; plan->filter.filter is malloc'ed. */
int workbox_filter_make(struct sock_fprog *filter, struct err *err);

/* Runs in the child, on its own stack, in the parent's memory, with all signals
 * blocked: no malloc, no stdio, no locks. Ends in exec or in _exit after the
 * fault is noted. */
int workbox_child(void *plan);
