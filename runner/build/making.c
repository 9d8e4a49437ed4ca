#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/build/step.h"

#include <stdlib.h>
#include <string.h>

void making_release(struct making *making)
{
    toolchain_release(&making->toolchain);
    diagnostics_release(&making->diagnostics);
}

static const char *choose_target(const char *target, struct err *err)
{
    if (!target)
        target = toolchain_host_target();
    if (!target)
        err_set(err, ERR_SYSTEM, "this machine is none that bots run on");
    else if (!toolchain_is_target(target))
        err_set(err, ERR_INPUT,
                "%s: no such target; there are x86_64 and "
                "aarch64",
                target);
    else
        return target;
    return NULL;
}

/* What is no number of seconds, up to a day, leaves the default. */
static uint64_t find_cpu_ns(void)
{
    const char *given = getenv(TOOLCHAIN_BUILD_SECONDS);
    char *end = NULL;
    unsigned long seconds = given ? strtoul(given, &end, 10) : 0;

    if (!seconds || *end || seconds > TOOLCHAIN_BUILD_SECONDS_MAX)
        return STEP_CPU_NS;
    return seconds * UINT64_C(1000000000);
}

int making_start(struct making *making, const struct build_source *source,
                 const char *target, struct err *err)
{
    making->target = choose_target(target, err);
    if (!making->target || toolchain_find(&making->toolchain, err) < 0)
        return -1;

    auto_free char *code =
        mem_format("%s/lib.%s.o", making->toolchain.library, making->target);
    if (!io_exists(code)) {
        const char *host = toolchain_host_target();
        bool asked = !host || strcmp(making->target, host) != 0;
        return err_set(err, asked ? ERR_INPUT : ERR_SYSTEM,
                       "the library was not built for %s here: %s",
                       making->target,
                       asked ? "leave --target out to build for this machine"
                             : "run make library");
    }
    making->source = source;
    making->cpu_ns = find_cpu_ns();
    making->cpu_left_ns = making->cpu_ns;
    return 0;
}
