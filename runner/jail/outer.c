#include "runner/jail/outer.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where groups of the two versions are mounted, on every system that has them;
 * the last is systemd's, of both at once. */
static const struct {
    const char *root;
    const char *file;
    bool unified; /* version 2 */
} hierarchies[] = {
    {"/sys/fs/cgroup", "memory.max", true},
    {"/sys/fs/cgroup/unified", "memory.max", true},
    {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", false},
};

/* UINT64_MAX: none ("max", or no such file). */
static uint64_t read_limit(const char *root, const char *group,
                           const char *file)
{
    char path[PATH_MAX + 128];
    uint64_t bytes;

    snprintf(path, sizeof path, "%s%s/%s", root, group, file);
    auto_file FILE *limit = fopen(path, "re");
    return limit && fscanf(limit, "%" SCNu64, &bytes) == 1 ? bytes : UINT64_MAX;
}

/* Of the group and those above it. In a container the upper part of the path
 * may be out of sight, and what is mounted is the lower: missing files say
 * nothing. */
static uint64_t least_above(const char *root, char *group, const char *file)
{
    uint64_t least = read_limit(root, "", file);

    for (char *end; *group && (end = strrchr(group, '/')); *end = '\0') {
        uint64_t bytes = read_limit(root, group, file);
        least = bytes < least ? bytes : least;
    }
    return least;
}

/* Is this line of /proc/self/cgroup, "number:controllers:path", of the memory
 * controller? Version 2 has the number 0 and names none. */
static bool has_memory(const char *controllers, bool unified)
{
    return unified ? !*controllers : strstr(controllers, "memory") != NULL;
}

static uint64_t least_of_line(const char *line)
{
    const char *controllers = strchr(line, ':');
    const char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    uint64_t least = UINT64_MAX;
    char names[256], group[PATH_MAX];

    if (!path)
        return least;
    snprintf(names, sizeof names, "%.*s", (int)(path - controllers - 1),
             controllers + 1);
    for (size_t i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++) {
        if (!has_memory(names, hierarchies[i].unified))
            continue;
        snprintf(group, sizeof group, "%.*s", (int)strcspn(path + 1, "\n"),
                 path + 1);
        uint64_t bytes =
            least_above(hierarchies[i].root, group, hierarchies[i].file);
        least = bytes < least ? bytes : least;
    }
    return least;
}

uint64_t outer_memory_bytes(bool *by_group)
{
    uint64_t host =
        (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t least = UINT64_MAX;
    char line[PATH_MAX + 256];
    auto_file FILE *groups = fopen("/proc/self/cgroup", "re");

    while (groups && fgets(line, sizeof line, groups)) {
        uint64_t bytes = least_of_line(line);
        least = bytes < least ? bytes : least;
    }
    *by_group = least < host;
    return *by_group ? least : host;
}
