#include "runner/build/step.h"

#include "runner/base/cleanup.h"
#include "runner/base/log.h"

#include <signal.h>
#include <string.h>

/* A starved host is not the source's fault: far above the processor time. */
#define STEP_WALL_FACTOR 6u
#define STEP_WORK_BYTES (256u << 20)
#define STEP_OUTPUT_MAX_BYTES (128u << 20)

/* What the tools print when memory ran out under their address space limit. */
static const char *const out_of_memory[] = {
    "out of memory",
    "bad_alloc",
    "Cannot allocate memory",
    "pthread_create failed",
};

/* What LLVM's tools print when they fail by their own fault, even where they
 * then leave with an ordinary exit code. */
static const char *const own_fault[] = {
    "PLEASE submit a bug report",
    "LLVM ERROR:",
    "Stack dump:",
};

static bool says_one_of(const struct buf *text, const char *const *list,
                        size_t count)
{
    for (size_t i = 0; text->data && i < count; i++) {
        if (memmem(text->data, text->size, list[i], strlen(list[i])))
            return true;
    }
    return false;
}
#define SAYS(text, list) says_one_of(text, list, sizeof(list) / sizeof *(list))

/* clang found a mistake first: what it says of it is the reason. */
static const char *const mistake[] = {": error: "};

static bool is_own_fault(const struct workbox *box)
{
    return box->end == WORKBOX_SIGNALLED || box->code > 1 ||
           SAYS(&box->log, own_fault);
}

static void log_fault(const struct step *step, const struct workbox *box)
{
    const char *first = box->log.data ? box->log.data : "";

    log_line(LOG_ALARM, "build", "%s failed on %s: %s %d: %.*s", step->tool,
             *step->file ? step->file : "a submission",
             box->end == WORKBOX_SIGNALLED ? "signal" : "exit code", box->code,
             (int)strcspn(first, "\n"), first);
}

static int reject_time(struct making *making, const struct step *step)
{
    making->cpu_left_ns = 0;
    diagnostics_add_format(&making->diagnostics, step->file, 0,
                           "%s used up the build's %u seconds of processor "
                           "time; make the program simpler",
                           step->tool,
                           (unsigned)(making->cpu_ns / 1000000000u));
    return 0;
}

static int reject_memory(struct making *making, const struct step *step)
{
    diagnostics_add_format(&making->diagnostics, step->file, 0,
                           "%s needed more than the %u MiB of memory that a "
                           "build may use; make the program simpler",
                           step->tool, STEP_MEMORY_BYTES >> 20);
    return 0;
}

static int reject_fault(struct making *making, const struct step *step)
{
    diagnostics_add_format(&making->diagnostics, step->file, 0,
                           "%s itself failed on this source, twice; this is "
                           "our fault and has been logged. Try to write it "
                           "another way",
                           step->tool);
    return 0;
}

static int reject_size(struct making *making, const struct step *step)
{
    diagnostics_add_format(&making->diagnostics, step->file, 0,
                           "%s wrote a file or messages of more than %u MiB; "
                           "make the program simpler",
                           step->tool, STEP_WORK_BYTES >> 20);
    return 0;
}

/* 1: ended in order; 0: rejected; 2: its own fault; -1: error. */
static int run_once(struct making *making, const struct step *step,
                    struct workbox *box, struct err *err)
{
    auto_free char *name =
        mem_format("%s%s%s", step->tool, *step->file ? " " : "", step->file);
    const struct workbox_spec spec = {
        .name = name,
        .argv = step->argv,
        .mount = step->mount,
        .mount_count = step->mount_count,
        .input = step->input,
        .input_count = step->input_count,
        .cpu_ns = making->cpu_left_ns,
        .wall_ns = STEP_WALL_FACTOR * making->cpu_ns,
        .memory_bytes = STEP_MEMORY_BYTES,
        .work_bytes = STEP_WORK_BYTES,
    };

    if (spec.cpu_ns == 0) /* an earlier file took it all and said so */
        return 0;
    if (workbox_run(&spec, box, err) < 0)
        return -1;
    if (!making->level || box->level < making->level)
        making->level = box->level;
    if (box->end == WORKBOX_STARVED)
        return err_set(err, ERR_BUSY, "%s: the machine is too busy", name);
    if (box->end == WORKBOX_OVER_TIME || box->cpu_ns >= making->cpu_left_ns)
        return reject_time(making, step);
    making->cpu_left_ns -= box->cpu_ns;
    if ((box->end == WORKBOX_SIGNALLED || box->code != 0) &&
        SAYS(&box->log, out_of_memory))
        return reject_memory(making, step);
    if (box->end == WORKBOX_SIGNALLED && box->code == SIGXFSZ)
        return reject_size(making, step);
    /* By a hand, or by the kernel when memory ran out: not the source. */
    if (box->end == WORKBOX_SIGNALLED && box->code == SIGKILL)
        return err_set(err, ERR_SYSTEM, "%s was killed from outside", name);

    bool explained = !strcmp(step->tool, "clang") && SAYS(&box->log, mistake);
    return is_own_fault(box) && !explained ? 2 : 1;
}

int step_run(struct making *making, const struct step *step,
             struct workbox *box, struct err *err)
{
    int result = run_once(making, step, box, err);

    if (result != 2)
        return result;
    log_fault(step, box);
    workbox_release(box);
    result = run_once(making, step, box, err);
    if (result != 2)
        return result;
    log_fault(step, box);
    return reject_fault(making, step);
}

int step_read(const struct workbox *box, const char *name, struct buf *out,
              struct err *err)
{
    int got = workbox_read(box, name, STEP_OUTPUT_MAX_BYTES, out, err);

    if (got == 0)
        return err_set(err, ERR_SYSTEM, "%s was not written as a file", name);
    return got < 0 ? -1 : 0;
}
