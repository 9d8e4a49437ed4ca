#include "runner/jail/doctor.h"
#include "runner/base/io.h"
#include "runner/jail/filter.h"
#include "runner/jail/outer.h"
#include "runner/jail/zygote.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- levels ------------------------------------------------------------ */

struct level_text {
    const char *name;
    const char *meaning;
    const char *next; /* how to get from here to the next level */
};

static const struct level_text levels[] = {
    [JAIL_LIMITS] =
        {"limits",
         "Bots run under the system-call filter, resource limits, "
         "no_new_privs and, where the check says so, landlock, but in the "
         "host's namespaces: the filter is the first wall and the last but "
         "one.",
         "Allow namespaces: run as root, or allow unprivileged user "
         "namespaces (sysctl user.max_user_namespaces > 0; on Ubuntu also "
         "kernel.apparmor_restrict_unprivileged_userns=0), or in Docker give "
         "--cap-add SYS_ADMIN and a seccomp profile that allows clone, "
         "unshare, "
         "mount and pivot_root."},
    [JAIL_NAMESPACES] =
        {"namespaces",
         "Bots also run in empty network, mount, IPC, host-name and process "
         "namespaces, but all under one user.",
         "Run bout as root with all user ids mapped: each bot then gets a user "
         "of its own."},
    [JAIL_USER] =
        {"user",
         "Bots run under the filter and limits, in empty namespaces, each as a "
         "user of its own.",
         "Let bout divide a control group of version 2 with the memory and "
         "pids controllers: as a systemd unit with Delegate=yes (or "
         "systemd-run -p Delegate=yes), or in a container alone with a "
         "writable /sys/fs/cgroup of its own."},
    [JAIL_SLOT] = {"slot",
                   "Bots run under the filter and limits, in empty namespaces, "
                   "each as a user and in a control group of its own: all that "
                   "the jail has.",
                   NULL},
};

const char *jail_level_text(enum jail_level level)
{
    return levels[level].name;
}

/* ---- checks ------------------------------------------------------------ */

static void add_check(json_t *checks, const char *name, bool ok, bool needed,
                      const char *detail)
{
    json_array_append_new(checks,
                          json_pack("{s:s, s:b, s:b, s:s}", "name", name, "ok",
                                    ok, "needed", needed, "detail", detail));
}

/* Loads the bots' filter and makes a call that it must trap. */
static _Noreturn void try_filter(struct filter *filter)
{
    struct sock_fprog program = {
        .len = (unsigned short)filter->count,
        .filter = filter->code,
    };
    struct rlimit no_core = {0};

    setrlimit(RLIMIT_CORE, &no_core);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
        syscall(SYS_exit_group, 1);
    syscall(SYS_getppid);
    syscall(SYS_exit_group, 2);
    __builtin_trap();
}

static int check_filter(json_t *checks, struct err *err)
{
    struct filter filter;
    int status = 0;

    if (filter_compile(&filter, FILTER_HOST_ARCH, err) < 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0)
        try_filter(&filter);
    if (pid < 0 || waitpid(pid, &status, 0) < 0)
        return err_sys(err, errno, "doctor: try the filter");
    bool ok = WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
    add_check(checks, "system-call filter", ok, true,
              ok ? "a call outside runner/jail/syscalls.def traps"
                 : "seccomp filters cannot be loaded: the kernel needs "
                   "CONFIG_SECCOMP_FILTER, a container must allow seccomp(2)");
    return 0;
}

/* A file under /proc/sys; "" where there is none. */
static void read_setting(const char *path, struct buf *value)
{
    struct err missing;

    buf_clear(value);
    (void)io_read_file(path, 4096, value, &missing);
}

static void check_settings(json_t *checks)
{
    auto_buf struct buf value = {0};

    read_setting("/proc/sys/vm/memfd_noexec", &value);
    bool ok = value.size == 0 || value.data[0] == '0';
    add_check(checks, "programs from memory", ok, true,
              ok ? "executables can be started from sealed memory"
                 : "vm.memfd_noexec is set: sysctl vm.memfd_noexec=0");

    read_setting("/proc/sys/vm/overcommit_memory", &value);
    ok = value.size == 0 || value.data[0] != '2';
    add_check(checks, "address space", ok, true,
              ok ? "memory is backed when it is touched"
                 : "vm.overcommit_memory is 2: a bot's reserve of stack would "
                   "count as used; sysctl vm.overcommit_memory=0");
}

/* A build box has 1 GiB; a match of two bots with the default memory_bytes, its
 * referee and worker are within 256 MiB; the service is within 64. */
#define DOCTOR_BUILD_MIB 1024u
#define DOCTOR_MATCH_MIB 256u
#define DOCTOR_SERVICE_MIB 64u

