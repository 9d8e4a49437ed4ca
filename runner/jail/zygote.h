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
#include "runner/jail/root.h"

struct zygote {
    pid_t pid;
    int socket;
    struct root_report report; /* what the kernel granted */
};

/* Starts `elf_fd` with `memory_fd` as PAGE_FD. *pid is a child of the caller,
 * to be reaped by it. */
int zygote_spawn(struct zygote *zygote, const struct child_spec *spec,
                 const int fds[2], pid_t *pid, struct err *err);
