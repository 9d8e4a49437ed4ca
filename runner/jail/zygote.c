/* zygote: theory of operation.
 *
 *     runner (a worker's thread) ---- SOCK_SEQPACKET ---- zygote
 *        |  request: struct child_spec + {executable, shared memory, slot}
 *        |  reply:   struct zygote_reply {pid, step, errno}
 *        '-- box's process, by clone(CLONE_PARENT | CLONE_NEWPID | VFORK)
 *
 * The zygote is root in its namespaces (or the host's root) and does nothing
 * but start boxes; a box gives up all of that in child.c before exec. Nothing
 * of the runner is inherited: descriptors are closed here, memory goes at exec.
 * The zygote dies when its socket closes, and with the thread that forked it.
 */
#include "runner/jail/zygote.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/jail/clone_into.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ZYGOTE_STACK_BYTES 65536u

union descriptor_room {
    struct cmsghdr header; /* for its alignment */
    char bytes[CMSG_SPACE(3 * sizeof(int))];
};

/* ---- in the zygote ----------------------------------------------------- */

/* CLONE_PARENT: its signal at the end is that of the zygote, SIGCHLD. */
static pid_t start_in_slot(struct child *child, unsigned flags, char *stack)
{
    struct clone_args args = {
        .flags = flags | CLONE_INTO_CGROUP,
        .stack = (uintptr_t)stack,
        .stack_size = ZYGOTE_STACK_BYTES,
        .cgroup = CHILD_SLOT_FD,
    };
    long pid = clone_into(child_run, child, &args);

    if (pid >= 0)
        return (pid_t)pid;
    errno = (int)-pid;
    return -1;
}

static pid_t start_child(struct child *child, bool pid_namespace, char *stack)
{
    unsigned flags = CLONE_VM | CLONE_VFORK | CLONE_PARENT |
                     (pid_namespace ? (unsigned)CLONE_NEWPID : 0);

    child->step = CHILD_STEP_NONE;
    if (child->spec.slot == CHILD_SLOT_BORN)
        return start_in_slot(child, flags, stack);
    return clone(child_run, stack + ZYGOTE_STACK_BYTES, (int)flags | SIGCHLD,
                 child);
}

/* 1, or 0 when the runner is gone. The descriptors land on CHILD_ELF_FD,
 * CHILD_MEMORY_FD and CHILD_SLOT_FD, the lowest free ones. */
static int receive(struct child_spec *spec)
{
    union descriptor_room room;
    struct iovec part = {.iov_base = spec, .iov_len = sizeof *spec};
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = room.bytes,
        .msg_controllen = sizeof room.bytes,
    };

    return recvmsg(CHILD_SOCKET_FD, &message, MSG_CMSG_CLOEXEC) ==
           (ssize_t)sizeof *spec;
}

