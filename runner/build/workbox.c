/* workbox: the parent's part: plan, clone, wait, collect.
 *
 * Theory of operation. The parent prepares everything in a plan and clones a
 * child that shares its memory and runs while the parent's thread sleeps
 * (CLONE_VM | CLONE_VFORK): a copy of a large server's page tables would cost
 * more than the box. The child enters new namespaces (they are flags of the
 * same clone), makes an empty root of tmpfs, binds the tools read-only, writes
 * the inputs, hands the output folder back over a socket, and becomes the tool.
 * From then on the parent waits on its pidfd with the wall clock as net. As
 * process 1 of its pid namespace the tool takes everything down with it.
 *
 * Rights: as root no user namespace is made, since root can drop to a real
 * "nobody"; an ordinary user gets one, in which its own uid appears as nobody.
 * Where the kernel denies namespaces the same steps run in a temporary folder
 * with filter and limits alone, and `level` says so.
 */
#include "runner/build/workbox_internal.h"

#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/io.h"
#include "runner/base/privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_STACK_BYTES 131072u
#define NAMESPACES \
    (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS)

const char *workbox_level_text(enum workbox_level level)
{
    switch (level) {
    case WORKBOX_LIMITS:
        return "filter and limits only";
    case WORKBOX_NAMESPACES:
        return "namespaces";
    case WORKBOX_USER:
        break;
    }
    return "namespaces and a uid of its own";
}

static const char *step_text(int step)
{
    static const char *const text[] = {
#define STEP(name, text) text,
        WORKBOX_STEPS
#undef STEP
    };

    return text[step];
}

/* ---- clone --------------------------------------------------------------- */

/* Starts the child and returns once it has become the tool or given up; its
 * pid, or -1 with errno. Signals stay blocked meanwhile: a handler of the
 * parent would run in the child too, in shared memory. */
static pid_t clone_child(struct workbox_plan *plan)
{
    int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
    sigset_t all, before;

    if (plan->namespaces)
        flags |= NAMESPACES;
    if (plan->user_namespace)
        flags |= CLONE_NEWUSER;
    char *stack = mmap(NULL, CHILD_STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        return -1;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pid_t pid = clone(workbox_child, stack + CHILD_STACK_BYTES, flags, plan);
    int saved = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    munmap(stack, CHILD_STACK_BYTES);
    errno = saved;
    return pid;
}

/* The descriptor that the child sent, or -1. */
static int receive_folder(int socket)
{
    char byte;
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes,
    };
    int fd = -1;

    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) != 1)
        return -1;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head && head->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(head), sizeof fd);
    return fd;
}

/* ---- wait ---------------------------------------------------------------- */

/* True if the process ended by itself before the deadline. */
static bool wait_until(int pid_fd, uint64_t deadline_ns)
{
    struct pollfd wait = {.fd = pid_fd, .events = POLLIN};

    for (;;) {
        uint64_t now_ns = clock_mono_ns();
        if (now_ns >= deadline_ns)
            return false;
        uint64_t left_ms = (deadline_ns - now_ns) / 1000000u + 1;
        int ready = poll(&wait, 1, left_ms > 60000 ? 60000 : (int)left_ms);
        if (ready > 0)
            return true;
    }
}

static uint64_t usage_ns(const struct rusage *usage)
{
    return (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) *
               1000000000u +
           (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) *
               1000u;
}

static int reap(pid_t pid, int *status, struct rusage *usage)
{
    for (;;) {
        pid_t got = wait4(pid, status, 0, usage);
        if (got == pid)
            return 0;
        if (errno != EINTR)
            return -1;
    }
}

static void set_end(struct workbox *box, const struct workbox_spec *spec,
                    int status, bool in_time)
{
    if (WIFEXITED(status)) {
        box->end = WORKBOX_EXITED;
        box->code = WEXITSTATUS(status);
        return;
    }
    box->code = WTERMSIG(status);
    if (box->code == SIGXCPU ||
        (box->code == SIGKILL && box->cpu_ns >= spec->cpu_ns))
        box->end = WORKBOX_OVER_TIME;
    else if (!in_time)
        box->end = WORKBOX_STARVED;
    else
        box->end = WORKBOX_SIGNALLED;
}

