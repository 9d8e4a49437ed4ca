/* slot_home: the control group (version 2) that this process may divide.
 *
 * A group whose controllers its children use may hold no process of its own.
 * So who divides a group goes into a leaf of it first, "bout-run", with all
 * that it starts afterwards; the slots are the leaf's neighbours:
 *
 *     the delegated group      cgroup.subtree_control: memory pids
 *       bout-run               worker, zygote, whoever started them
 *       bout-slot-PID-0 ...    slot.h
 *
 * The cpu controller is left alone: a worker and its bots would be parties that
 * wait for each other's time slices, and a turn many times as long.
 * Source: cgroups(7), the kernel's admin-guide/cgroup-v2, systemd's
 * CGROUP_DELEGATION.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* SLOT_LACK(NAME, text): why there is none. */
#define SLOT_LACKS(SLOT_LACK)                                               \
    SLOT_LACK(NOTHING, "")                                                  \
    SLOT_LACK(VERSION, "control groups of version 2 are not mounted here")  \
    SLOT_LACK(CONTROLLERS, "this process's control group of version 2 has " \
                           "no memory and pids controllers")                \
    SLOT_LACK(DELEGATION, "systemd has not delegated this process's "       \
                          "control group")                                  \
    SLOT_LACK(SHARED, "other processes run in the same control group")      \
    SLOT_LACK(RIGHTS, "this process may not divide its control group")      \
    SLOT_LACK(TRIAL, "no process could be put into a control group")

enum slot_lack {
#define SLOT_LACK(name, text) SLOT_LACK_##name,
    SLOT_LACKS(SLOT_LACK)
#undef SLOT_LACK
};

struct slot_home {
    int fd;     /* the group's folder; -1: there is none */
    bool moved; /* we were moved into the leaf, and go back */
    int sys_errno;
};

const char *slot_lack_text(enum slot_lack lack);

/* Moves this process into the leaf, unless it is there. Whatever it returns but
 * SLOT_LACK_NOTHING, nothing has changed and home->fd is -1. */
enum slot_lack slot_home_enter(struct slot_home *home);

/* Takes apart what enter made, if nobody else uses it. All boxes are gone. */
void slot_home_leave(struct slot_home *home);

/* Removes the slots of those who are dead, and whatever still runs in them. */
void slot_home_sweep(const struct slot_home *home);

/* Files of a group's folder. slot_read ends the text with NUL, its length is
 * returned; both are -1 with errno on failure. */
int slot_write(int folder, const char *file, const char *text);
long slot_read(int folder, const char *file, char *text, size_t size);
