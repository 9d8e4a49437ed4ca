#include "runner/jail/slot.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define TRIAL_BYTES (64u << 20)

/* ---- making ------------------------------------------------------------ */

/* Of this process, which may have opened slots twice. */
static unsigned made_count;

/* A stale one of a dead process with our pid is taken over. Between mkdir and
 * the lock another's sweep may have removed it: then once more. */
static int make_folder(const struct slots *slots, const char *name)
{
    for (int tries = 0; tries < 3; tries++) {
        if (mkdirat(slots->home.fd, name, 0755) < 0 && errno != EEXIST)
            return -1;
        auto_fd int fd =
            openat(slots->home.fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
            slot_write(fd, "pids.max", "1") == 0)
            return take_fd(&fd);
    }
    return -1;
}

static int open_procs(int folder)
{
    return openat(folder, "cgroup.procs", O_WRONLY | O_CLOEXEC);
}

/* memory.swap.max is not there where the kernel does not account for swap. */
static bool bound(int folder)
{
    return slot_write(folder, "memory.oom.group", "1") == 0 &&
           (slot_write(folder, "memory.swap.max", "0") == 0 || errno == ENOENT);
}

static int make(const struct slots *slots, struct slot *slot, struct err *err)
{
    struct slot made = {.folder = -1, .procs = -1};

    snprintf(made.name, sizeof made.name, SLOT_PREFIX "%d-%u", (int)getpid(),
             made_count++);
    auto_fd int folder = make_folder(slots, made.name);
    if (folder < 0 || !bound(folder))
        return err_sys(err, errno, "control group %s", made.name);
    if (slots->way == CHILD_SLOT_WRITTEN &&
        (made.procs = open_procs(folder)) < 0)
        return err_sys(err, errno, "control group %s", made.name);
    made.folder = take_fd(&folder);
    *slot = made;
    return 0;
}

static int set_memory(struct slot *slot, uint64_t bytes, struct err *err)
{
    char text[32];

    if (bytes == slot->memory_bytes)
        return 0;
    snprintf(text, sizeof text, "%" PRIu64, bytes);
    if (slot_write(slot->folder, "memory.max", text) < 0)
        return err_sys(err, errno, "control group: memory.max %s", text);
    slot->memory_bytes = bytes;
    return 0;
}

/* ---- use --------------------------------------------------------------- */

int slot_take(struct slots *slots, uint64_t memory_bytes, int *slot,
              struct err *err)
{
    unsigned number = 0;

    *slot = SLOT_NONE;
    if (!slots || slots->lack != SLOT_LACK_NOTHING)
        return 0;
    while (number < SLOTS_MAX && slots->slot[number].taken)
        number++;
    if (number == SLOTS_MAX)
        return err_set(err, ERR_SYSTEM, "more than %u boxes", SLOTS_MAX);

    struct slot *free_one = &slots->slot[number];
    if ((free_one->folder < 0 && make(slots, free_one, err) < 0) ||
        set_memory(free_one, memory_bytes, err) < 0)
        return -1;
    free_one->taken = true;
    *slot = (int)number;
    return 0;
}

void slot_give_back(struct slots *slots, int slot)
{
    if (slots && slot != SLOT_NONE)
        slots->slot[slot].taken = false;
}

int slot_fd(const struct slots *slots, int slot)
{
    if (slot == SLOT_NONE)
        return -1;
    return slots->way == CHILD_SLOT_WRITTEN ? slots->slot[slot].procs
                                            : slots->slot[slot].folder;
}

bool slot_ran_out(struct slots *slots, int number)
{
    char text[512];

    if (number == SLOT_NONE)
        return false;
    struct slot *slot = &slots->slot[number];
    uint64_t before = slot->oom_kills;
    if (slot_read(slot->folder, "memory.events", text, sizeof text) < 0)
        return false;
    const char *line = strstr(text, "oom_kill ");
    if (line)
        slot->oom_kills = strtoul(line + strlen("oom_kill "), NULL, 10);
    return slot->oom_kills > before;
}

/* ---- all of them ------------------------------------------------------- */

/* Kernels before 5.7 cannot, and a container may deny clone3. */
static bool can_be_born_in(int folder)
{
    struct clone_args args = {
        .flags = CLONE_INTO_CGROUP,
        .exit_signal = SIGCHLD,
        .cgroup = (unsigned)folder,
    };
    long pid = syscall(SYS_clone3, &args, sizeof args);

    if (pid == 0)
        syscall(SYS_exit_group, 0);
    return pid > 0 && waitpid((pid_t)pid, NULL, 0) == pid;
}

static enum slot_lack try_first(struct slots *slots)
{
    struct err err = {0};
    int slot;

    if (slot_take(slots, TRIAL_BYTES, &slot, &err) < 0)
        return SLOT_LACK_RIGHTS;
    slot_give_back(slots, slot);
    if (can_be_born_in(slots->slot[slot].folder))
        return SLOT_LACK_NOTHING;
    slots->home.sys_errno = errno;
    slots->way = CHILD_SLOT_WRITTEN;
    slots->slot[slot].procs = open_procs(slots->slot[slot].folder);
    return slots->slot[slot].procs < 0 ? SLOT_LACK_TRIAL : SLOT_LACK_NOTHING;
}

static void remove_all(struct slots *slots)
{
    for (unsigned i = 0; i < SLOTS_MAX; i++) {
        struct slot *slot = &slots->slot[i];

        if (slot->folder < 0)
            continue;
        (void)unlinkat(slots->home.fd, slot->name, AT_REMOVEDIR);
        fd_close(&slot->folder);
        fd_close(&slot->procs);
    }
}

struct slots *slots_open(void)
{
    struct slots *slots = mem_calloc(1, sizeof *slots);

    for (unsigned i = 0; i < SLOTS_MAX; i++)
        slots->slot[i].folder = slots->slot[i].procs = -1;
    slots->way = CHILD_SLOT_BORN;
    slots->lack = slot_home_enter(&slots->home);
    if (slots->lack != SLOT_LACK_NOTHING)
        return slots;
    slot_home_sweep(&slots->home);
    slots->lack = try_first(slots);
    if (slots->lack != SLOT_LACK_NOTHING) {
        remove_all(slots);
        slot_home_leave(&slots->home);
    }
    return slots;
}

void slots_close(struct slots *slots)
{
    if (!slots)
        return;
    if (slots->home.fd >= 0) {
        remove_all(slots);
        slot_home_sweep(&slots->home);
        slot_home_leave(&slots->home);
    }
    free(slots);
}
