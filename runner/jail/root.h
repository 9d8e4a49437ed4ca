/* root: the empty surroundings of a zygote: namespaces without network, mounts,
 * IPC objects or host name, and a root directory with nothing in it.
 * Source: unshare(2), pivot_root(2), user_namespaces(7). */
#pragma once

#include "runner/jail/box.h"

#include <stdint.h>

/* What uid a box gets. */
enum root_user {
    ROOT_USER_SAME,   /* the runner's: no right to change it */
    ROOT_USER_SHARED, /* the same other uid for all boxes */
    ROOT_USER_OWN,    /* one of its own, unused elsewhere */
};

/* ROOT_STEP(NAME, text): what was tried, in this order. */
#define ROOT_STEPS(ROOT_STEP)                                        \
    ROOT_STEP(NONE, "all steps worked")                              \
    ROOT_STEP(USER_NAMESPACE, "make a user namespace")               \
    ROOT_STEP(USER_MAP, "map the user into it")                      \
    ROOT_STEP(NAMESPACES, "make net, mount, ipc and uts namespaces") \
    ROOT_STEP(PRIVATE, "make mounts private")                        \
    ROOT_STEP(EMPTY, "mount an empty root")                          \
    ROOT_STEP(PIVOT, "pivot to the empty root")                      \
    ROOT_STEP(DETACH, "detach the host's root")                      \
    ROOT_STEP(PID, "make a pid namespace")

enum root_step {
#define ROOT_STEP(name, text) ROOT_STEP_##name,
    ROOT_STEPS(ROOT_STEP)
#undef ROOT_STEP
};

struct root_report {
    enum jail_level level;
    enum root_user user;
    int own_user_namespace; /* 1: root_enter made one */
    int landlocked;         /* 1: no path can be opened, whatever the root */
    enum root_step step;    /* NONE, or the first that failed */
    int sys_errno;
};

const char *root_step_text(enum root_step step);

/* Moves the calling process, which must be single-threaded, into empty
 * surroundings, and to the front of those to be killed for want of memory, as
 * far as the kernel grants it, and says how far that was. */
void root_enter(struct root_report *report);
