/* workbox_confine: Landlock, for hosts that grant no namespaces (containers).
 *
 * A process may give up the right to open anything but what it names. It names
 * what a box with namespaces would show: the system's libraries, the mounts,
 * its own two folders. Runs in the child: system calls alone. Source:
 * landlock(7).
 */
#include "runner/build/workbox_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define READ_FILE (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE)
#define READ_FOLDER (READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define WRITE_FOLDER                                                \
    (READ_FOLDER | LANDLOCK_ACCESS_FS_WRITE_FILE |                  \
     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE | \
     LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_MAKE_FIFO)
/* All rights of the first version: what is not named below is denied. */
#define ALL_RIGHTS ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)

/* A path that the host lacks is no error: nothing is granted. */
static int allow(int ruleset, const char *path, uint64_t folder_rights)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    struct stat status;

    if (fd < 0)
        return errno == ENOENT ? 0 : -1;
    if (fstat(fd, &status) < 0)
        return -1;
    const struct landlock_path_beneath_attr rule = {
        .allowed_access = S_ISDIR(status.st_mode) ? folder_rights : READ_FILE,
        .parent_fd = fd,
    };
    long result = syscall(SYS_landlock_add_rule, ruleset,
                          LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
    return (int)result;
}

static int allow_all(const struct workbox_plan *plan, int ruleset)
{
    for (size_t i = 0; workbox_system_paths[i]; i++) {
        if (allow(ruleset, workbox_system_paths[i], READ_FOLDER) < 0)
            return -1;
    }
    /* The mounts: links in the temporary folder, followed to the host. */
    for (size_t i = 0; i < plan->spec->mount_count; i++) {
        if (allow(ruleset, plan->spec->mount[i].host, READ_FOLDER) < 0)
            return -1;
    }
    if (allow(ruleset, ".", READ_FOLDER) < 0)
        return -1;
    return allow(ruleset, "../out", WRITE_FOLDER);
}

int workbox_confine(const struct workbox_plan *plan)
{
    const struct landlock_ruleset_attr rules = {
        .handled_access_fs = ALL_RIGHTS,
    };

    if (plan->namespaces)
        return 0;
    int ruleset =
        (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (ruleset < 0) /* not built in, or switched off */
        return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -1;
    if (allow_all(plan, ruleset) < 0)
        return -1;
    int result = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(ruleset);
    return result;
}