static int wait_for(pid_t pid, const struct workbox_spec *spec,
                    struct workbox *box, struct err *err)
{
    uint64_t start_ns = clock_mono_ns();
    auto_fd int pid_fd = (int)syscall(SYS_pidfd_open, pid, 0);
    int pidfd_errno = errno;
    struct rusage usage = {0};
    int status = 0;

    bool in_time = pid_fd >= 0 && wait_until(pid_fd, start_ns + spec->wall_ns);
    if (!in_time)
        kill(pid, SIGKILL); /* not reaped yet, so the pid is still its own */
    if (reap(pid, &status, &usage) < 0)
        return err_sys(err, errno, "%s: wait", spec->name);
    if (pid_fd < 0)
        return err_sys(err, pidfd_errno, "%s: pidfd_open", spec->name);
    box->wall_ns = clock_mono_ns() - start_ns;
    box->cpu_ns = usage_ns(&usage);
    set_end(box, spec, status, in_time);
    return 0;
}

/* ---- run ----------------------------------------------------------------- */

static int read_stream(int fd, struct buf *out, bool *cut, struct err *err)
{
    off_t size = lseek(fd, 0, SEEK_END);
    size_t want = WORKBOX_TEXT_MAX_BYTES;

    if (size < 0)
        return err_sys(err, errno, "lseek");
    *cut = (uint64_t)size > want;
    if (!*cut)
        want = (size_t)size;
    buf_reserve(out, want);
    ssize_t got = want ? pread(fd, out->data, want, 0) : 0;
    if (got < 0)
        return err_sys(err, errno, "pread");
    out->size += (size_t)got;
    if (out->data)
        out->data[out->size] = '\0';
    return 0;
}

/* Whether the kernel's refusal is about namespaces, so that the box can still
 * run without. */
static bool is_denied(int sys_errno)
{
    return sys_errno == EPERM || sys_errno == EACCES || sys_errno == ENOSYS ||
           sys_errno == EINVAL || sys_errno == ENOSPC || sys_errno == EUSERS;
}

static struct workbox_plan plan_at(const struct workbox_spec *spec,
                                   enum workbox_level level, char *folder)
{
    bool is_root = privilege_is_root();

    return (struct workbox_plan){
        .spec = spec,
        .namespaces = level > WORKBOX_LIMITS,
        .user_namespace = level > WORKBOX_LIMITS && !is_root,
        .become_nobody = is_root,
        .base = folder,
        .null_fd = -1,
        .out_fd = -1,
        .log_fd = -1,
        .send_fd = -1,
    };
}

static bool fault_is_denial(const struct workbox_plan *plan)
{
    return plan->fault_step <= STEP_MOUNT && plan->namespaces &&
           is_denied(plan->fault_errno);
}

/* 0 done, 1 this level is denied (a lower one may do), -1 error. */
static int run_at_level(const struct workbox_spec *spec, struct workbox *box,
                        struct err *err)
{
    auto_plan struct workbox_plan plan =
        plan_at(spec, box->level, box->out_folder);
    auto_fd int receive_fd = -1;
    int pair[2];
    bool cut;

    if (workbox_plan_make(&plan, err) < 0)
        return -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_sys(err, errno, "%s: socketpair", spec->name);
    receive_fd = pair[0];
    plan.send_fd = pair[1];

    pid_t pid = clone_child(&plan);
    if (pid < 0 && plan.namespaces && is_denied(errno))
        return 1;
    if (pid < 0)
        return err_sys(err, errno, "%s: clone", spec->name);
    if (wait_for(pid, spec, box, err) < 0)
        return -1;
    if (plan.fault_step != STEP_NONE && fault_is_denial(&plan))
        return 1;
    if (plan.fault_step != STEP_NONE)
        return err_sys(err, plan.fault_errno, "%s: cannot %s", spec->name,
                       step_text(plan.fault_step));
    box->out_fd = receive_folder(receive_fd);
    if (box->out_fd < 0)
        return err_set(err, ERR_SYSTEM, "%s: no output folder", spec->name);
    if (read_stream(plan.out_fd, &box->out, &cut, err) < 0)
        return -1;
    return read_stream(plan.log_fd, &box->log, &box->log_cut, err);
}

static int make_temp_folder(char **folder, struct err *err)
{
    *folder = io_make_temp_folder("bout-box", err);
    if (!*folder)
        return -1;
    if (chmod(*folder, 0755) < 0)
        return err_sys(err, errno, "%s: chmod", *folder);
    return 0;
}

