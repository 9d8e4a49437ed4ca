#include "runner/jail/slot_home.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/jail/slot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#define GROUP_MAX (PATH_MAX + 16) /* a line of /proc/self/cgroup */
#define LEAF "bout-run"
#define DIVIDED "+memory +pids"
#define WHOLE "-memory -pids"

const char *slot_lack_text(enum slot_lack lack)
{
    static const char *const text[] = {
#define SLOT_LACK(name, text) text,
        SLOT_LACKS(SLOT_LACK)
#undef SLOT_LACK
    };

    return text[lack];
}

/* ---- files ------------------------------------------------------------- */

int slot_write(int folder, const char *file, const char *text)
{
    auto_fd int fd = openat(folder, file, O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return -1;
    return write(fd, text, strlen(text)) < 0 ? -1 : 0;
}

long slot_read(int folder, const char *file, char *text, size_t size)
{
    auto_fd int fd = openat(folder, file, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1);

    text[got < 0 ? 0 : got] = '\0';
    return got;
}

/* Is `word` one of those in the file? They are parted by blanks. */
static bool names(int folder, const char *file, const char *word)
{
    char text[512], *rest = text;

    if (slot_read(folder, file, text, sizeof text) < 0)
        return false;
    for (char *each; (each = strsep(&rest, " \n"));)
        if (strcmp(each, word) == 0)
            return true;
    return false;
}

/* ---- where ------------------------------------------------------------- */

/* This process's group as the mount shows it. False where it cannot be seen. */
static bool own_group(char path[GROUP_MAX])
{
    char line[GROUP_MAX];
    auto_file FILE *groups = fopen("/proc/self/cgroup", "re");

    while (groups && fgets(line, sizeof line, groups)) {
        if (strncmp(line, "0::/", 4) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(path, GROUP_MAX, "%s", line + 3);
        return strstr(path, "/..") == NULL;
    }
    return false;
}

/* Where version 2 is mounted alone, or beside version 1. */
static int open_group(const char *group)
{
    static const char *const roots[] = {"/sys/fs/cgroup",
                                        "/sys/fs/cgroup/unified"};
    char path[GROUP_MAX + 64];

    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        struct statfs system;

        snprintf(path, sizeof path, "%s%s", roots[i], group);
        auto_fd int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0 && fstatfs(fd, &system) == 0 &&
            system.f_type == CGROUP2_SUPER_MAGIC)
            return take_fd(&fd);
    }
    return -1;
}

/* Cuts the leaf off. */
static bool was_in_leaf(char *group)
{
    char *last = strrchr(group, '/');

    if (strcmp(last + 1, LEAF) != 0)
        return false;
    *last = '\0';
    return true;
}

/* systemd marks what it has given away; the rest it takes back when it likes.
 */
static bool is_delegated(int group)
{
    char yes[2];

    return access("/run/systemd/system", F_OK) != 0 ||
           fgetxattr(group, "user.delegate", yes, sizeof yes) == 1 ||
           fgetxattr(group, "trusted.delegate", yes, sizeof yes) == 1;
}

/* ---- into the leaf and back -------------------------------------------- */

static void leave_leaf(int group)
{
    (void)slot_write(group, "cgroup.procs", "0");
    (void)unlinkat(group, LEAF, AT_REMOVEDIR); /* unless another is in it */
}

static enum slot_lack divide(struct slot_home *home, int group)
{
    if (home->moved && ((mkdirat(group, LEAF, 0755) < 0 && errno != EEXIST) ||
                        slot_write(group, LEAF "/cgroup.procs", "0") < 0)) {
        home->sys_errno = errno;
        (void)unlinkat(group, LEAF, AT_REMOVEDIR);
        return SLOT_LACK_RIGHTS;
    }
    if (slot_write(group, "cgroup.subtree_control", DIVIDED) == 0)
        return SLOT_LACK_NOTHING;
    home->sys_errno = errno;
    if (home->moved)
        leave_leaf(group);
    return home->sys_errno == EBUSY ? SLOT_LACK_SHARED : SLOT_LACK_RIGHTS;
}

enum slot_lack slot_home_enter(struct slot_home *home)
{
    char path[GROUP_MAX];
    auto_fd int group = -1;

    *home = (struct slot_home){.fd = -1};
    if (!own_group(path))
        return SLOT_LACK_VERSION;
    home->moved = !was_in_leaf(path);
    group = open_group(path);
    if (group < 0)
        return SLOT_LACK_VERSION;
    if (!names(group, "cgroup.controllers", "memory") ||
        !names(group, "cgroup.controllers", "pids"))
        return SLOT_LACK_CONTROLLERS;
    if (home->moved && !is_delegated(group))
        return SLOT_LACK_DELEGATION;
    enum slot_lack lack = divide(home, group);
    if (lack == SLOT_LACK_NOTHING)
        home->fd = take_fd(&group);
    return lack;
}

static bool is_alone_in_leaf(int group)
{
    char text[64], own[32];

    snprintf(own, sizeof own, "%d\n", (int)getpid());
    return slot_read(group, LEAF "/cgroup.procs", text, sizeof text) >= 0 &&
           strcmp(text, own) == 0;
}

/* fdopendir wants a descriptor of its own, with its own place in the list. */
static DIR *list(int group)
{
    auto_fd int fd = openat(group, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);

    if (folder)
        (void)take_fd(&fd);
    return folder;
}

static bool has_other_groups(int group)
{
    auto_dir DIR *folder = list(group);

    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.' &&
            strcmp(entry->d_name, LEAF) != 0)
            return true;
    return false;
}

void slot_home_leave(struct slot_home *home)
{
    if (home->fd >= 0 && home->moved && is_alone_in_leaf(home->fd)) {
        if (!has_other_groups(home->fd))
            (void)slot_write(home->fd, "cgroup.subtree_control", WHOLE);
        leave_leaf(home->fd);
    }
    fd_close(&home->fd);
}

/* ---- what the dead have left ------------------------------------------- */

/* Kernels before 5.14 have no cgroup.kill. */
static void kill_all(int slot)
{
    char text[4096], *rest = text;

    if (slot_write(slot, "cgroup.kill", "1") == 0 ||
        slot_read(slot, "cgroup.procs", text, sizeof text) < 0)
        return;
    for (char *each; (each = strsep(&rest, "\n"));) {
        pid_t pid = (pid_t)strtol(each, NULL, 10);

        if (pid > 0)
            kill(pid, SIGKILL);
    }
}

static void remove_slot(int group, const char *name)
{
    auto_fd int slot = openat(group, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (slot < 0 || flock(slot, LOCK_EX | LOCK_NB) < 0)
        return; /* its owner lives */
    for (int i = 0; i < 100; i++) {
        if (unlinkat(group, name, AT_REMOVEDIR) == 0 || errno != EBUSY)
            return;
        kill_all(slot);
        clock_sleep_ns(1000000);
    }
}

void slot_home_sweep(const struct slot_home *home)
{
    auto_dir DIR *folder = list(home->fd);

    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strncmp(entry->d_name, SLOT_PREFIX, strlen(SLOT_PREFIX)) == 0)
            remove_slot(home->fd, entry->d_name);
}
