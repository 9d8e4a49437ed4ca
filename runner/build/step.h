/* step: one step of a build in a workbox, with the build's own rules: all steps
 * share one allowance of time, overruns become diagnostics, and a tool that
 * crashes gets a second try before the source is blamed.
 */
#pragma once

#include "runner/build/diagnostics.h"
#include "runner/build/toolchain.h"
#include "runner/build/workbox.h"

/* Contract section 5; the time unless TOOLCHAIN_BUILD_SECONDS says another. */
#define STEP_CPU_NS 20000000000u
#define STEP_MEMORY_BYTES (1u << 30)

/* A build under way. Lives during build_make; borrowed by every step. */
struct making {
    const struct build_source *source;
    struct toolchain toolchain;
    const char *target;
    struct diagnostics diagnostics;
    uint64_t cpu_ns; /* the allowance of all steps, and what is left of it */
    uint64_t cpu_left_ns;
    enum workbox_level level; /* the lowest of all steps; 0: none yet */
};

/* `target` NULL means the host's; ERR_INPUT if there is none of that name. */
int making_start(struct making *making, const struct build_source *source,
                 const char *target, struct err *err);
void making_release(struct making *making);
#define auto_making __attribute__((cleanup(making_release)))

struct step {
    const char *tool;        /* for people: "clang", "bout-meter" */
    const char *file;        /* what it works on, for diagnostics; or "" */
    const char *const *argv; /* as in struct workbox_spec, and so on */
    const struct workbox_mount *mount;
    size_t mount_count;
    const struct workbox_input *input;
    size_t input_count;
};

/* 1: the tool ended with exit code 0 or 1, which the caller reads; 0: rejected,
 * the reason is among the diagnostics; -1: the machine failed. *box must be
 * released by the caller in any case. */
int step_run(struct making *making, const struct step *step,
             struct workbox *box, struct err *err);

/* Reads an output that the tool must have written; else ERR_SYSTEM. */
int step_read(const struct workbox *box, const char *name, struct buf *out,
              struct err *err);