static enum workbox_level highest_level(void)
{
    return privilege_is_root() ? WORKBOX_USER : WORKBOX_NAMESPACES;
}

int workbox_run(const struct workbox_spec *spec, struct workbox *box,
                struct err *err)
{
    *box = (struct workbox){
        .out_fd = -1,
        .level = highest_level(),
    };
    int result = run_at_level(spec, box, err);
    if (result != 1)
        return result;
    box->level = WORKBOX_LIMITS;
    if (make_temp_folder(&box->out_folder, err) < 0)
        return -1;
    return run_at_level(spec, box, err);
}

int workbox_read(const struct workbox *box, const char *name, size_t cap,
                 struct buf *out, struct err *err)
{
    auto_fd int fd = openat(box->out_fd, name,
                            O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;

    if (fd < 0 && (errno == ENOENT || errno == ELOOP))
        return 0;
    if (fd < 0 || fstat(fd, &status) < 0)
        return err_sys(err, errno, "%s: open", name);
    if (!S_ISREG(status.st_mode))
        return 0;
    if (io_read_all(fd, cap, out, err) < 0)
        return err_wrap(err, "%s", name);
    return 1;
}

void workbox_release(struct workbox *box)
{
    struct err ignored = {0};

    buf_release(&box->out);
    buf_release(&box->log);
    if (box->level) /* a box that never ran holds no descriptor */
        fd_close(&box->out_fd);
    if (box->out_folder)
        io_remove_tree(box->out_folder, &ignored);
    free(box->out_folder);
    *box = (struct workbox){.out_fd = -1};
}

/* ---- talked to ------------------------------------------------------------
 */

/* As run_at_level. */
static int open_at_level(const struct workbox_spec *spec,
                         struct workbox_live *live, struct err *err)
{
    auto_plan struct workbox_plan plan =
        plan_at(spec, live->level, live->folder);
    struct rusage usage;
    int status;

    plan.talks = true;
    if (workbox_plan_make(&plan, err) < 0)
        return -1;
    pid_t pid = clone_child(&plan);
    if (pid < 0 && plan.namespaces && is_denied(errno))
        return 1;
    if (pid < 0)
        return err_sys(err, errno, "%s: clone", spec->name);
    if (plan.fault_step == STEP_NONE) {
        live->pid = pid;
        live->log_fd = take_fd(&plan.log_fd);
        return 0;
    }
    if (reap(pid, &status, &usage) < 0)
        return err_sys(err, errno, "%s: wait", spec->name);
    if (fault_is_denial(&plan))
        return 1;
    return err_sys(err, plan.fault_errno, "%s: cannot %s", spec->name,
                   step_text(plan.fault_step));
}

int workbox_open(const struct workbox_spec *spec, struct workbox_live *live,
                 struct err *err)
{
    struct workbox_live next = {.level = highest_level(), .log_fd = -1};
    int result = open_at_level(spec, &next, err);

    if (result == 1) {
        next.level = WORKBOX_LIMITS;
        result = make_temp_folder(&next.folder, err) < 0
                     ? -1
                     : open_at_level(spec, &next, err);
    }
    if (result == 0)
        *live = next;
    else
        workbox_close(&next);
    return result;
}

int workbox_log_tail(const struct workbox_live *live, size_t most,
                     struct buf *out, struct err *err)
{
    off_t size = lseek(live->log_fd, 0, SEEK_END);

    if (size < 0)
        return err_sys(err, errno, "lseek");
    off_t from = (size_t)size > most ? size - (off_t)most : 0;
    buf_reserve(out, most);
    ssize_t got = pread(live->log_fd, out->data + out->size, most, from);
    if (got < 0)
        return err_sys(err, errno, "pread");
    out->size += (size_t)got;
    out->data[out->size] = '\0';
    return 0;
}

void workbox_close(struct workbox_live *live)
{
    struct err ignored = {0};
    struct rusage usage;
    int status;

    if (live->pid) {
        kill(live->pid, SIGKILL); /* not reaped yet: the pid is its own */
        reap(live->pid, &status, &usage);
    }
    if (live->level)
        fd_close(&live->log_fd);
    if (live->folder)
        io_remove_tree(live->folder, &ignored);
    free(live->folder);
    *live = (struct workbox_live){0};
}
