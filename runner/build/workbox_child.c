/* workbox_child: from clone to exec, one function a step.
 *
 * The child shares the parent's memory (the parent's thread sleeps meanwhile,
 * as after vfork(2)) but has its own descriptors and folder. So nothing here
 * allocates or locks, and the set*id calls are raw: libc's would change every
 * thread of the parent. A fault is noted in the plan, which the parent reads.
 */
#include "runner/build/workbox_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOBODY 65534u

/* Any folder that every host has: the new root is mounted there for a moment
 * and covers nothing once it is the root. */
#define BOX_FOOTHOLD "/usr"

/* Compilers touch much memory once: with pages of 2 MiB, and memory asked for
 * in few portions, clang takes a sixth less processor time, code generation a
 * fifth. */
#define HUGE_PAGES \
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=33554432"

static int put_file(const char *path, const void *bytes, size_t size, int flags)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0644);
    const char *next = bytes;

    if (fd < 0)
        return -1;
    while (size > 0) {
        ssize_t put = write(fd, next, size);
        if (put < 0)
            return -1;
        next += put;
        size -= (size_t)put;
    }
    return close(fd);
}

/* A user namespace of its own gives an ordinary user the right to mount; it
 * appears there as nobody. */
static int map_user(const struct workbox_plan *plan)
{
    if (!plan->user_namespace)
        return 0;
    if (put_file("/proc/self/setgroups", "deny", 4, 0) < 0)
        return -1;
    if (put_file("/proc/self/uid_map", plan->uid_map, strlen(plan->uid_map),
                 0) < 0)
        return -1;
    return put_file("/proc/self/gid_map", plan->gid_map, strlen(plan->gid_map),
                    0);
}

/* The root becomes an empty tmpfs; the host's tree hangs below /old for now. */
static int make_root(const struct workbox_plan *plan)
{
    if (!plan->namespaces)
        return 0;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        return -1;
    if (mount("tmpfs", BOX_FOOTHOLD, "tmpfs", MS_NOSUID | MS_NODEV,
              plan->tmpfs_options) < 0)
        return -1;
    if (chdir(BOX_FOOTHOLD) < 0 || mkdir("old", 0755) < 0)
        return -1;
    if (syscall(SYS_pivot_root, ".", "old") < 0)
        return -1;
    return chdir("/");
}

static int make_folders(const struct workbox_plan *plan)
{
    for (size_t i = 0; i < plan->folder_count; i++) {
        if (mkdir(plan->folder[i], 0755) < 0 && errno != EEXIST)
            return -1;
    }
    for (size_t i = 0; i < plan->link_count; i++) {
        if (symlink(plan->link[i].target, plan->link[i].path) < 0)
            return -1;
    }
    return chmod("out", 0777);
}

static int bind_read_only(const struct plan_mount *mount_plan)
{
    struct mount_attr attributes = {
        .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
    };

    if (mount_plan->is_file && put_file(mount_plan->to, "", 0, O_CREAT) < 0)
        return -1;
    if (mount(mount_plan->from, mount_plan->to, NULL, MS_BIND | MS_REC, NULL) <
        0)
        return -1;
    return mount_setattr(AT_FDCWD, mount_plan->to, AT_RECURSIVE, &attributes,
                         sizeof attributes);
}

/* What malloc reads before it asks for huge pages (HUGE_PAGES below); the box
 * has no sysfs. Where the kernel has none, asking does nothing.
 * Source: glibc 2.36, sysdeps/unix/sysv/linux/malloc-hugepages.c. */
static int tell_of_huge_pages(void)
{
    static const char *const folders[] = {"sys", "sys/kernel", "sys/kernel/mm",
                                          "sys/kernel/mm/transparent_hugepage"};
    static const char mode[] = "always [madvise] never\n", size[] = "2097152\n";

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (mkdir(folders[i], 0755) < 0)
            return -1;
    }
    if (put_file("sys/kernel/mm/transparent_hugepage/enabled", mode,
                 sizeof mode - 1, O_CREAT) < 0)
        return -1;
    return put_file("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", size,
                    sizeof size - 1, O_CREAT);
}

static int mount_tools(const struct workbox_plan *plan)
{
    if (!plan->namespaces)
        return chdir(plan->base) < 0 ? -1 : make_folders(plan);
    if (make_folders(plan) < 0 || tell_of_huge_pages() < 0)
        return -1;
    for (size_t i = 0; i < plan->mount_count; i++) {
        if (bind_read_only(&plan->mount[i]) < 0)
            return -1;
    }
    if (umount2("old", MNT_DETACH) < 0)
        return -1;
    return rmdir("old");
}

static int write_inputs(const struct workbox_plan *plan)
{
    for (size_t i = 0; i < plan->spec->input_count; i++) {
        const struct workbox_input *input = &plan->spec->input[i];
        if (put_file(input->path, input->bytes, input->size,
                     O_CREAT | O_EXCL | O_NOFOLLOW) < 0)
            return -1;
    }
    return 0;
}

/* The parent reads results through this descriptor when the box is dead: its
 * tmpfs lives as long as somebody holds it. */
