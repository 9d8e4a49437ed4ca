/* zygote: the small process from which boxes are started.
 *
 * Inside the jail's room only; box.h has what others see. The zygote is forked
 * once and waits on a socket. It holds empty namespaces and an empty root, so
 * that a start need not make them; a box's process is the *runner's* child
 * (CLONE_PARENT), not the zygote's, so the runner alone reaps it.
 */
#pragma once

#include "runner/jail/box.h"
#include "runner/jail/child.h"
#include "runner/jail/pace.h"
#include "runner/jail/root.h"
#include "runner/jail/slot.h"

/* The zygote's word on one start. */
struct zygote_reply {
    pid_t pid; /* -1: the clone failed */
    enum child_step step;
    int sys_errno;
};

/* Starts whose replies nobody has asked for yet: box_end takes each, so there
 * are never more than a match has processes. */
#define ZYGOTE_STARTS_MAX 64u

struct zygote {
    pid_t pid;
    int socket;
    struct root_report report; /* what the kernel granted */
    struct slots *slots;
    struct pace pace;         /* of the turns of its boxes */
    uint32_t asked, answered; /* starts, counted */
    struct zygote_reply reply[ZYGOTE_STARTS_MAX]; /* by start number, modulo */
};

/* Asks for a start of fds[0] with fds[1] as PAGE_FD, in the control group of
 * fds[2] unless that is -1, and returns at once: the zygote works while the
 * caller sleeps. *start is the number of the start. */
int zygote_ask(struct zygote *zygote, const struct child_spec *spec,
               const int fds[3], uint32_t *start, struct err *err);

/* Waits until that start has come to its exec, or failed. *pid is a child of
 * the caller, to be reaped by it. Once for each start. */
int zygote_pid(struct zygote *zygote, uint32_t start, pid_t *pid,
               struct err *err);
