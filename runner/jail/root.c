#include "runner/jail/root.h"
#include "runner/base/cleanup.h"
#include "runner/base/privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOT_NAMESPACES \
    (CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS)

/* Uids of boxes: one for each pid of a zygote and slot of it (child.uid). */
#define ROOT_UID_FIRST (1u << 30)
#define ROOT_UID_LAST (ROOT_UID_FIRST + (1u << 28) - 1)
#define ROOT_UID_SHARED 65534u

const char *root_step_text(enum root_step step)
{
    static const char *const text[] = {
#define ROOT_STEP(name, text) text,
        ROOT_STEPS(ROOT_STEP)
#undef ROOT_STEP
    };

    return text[step];
}

static bool failed(struct root_report *report, enum root_step step)
{
    report->step = step;
    report->sys_errno = errno;
    return false;
}

static bool write_text(const char *path, const char *text)
{
    auto_fd int fd = open(path, O_WRONLY | O_CLOEXEC);

    return fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

/* A user namespace gives the right to make the others; in it we are nobody. */
static bool enter_user_namespace(struct root_report *report)
{
    unsigned uid = geteuid();
    unsigned gid = getegid();
    char map[64];

    if (unshare(CLONE_NEWUSER) < 0)
        return failed(report, ROOT_STEP_USER_NAMESPACE);
    report->own_user_namespace = 1;
    snprintf(map, sizeof map, "%u %u 1", ROOT_UID_SHARED, uid);
    if (!write_text("/proc/self/uid_map", map))
        return failed(report, ROOT_STEP_USER_MAP);
    snprintf(map, sizeof map, "%u %u 1", ROOT_UID_SHARED, gid);
    if (!write_text("/proc/self/setgroups", "deny") ||
        !write_text("/proc/self/gid_map", map))
        return failed(report, ROOT_STEP_USER_MAP);
    return true;
}

static bool enter_namespaces(struct root_report *report)
{
    if (privilege_is_root() && unshare(ROOT_NAMESPACES) == 0)
        return true;
    if (!enter_user_namespace(report))
        return false;
    if (unshare(ROOT_NAMESPACES) < 0)
        return failed(report, ROOT_STEP_NAMESPACES);
    return true;
}

/* The empty root is mounted over /proc, a folder that is always there, and
 * becomes the root; then the old one, which pivot_root(".", ".") stacks over
 * it, is detached. */
static bool empty_root(struct root_report *report)
{
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        return failed(report, ROOT_STEP_PRIVATE);
    if (mount("none", "/proc", "tmpfs",
              MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC,
              "size=4k,nr_inodes=1,mode=0555") < 0 ||
        chdir("/proc") < 0)
        return failed(report, ROOT_STEP_EMPTY);
    if (syscall(SYS_pivot_root, ".", ".") < 0)
        return failed(report, ROOT_STEP_PIVOT);
    if (umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
        return failed(report, ROOT_STEP_DETACH);
    return true;
}

static int end_at_once(void *unused)
{
    (void)unused;
    _exit(0);
}

static bool can_make_pid_namespace(struct root_report *report)
{
    char stack[4096];
    pid_t pid = clone(end_at_once, stack + sizeof stack,
                      CLONE_NEWPID | CLONE_VFORK | SIGCHLD, NULL);

    if (pid < 0)
        return failed(report, ROOT_STEP_PID);
    waitpid(pid, NULL, 0);
    return true;
}

/* Is first..last mapped in our user namespace? user_namespaces(7), uid_map. */
static bool uids_exist(unsigned first, unsigned last)
{
    auto_file FILE *file = fopen("/proc/self/uid_map", "re");
    unsigned long inside, outside, count;

    // NOLINTNEXTLINE(cert-err34-c): the kernel's numbers fit
    while (file && fscanf(file, "%lu %lu %lu", &inside, &outside, &count) == 3)
        if (first >= inside && last - inside < count)
            return true;
    return false;
}

static enum root_user user_that_can_be_had(void)
{
    if (!privilege_is_root())
        return ROOT_USER_SAME;
    if (uids_exist(ROOT_UID_FIRST, ROOT_UID_LAST))
        return ROOT_USER_OWN;
    if (uids_exist(ROOT_UID_SHARED, ROOT_UID_SHARED))
        return ROOT_USER_SHARED;
    return ROOT_USER_SAME;
}

/* No path may be opened, made or removed any more, by us or a child; what is
 * open stays so, and a memfd is no path. The second wall where namespaces
 * cannot be had. landlock(7). */
static bool landlock_everything(void)
{
    struct landlock_ruleset_attr rights = {
        /* Those of the first version, which every later one knows. */
        .handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1,
    };
    auto_fd int fd =
        (int)syscall(SYS_landlock_create_ruleset, &rights, sizeof rights, 0);

    return fd >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_landlock_restrict_self, fd, 0) == 0;
}

void root_enter(struct root_report *report)
{
    *report = (struct root_report){.level = JAIL_LIMITS};
    /* Where the host's or a container's memory ends, the kernel kills a bot and
     * not who runs it. proc(5) */
    (void)write_text("/proc/self/oom_score_adj", "1000");
    report->user = user_that_can_be_had(); /* before /proc is gone */
    bool empty = enter_namespaces(report) && empty_root(report) &&
                 can_make_pid_namespace(report);

    report->landlocked = landlock_everything();
    if (report->own_user_namespace)
        report->user = ROOT_USER_SAME;
    if (empty)
        report->level =
            report->user == ROOT_USER_OWN ? JAIL_USER : JAIL_NAMESPACES;
}