static int send_out_folder(const struct workbox_plan *plan)
{
    int fd =
        plan->talks ? -1 : open("../out", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char byte = 0;
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

    if (plan->talks)
        return 0;
    if (fd < 0)
        return -1;
    memset(&control, 0, sizeof control);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(head), &fd, sizeof fd);
    return sendmsg(plan->send_fd, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

/* Who is talked to has nothing to write anywhere. Without namespaces the
 * folder is a host's folder, and belongs to another user. */
static int make_read_only(const struct workbox_plan *plan)
{
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY};

    if (!plan->talks)
        return 0;
    if (chmod("../out", 0555) < 0)
        return -1;
    if (!plan->namespaces)
        return 0;
    return mount_setattr(AT_FDCWD, "/", 0, &attributes, sizeof attributes);
}

static int set_up_streams(const struct workbox_plan *plan)
{
    int talk_fd = plan->spec->talk_fd;
    const int stream[3] = {plan->talks ? talk_fd : plan->null_fd,
                           plan->talks ? talk_fd : plan->out_fd, plan->log_fd};
    int high[3];

    /* Copies above 2 first: one of the three may sit on 0, 1 or 2 itself. */
    for (int i = 0; i < 3; i++) {
        high[i] = fcntl(stream[i], F_DUPFD_CLOEXEC, 3);
        if (high[i] < 0)
            return -1;
    }
    for (int i = 0; i < 3; i++) {
        if (dup2(high[i], i) < 0)
            return -1;
    }
    return close_range(3, ~0u, 0);
}

static int set_limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit limit = {.rlim_cur = soft, .rlim_max = hard};

    return prlimit(0, (enum __rlimit_resource)resource, &limit, NULL);
}

/* No limit on processes: it counts a uid's processes over the whole host, so
 * one box would starve another. The filter allows one process a box. */
static int set_limits(const struct workbox_plan *plan)
{
    const struct workbox_spec *spec = plan->spec;
    uint64_t seconds = (spec->cpu_ns + 999999999u) / 1000000000u;

    /* Process 1 of a namespace ignores SIGXCPU: the hard limit kills. */
    if (set_limit(RLIMIT_CPU, seconds, seconds + 1) < 0 ||
        set_limit(RLIMIT_AS, spec->memory_bytes, spec->memory_bytes) < 0 ||
        set_limit(RLIMIT_FSIZE, spec->work_bytes, spec->work_bytes) < 0 ||
        set_limit(RLIMIT_CORE, 0, 0) < 0)
        return -1;
    return set_limit(RLIMIT_NOFILE, 256, 256);
}

static int become_nobody(const struct workbox_plan *plan)
{
    if (!plan->become_nobody)
        return 0;
    if (syscall(SYS_setgroups, 0, NULL) < 0)
        return -1;
    if (syscall(SYS_setresgid, NOBODY, NOBODY, NOBODY) < 0)
        return -1;
    return (int)syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY);
}

/* PDEATHSIG comes after setresuid, which clears it. */
static int give_up_privileges(void)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
        return -1;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static int load_filter(const struct workbox_plan *plan)
{
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &plan->filter);
}

/* Handlers of the parent must not run here; exec resets them too, but signals
 * are unblocked before it. */
static int reset_signals(void)
{
    struct sigaction fresh = {.sa_handler = SIG_DFL};
    sigset_t none;

    for (int number = 1; number < NSIG; number++)
        sigaction(number, &fresh, NULL); /* KILL and STOP refuse: fine */
    sigemptyset(&none);
    errno = pthread_sigmask(SIG_SETMASK, &none, NULL);
    return errno ? -1 : 0;
}

static int start(const struct workbox_plan *plan)
{
    /* exec does not change its arguments; its type is older than const. */
    union {
        const char *const *in;
        char *const *out;
    } argv = {.in = plan->spec->argv};
    /* Python's order of sets would be drawn anew in each run. */
    static char hash_seed[] = "PYTHONHASHSEED=0";
    static char malloc_options[] = HUGE_PAGES;
    char *const environment[] = {plan->talks ? hash_seed : malloc_options,
                                 NULL};

    if (reset_signals() < 0)
        return -1;
    return execve(argv.out[0], argv.out, environment);
}

static enum workbox_step run_steps(const struct workbox_plan *plan)
{
    if (map_user(plan) < 0)
        return STEP_USER_MAP;
    if (make_root(plan) < 0)
        return STEP_ROOT;
    if (mount_tools(plan) < 0)
        return STEP_MOUNT;
    if (chdir("src") < 0)
        return STEP_WORK;
    if (write_inputs(plan) < 0)
        return STEP_INPUT;
    if (send_out_folder(plan) < 0)
        return STEP_SEND;
    if (make_read_only(plan) < 0)
        return STEP_READ_ONLY;
    if (set_up_streams(plan) < 0)
        return STEP_FILES;
    if (set_limits(plan) < 0)
        return STEP_LIMITS;
    if (become_nobody(plan) < 0)
        return STEP_IDENTITY;
    if (give_up_privileges() < 0)
        return STEP_PRIVILEGES;
    if (workbox_confine(plan) < 0)
        return STEP_CONFINE;
    if (load_filter(plan) < 0)
        return STEP_FILTER;
    start(plan);
    return STEP_EXEC;
}

int workbox_child(void *argument)
{
    struct workbox_plan *plan = argument;
    enum workbox_step step = run_steps(plan);

    plan->fault_errno = errno;
    plan->fault_step = (int)step;
    _exit(127);
}