static void check_memory(json_t *checks, unsigned processors)
{
    bool by_group;
    unsigned mib = (unsigned)(outer_memory_bytes(&by_group) >> 20);
    unsigned wanted =
        DOCTOR_SERVICE_MIB + DOCTOR_BUILD_MIB + processors * DOCTOR_MATCH_MIB;
    const char *whose = by_group ? "a control group allows" : "the host has";
    char text[256];

    if (mib >= wanted)
        snprintf(text, sizeof text, "%s %u MiB, enough for %u workers", whose,
                 mib, processors);
    else
        snprintf(text, sizeof text,
                 "%s %u MiB, less than the %u MiB that a build and %u matches "
                 "may take at once: the kernel may kill a bot that is within "
                 "its own limit",
                 whose, mib, wanted, processors);
    add_check(checks, "memory", mib >= wanted, false, text);
}

static int processor_count(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) < 0 ? 0 : CPU_COUNT(&set);
}

static void check_processors(json_t *checks, int count)
{
    char text[128];

    snprintf(text, sizeof text,
             "%d usable; a worker and its bots share one each", count);
    add_check(checks, "processors", count > 0, false, text);
}

static void check_report(json_t *checks, const struct root_report *report)
{
    char text[256];
    bool empty = report->level >= JAIL_NAMESPACES;

    if (empty)
        snprintf(text, sizeof text,
                 "network, mount, IPC, host-name and process namespaces%s, "
                 "empty root",
                 report->own_user_namespace ? " inside a user namespace" : "");
    else
        snprintf(text, sizeof text, "failed to %s: %s",
                 root_step_text(report->step),
                 strerrordesc_np(report->sys_errno));
    add_check(checks, "namespaces", empty, false, text);

    add_check(checks, "landlock", report->landlocked, false,
              report->landlocked
                  ? "a bot's process can open no path"
                  : "not in this kernel (CONFIG_SECURITY_LANDLOCK, and "
                    "landlock in the lsm= list)");
    add_check(checks, "users", report->user == ROOT_USER_OWN, false,
              report->user == ROOT_USER_OWN      ? "one for each bot"
              : report->user == ROOT_USER_SHARED ? "nobody, for all bots"
                                                 : "the one that runs bout");
}

static void check_slots(json_t *checks, const struct slots *slots)
{
    char text[256];
    bool ok = slots->lack == SLOT_LACK_NOTHING;

    if (ok)
        snprintf(text, sizeof text,
                 "one of version 2 for each bot at a time, used again (%s): "
                 "the kernel bounds its memory and processes too",
                 slots->way == CHILD_SLOT_BORN ? "clone3" : "cgroup.procs");
    else
        snprintf(text, sizeof text,
                 "%s%s%s: address space, limits and filter alone bound a "
                 "bot's memory and processes",
                 slot_lack_text(slots->lack), slots->home.sys_errno ? ": " : "",
                 slots->home.sys_errno ? strerrordesc_np(slots->home.sys_errno)
                                       : "");
    add_check(checks, "control groups", ok, false, text);
}

static void check_kernel(json_t *checks)
{
    struct utsname name;
    char text[sizeof name.release + sizeof name.machine + 2];

    uname(&name);
    snprintf(text, sizeof text, "%s %s", name.release, name.machine);
    add_check(checks, "kernel", true, true, text);
}

int doctor_report(json_t **out, struct err *err)
{
    struct zygote *zygote = zygote_start(-1, err);
    json_t *checks = json_array();

    if (!zygote || check_filter(checks, err) < 0) {
        zygote_stop(zygote);
        json_decref(checks);
        return -1;
    }
    enum jail_level level = zygote_level(zygote);
    check_kernel(checks);
    check_settings(checks);
    check_report(checks, &zygote->report);
    check_slots(checks, zygote->slots);
    check_processors(checks, processor_count());
    check_memory(checks, (unsigned)processor_count());
    zygote_stop(zygote);
    prctl(PR_SET_TIMERSLACK, 0); /* zygote_start's is for workers */
    *out = json_pack("{s:i, s:s, s:s, s:s?, s:o}", "level", (int)level, "name",
                     levels[level].name, "meaning", levels[level].meaning,
                     "next", levels[level].next, "checks", checks);
    return 0;
}

void doctor_text(const json_t *report, struct buf *text)
{
    const json_t *next = json_object_get(report, "next");
    const json_t *check;
    size_t i;

    json_array_foreach(json_object_get(report, "checks"), i, check) {
        bool ok = json_boolean_value(json_object_get(check, "ok"));
        bool needed = json_boolean_value(json_object_get(check, "needed"));

        buf_add_format(text, "%-4s %-22s %s\n",
                       ok       ? "ok"
                       : needed ? "FAIL"
                                : "no",
                       json_string_value(json_object_get(check, "name")),
                       json_string_value(json_object_get(check, "detail")));
    }
    buf_add_format(text, "\nlevel %d of %d (%s): %s\n",
                   (int)json_integer_value(json_object_get(report, "level")),
                   JAIL_SLOT,
                   json_string_value(json_object_get(report, "name")),
                   json_string_value(json_object_get(report, "meaning")));
    if (json_is_string(next))
        buf_add_format(text, "next level: %s\n", json_string_value(next));
}
