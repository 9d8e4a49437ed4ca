#include "profiler/measure/family_internal.h"

#include "profiler/measure/files_internal.h"
#include "runner/base/cleanup.h"

#include <ctype.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct member {
    pid_t pid;
    pid_t parent;
    uint64_t user, system;               /* ticks, own */
    uint64_t waited_user, waited_system; /* ticks, of ended children */
    uint64_t resident_pages;
};

/* proc(5), stat: the name in brackets may hold anything, so what follows the
 * last ')' is read. */
static bool member_read(pid_t pid, struct member *member)
{
    auto_free char *line = file_text("", "/proc/%d/stat", (int)pid);
    const char *rest = line ? strrchr(line, ')') : NULL;
    if (!rest)
        return false;
    *member = (struct member){.pid = pid};
    long resident = 0;
    /* state ppid; 9 fields; utime stime cutime cstime; 6; vsize rss */
    int parent = 0;
    int found = // NOLINTNEXTLINE(cert-err34-c): the kernel's numbers fit
        sscanf(rest + 2,
               "%*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu "
               "%*d %*d %*d %*d %*u %*u %ld",
               &parent, &member->user, &member->system, &member->waited_user,
               &member->waited_system, &resident);
    member->parent = parent;
    member->resident_pages = resident > 0 ? (uint64_t)resident : 0;
    return found == 6;
}

static struct member *members_read(size_t *count)
{
    auto_dir DIR *dir = opendir("/proc");
    struct member *all = NULL;
    size_t used = 0;
    size_t capacity = 0;

    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        if (used == capacity) {
            capacity = capacity * 2 + 64;
            all = mem_realloc(all, capacity * sizeof *all);
        }
        used += member_read((pid_t)strtol(entry->d_name, NULL, 10), &all[used]);
    }
    *count = used;
    return all;
}

/* Marks who descends from `root`, itself included. */
static void mark(const struct member *all, size_t count, pid_t root, bool *in)
{
    bool changed = true;

    for (size_t i = 0; i < count; i++)
        in[i] = all[i].pid == root;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; !in[i] && j < count; j++)
                if (in[j] && all[j].pid == all[i].parent)
                    changed = in[i] = true;
    }
}

static pid_t root_of(const struct measure_spec *spec)
{
    return spec->whose == MEASURE_PID ? spec->pid : getpid();
}

static uint64_t microseconds(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
}

static void add_usage(struct family *out, int who)
{
    struct rusage usage;

    if (getrusage(who, &usage) < 0)
        return;
    out->user_us += microseconds(usage.ru_utime);
    out->system_us += microseconds(usage.ru_stime);
}

void family_read(const struct measure_spec *spec, struct family *out)
{
    size_t count;
    auto_free struct member *all = members_read(&count);
    auto_free bool *in = mem_calloc(count + 1, sizeof *in);
    pid_t root = root_of(spec);
    uint64_t tick_us = 1000000 / (uint64_t)sysconf(_SC_CLK_TCK);
    uint64_t page_kb = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;

    *out = (struct family){0};
    if (spec->whose == MEASURE_SELF)
        add_usage(out, RUSAGE_SELF);
    if (spec->whose != MEASURE_PID)
        add_usage(out, RUSAGE_CHILDREN);
    mark(all, count, root, in);
    for (size_t i = 0; i < count; i++) {
        const struct member *member = &all[i];
        bool is_us = member->pid == root && spec->whose != MEASURE_PID;
        if (!in[i])
            continue;
        if (!is_us) {
            out->user_us += (member->user + member->waited_user) * tick_us;
            out->system_us +=
                (member->system + member->waited_system) * tick_us;
        }
        if (!is_us || spec->whose == MEASURE_SELF)
            out->resident_kb += member->resident_pages * page_kb;
    }
}

bool family_has(const struct measure_spec *spec, pid_t pid)
{
    pid_t root = root_of(spec);
    struct member member;

    for (int depth = 0; depth < 1000 && pid > 0; depth++) {
        if (pid == root)
            return depth > 0 || spec->whose != MEASURE_CHILDREN;
        if (!member_read(pid, &member))
            return false;
        pid = member.parent;
    }
    return false;
}
