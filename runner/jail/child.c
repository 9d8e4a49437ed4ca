#include "runner/jail/child.h"
#include "instrument/bot/page.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/securebits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <grp.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *child_step_text(enum child_step step)
{
    static const char *const text[] = {
#define CHILD_STEP(name, text) text,
        CHILD_STEPS(CHILD_STEP)
#undef CHILD_STEP
    };

    return text[step];
}

static bool set_limit(enum __rlimit_resource resource, uint64_t value)
{
    struct rlimit limit = {.rlim_cur = value, .rlim_max = value};

    return syscall(SYS_prlimit64, 0, resource, &limit, NULL) == 0;
}

/* RLIMIT_NPROC is left alone: it counts a uid's processes over the whole host.
 * RLIMIT_STACK is for exec only; the runtime drops the kernel's stack. Without
 * randomisation exec need not move its stack once more, page tables and all;
 * whatever is secret lies at an address that the runner draws. No securebits
 * yet: they would hinder the change of user. */
bool child_prepare(enum root_user user)
{
    return personality(ADDR_NO_RANDOMIZE) >= 0 &&
           set_limit(RLIMIT_STACK, 1u << 20) && set_limit(RLIMIT_CORE, 0) &&
           set_limit(RLIMIT_FSIZE, 0) && set_limit(RLIMIT_MEMLOCK, 0) &&
           set_limit(RLIMIT_MSGQUEUE, 0) &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           (user == ROOT_USER_SAME || setgroups(0, NULL) == 0);
}

static bool set_limits(const struct child_spec *spec)
{
    return set_limit(RLIMIT_AS, spec->address_space_bytes) &&
           (spec->cpu_s == 0 || set_limit(RLIMIT_CPU, spec->cpu_s)) &&
           set_limit(RLIMIT_NOFILE, 0);
}

/* The raw calls: the C library's would signal all threads of this memory. */
static bool set_user(const struct child *child)
{
    long id = (long)child->uid;

    if (child->user == ROOT_USER_SAME)
        return true;
    return syscall(SYS_setresgid, id, id, id) == 0 &&
           syscall(SYS_setresuid, id, id, id) == 0;
}

/* Who stays root (in a user namespace that maps no other user) would get all of
 * its capabilities again at exec. */
static bool drop_root(const struct child *child)
{
    return child->user != ROOT_USER_SAME || syscall(SYS_geteuid) != 0 ||
           syscall(SYS_prctl, PR_SET_SECUREBITS,
                   SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0) == 0;
}

/* After the change of user, which clears the death signal. If the runner died
 * before the signal was asked for, its end of the socket is gone. */
static bool follow_parent(void)
{
    struct pollfd socket = {.fd = CHILD_SOCKET_FD, .events = POLLRDHUP};

    if (syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
        return false;
    if (syscall(SYS_poll, &socket, 1, 0) != 0) {
        errno = ECHILD;
        return false;
    }
    return true;
}

static bool clear_signal_mask(void)
{
    uint64_t none = 0;

    return syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none) ==
           0;
}

static bool execute(void)
{
    char *nothing[] = {NULL};

    return syscall(SYS_execveat, CHILD_ELF_FD, "", nothing, nothing,
                   AT_EMPTY_PATH) == 0;
}

/* As long as it is the user who opened the file. cgroups(7) */
static bool enter_slot(const struct child *child)
{
    return child->spec.slot != CHILD_SLOT_WRITTEN ||
           syscall(SYS_write, CHILD_SLOT_FD, "0", (size_t)1) == 1;
}

static enum child_step run_steps(const struct child *child)
{
    if (!enter_slot(child))
        return CHILD_STEP_SLOT;
    if (!set_user(child) || !drop_root(child))
        return CHILD_STEP_USER;
    if (!follow_parent())
        return CHILD_STEP_PARENT;
    /* Takes the place of the socket; without close-on-exec, unlike it. */
    if (syscall(SYS_dup3, CHILD_MEMORY_FD, PAGE_FD, 0) < 0)
        return CHILD_STEP_MEMORY;
    if (!set_limits(&child->spec))
        return CHILD_STEP_LIMITS;
    if (!clear_signal_mask())
        return CHILD_STEP_SIGNALS;
    execute();
    return CHILD_STEP_EXEC;
}

int child_run(void *argument)
{
    struct child *child = argument;

    child->step = run_steps(child);
    child->sys_errno = errno;
    syscall(SYS_exit_group, 1);
    return 1;
}