static _Noreturn void serve(const struct root_report *report)
{
    char *stack = mmap(NULL, ZYGOTE_STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    struct child child = {.user = report->user};
    uint32_t first = (1u << 30) + (uint32_t)getpid() % (1u << 22) * 64;
    uint32_t slot = 0;

    while (stack != MAP_FAILED && receive(&child.spec)) {
        child.uid = report->user == ROOT_USER_OWN ? first + slot++ % 64 : 65534;
        pid_t pid =
            start_child(&child, report->level >= JAIL_NAMESPACES, stack);
        struct zygote_reply reply = {
            .pid = pid,
            .step = pid < 0 ? CHILD_STEP_CLONE : child.step,
            .sys_errno = pid < 0 ? errno : child.sys_errno,
        };

        close(CHILD_ELF_FD);
        close(CHILD_MEMORY_FD);
        if (child.spec.slot != CHILD_SLOT_NONE)
            close(CHILD_SLOT_FD);
        send(CHILD_SOCKET_FD, &reply, sizeof reply, MSG_NOSIGNAL);
    }
    _exit(0);
}

static void pin(int cpu)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET((unsigned)cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* Every signal blocked and a process group of its own: a terminal's Ctrl-C is
 * the runner's business. A dead runner kills us either way. Not a session of
 * its own: the kernel's autogroups would make of runner and bots two parties
 * that wait for each other's time slices, a turn 20 times as long beside a hog.
 */
static _Noreturn void run(int socket, pid_t runner)
{
    struct root_report report;
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    signal(SIGCHLD, SIG_DFL);
    setpgid(0, 0);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != runner)
        _exit(1);
    if (dup2(socket, CHILD_SOCKET_FD) < 0 ||
        fcntl(CHILD_SOCKET_FD, F_SETFD, FD_CLOEXEC) < 0 ||
        syscall(SYS_close_range, 0, CHILD_SOCKET_FD - 1, 0) < 0 ||
        syscall(SYS_close_range, CHILD_SOCKET_FD + 1, ~0u, 0) < 0)
        _exit(1);

    root_enter(&report);
    if (!child_prepare(report.user))
        _exit(1);
    /* With 0 to 2 free, received descriptors would land there. */
    for (int fd = 0; fd < CHILD_SOCKET_FD; fd++)
        if (dup3(CHILD_SOCKET_FD, fd, O_CLOEXEC) < 0)
            _exit(1);
    if (send(CHILD_SOCKET_FD, &report, sizeof report, MSG_NOSIGNAL) < 0)
        _exit(1);
    serve(&report);
}

/* ---- in the runner ----------------------------------------------------- */

static void zygote_free(struct zygote *zygote)
{
    fd_close(&zygote->socket);
    /* A copy of the socket in another child of ours would keep it alive. */
    if (zygote->pid > 0) {
        kill(zygote->pid, SIGKILL);
        while (waitpid(zygote->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    slots_close(zygote->slots);
    free(zygote);
}

struct zygote *zygote_start(int cpu, struct err *err)
{
    int pair[2];
    struct zygote *zygote;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_sys(err, errno, "zygote: socketpair"), NULL;
    if (cpu >= 0)
        pin(cpu);
    prctl(PR_SET_TIMERSLACK, 1); /* deadlines of turns: 50 us is a lot */

    /* Before the fork, so that the zygote is in the leaf too. */
    struct slots *slots = slots_open();
    pid_t runner = getpid();
    pid_t pid = fork();
    if (pid == 0)
        run(pair[1], runner);

    int fork_errno = errno;
    close(pair[1]);
    zygote = mem_calloc(1, sizeof *zygote);
    *zygote = (struct zygote){
        .pid = pid,
        .socket = pair[0],
        .slots = slots,
    };
    if (pid < 0)
        err_sys(err, fork_errno, "zygote: fork");
    else if (recv(zygote->socket, &zygote->report, sizeof zygote->report, 0) !=
             (ssize_t)sizeof zygote->report)
        err_set(err, ERR_SYSTEM, "zygote: ended before it was set up");
    else
        return zygote;
    zygote_free(zygote);
    return NULL;
}

void zygote_stop(struct zygote *zygote)
{
    if (zygote)
        zygote_free(zygote);
}

int zygote_socket(const struct zygote *zygote)
{
    return zygote->socket;
}

enum jail_level zygote_level(const struct zygote *zygote)
{
    bool has_all = zygote->report.level == JAIL_USER &&
                   zygote->slots->lack == SLOT_LACK_NOTHING;

    return has_all ? JAIL_SLOT : zygote->report.level;
}

static int send_request(struct zygote *zygote, const struct child_spec *spec,
                        const int fds[3])
{
    union descriptor_room room = {0};
    struct child_spec copy = *spec;
    size_t bytes = (fds[2] < 0 ? 2 : 3) * sizeof(int);
    struct iovec part = {.iov_base = &copy, .iov_len = sizeof copy};
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = room.bytes,
        .msg_controllen = CMSG_SPACE(bytes),
    };
    struct cmsghdr *control = CMSG_FIRSTHDR(&message);

    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(bytes);
    memcpy(CMSG_DATA(control), fds, bytes);
    return sendmsg(zygote->socket, &message, MSG_NOSIGNAL) < 0 ? -1 : 0;
}

int zygote_ask(struct zygote *zygote, const struct child_spec *spec,
               const int fds[3], uint32_t *start, struct err *err)
{
    assert(zygote->asked - zygote->answered < ZYGOTE_STARTS_MAX);
    if (send_request(zygote, spec, fds) < 0)
        return err_sys(err, errno, "zygote: send");
    *start = zygote->asked++;
    return 0;
}

/* Replies come in the order of the starts. */
static int receive_replies(struct zygote *zygote, uint32_t start,
                           struct err *err)
{
    while ((int32_t)(zygote->answered - start) <= 0) {
        struct zygote_reply *reply =
            &zygote->reply[zygote->answered % ZYGOTE_STARTS_MAX];

        if (recv(zygote->socket, reply, sizeof *reply, 0) !=
            (ssize_t)sizeof *reply)
            return err_set(err, ERR_SYSTEM, "zygote: it has ended");
        zygote->answered++;
    }
    return 0;
}

int zygote_pid(struct zygote *zygote, uint32_t start, pid_t *pid,
               struct err *err)
{
    if (receive_replies(zygote, start, err) < 0)
        return -1;

    const struct zygote_reply *reply =
        &zygote->reply[start % ZYGOTE_STARTS_MAX];

    if (reply->pid < 0)
        return err_sys(err, reply->sys_errno, "start: clone");
    if (reply->step != CHILD_STEP_NONE) {
        waitpid(reply->pid, NULL, 0);
        return err_sys(err, reply->sys_errno, "start: %s",
                       child_step_text(reply->step));
    }
    *pid = reply->pid;
    return 0;
}
