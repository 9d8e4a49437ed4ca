/* workbox: runs one tool of the toolchain once, jailed.
 *
 * Calling order: workbox_run, workbox_read for each output, workbox_release.
 * The caller owns `struct workbox`; it holds buffers, a descriptor and, where
 * the kernel grants no namespaces, a temporary folder until workbox_release.
 *
 * What the tool does with hostile input (crash, overrun, endless loop) is in
 * `struct workbox`, not an error; -1 means that the box itself failed.
 * Any thread may call; nothing is shared between boxes.
 *
 * Inside, paths are relative and the same at every level: the tool starts in
 * `src/`, which holds the inputs, may write to `../out/` alone, and sees each
 * mount as `../NAME`. Source: README "The jail", clone(2), mount(2),
 * pivot_root(2), seccomp(2).
 */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORKBOX_TEXT_MAX_BYTES 65536u /* kept of each output stream */

/* What the kernel granted, from the strongest down; as enum jail_level. */
enum workbox_level {
    WORKBOX_LIMITS = 1,     /* system call filter, limits, no new privileges */
    WORKBOX_NAMESPACES = 2, /* + own root, mounts, pids, network, ipc, uts */
    WORKBOX_USER = 3,       /* + the uid "nobody" */
};

struct workbox_mount {
    const char *name; /* seen as ../NAME; must not be src, out, usr, lib... */
    const char *host; /* absolute path of a file or folder, read-only inside */
};

struct workbox_input {
    const char *path; /* relative to src/, checked by the caller */
    const void *bytes;
    size_t size;
};

struct workbox_spec {
    const char *name;        /* for messages: "clang bot.c" */
    const char *const *argv; /* argv[0] is a path inside; NULL at the end */
    const struct workbox_mount *mount;
    size_t mount_count;
    const struct workbox_input *input;
    size_t input_count;
    uint64_t cpu_ns;       /* user + system time, rounded up to a second */
    uint64_t wall_ns;      /* net for a starved host; far above cpu_ns */
    uint64_t memory_bytes; /* address space */
    uint64_t work_bytes;   /* inputs and outputs together */
    int talk_fd; /* workbox_open: a socket, its standard input and output;
                    borrowed for the call */
};

enum workbox_end {
    WORKBOX_EXITED,    /* code: exit code */
    WORKBOX_SIGNALLED, /* code: the signal that ended it */
    WORKBOX_OVER_TIME, /* used more than cpu_ns */
    WORKBOX_STARVED,   /* wall_ns passed with less than cpu_ns used: the host's
                          fault; may be run again */
};

struct workbox {
    enum workbox_end end;
    int code;
    struct buf out; /* standard output, cut at WORKBOX_TEXT_MAX_BYTES */
    struct buf log; /* standard error, cut likewise */
    bool log_cut;
    uint64_t cpu_ns;
    uint64_t wall_ns;
    enum workbox_level level;
    int out_fd;       /* the folder ../out, or -1 */
    char *out_folder; /* level LIMITS: the temporary folder; else NULL */
};

/* Returns when the tool and all that it started are dead and reaped. *box is
 * filled in any case and must be released. */
int workbox_run(const struct workbox_spec *spec, struct workbox *box,
                struct err *err);

/* Appends ../out/NAME's bytes. 1: read; 0: the tool wrote no such regular file;
 * -1: over `cap` (ERR_TOO_BIG) or unreadable. */
int workbox_read(const struct workbox *box, const char *name, size_t cap,
                 struct buf *out, struct err *err);

void workbox_release(struct workbox *box);
#define auto_workbox __attribute__((cleanup(workbox_release)))

/* A tool that is talked to while it runs; it may write no file. Zeroed: none is
 * open. It dies with the thread that opened it. */
struct workbox_live {
    int pid; /* 0: none */
    int log_fd;
    enum workbox_level level;
    char *folder; /* level LIMITS: the temporary folder; else NULL */
};

/* Returns once the tool runs. cpu_ns, memory_bytes and the rest hold; wall_ns
 * is for the caller to watch. *live is written on success only. */
int workbox_open(const struct workbox_spec *spec, struct workbox_live *live,
                 struct err *err);
/* The end of what it wrote to standard error, at most `most` bytes. */
int workbox_log_tail(const struct workbox_live *live, size_t most,
                     struct buf *out, struct err *err);
/* Kills and reaps it and all that it started. */
void workbox_close(struct workbox_live *live);

/* For people: "namespaces and own uid", ... */
const char *workbox_level_text(enum workbox_level level);
