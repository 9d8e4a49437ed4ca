/* measure: the tables, and how providers are started, stepped and stopped.
 *
 * measure_start opens the providers of what is wanted, starts them in the order
 * of provider.def and takes the first step itself, so that even a command that
 * ends at once has a sample. The monitor's thread waits on a condition with a
 * monotonic deadline; measure_stop signals it, joins it, takes a last step, and
 * stops the providers in reverse order. */
#include "profiler/measure/measure.h"

#include "profiler/measure/provider_internal.h"
#include "runner/base/clock.h"
#include "runner/base/cleanup.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

/* ---- tables -------------------------------------------------------------- */

const struct measure_facts *measure_facts(enum measure measure)
{
    static const struct measure_facts facts[] = {
#define MEASURE(NAME, provider, TYPE, unit, description, example) \
    [MEASURE_##NAME] = {#NAME, provider,    MEASURE_TYPE_##TYPE,  \
                        unit,  description, example},
#include "profiler/measure/measure.def"
    };
    return (unsigned)measure < MEASURE_COUNT ? &facts[measure] : NULL;
}

const char *measure_type_name(enum measure_type type)
{
    static const char *const names[] = {"text", "number", "boolean",
                                        "JSON", "file",   "series"};
    return names[type];
}

static const struct provider_kind *const kinds[] = {
#define PROVIDER(name) &provider_##name,
#include "profiler/measure/provider.def"
};
#define KINDS (sizeof kinds / sizeof *kinds)

size_t measure_providers(struct measure_provider *out, size_t most)
{
    for (size_t i = 0; out && i < KINDS && i < most; i++)
        out[i] = kinds[i]->facts;
    return KINDS;
}

struct measure_want *measure_want_provider(struct measure_want *wants,
                                           size_t *count, const char *provider)
{
    wants = mem_realloc(wants, (*count + MEASURE_COUNT) * sizeof *wants);
    for (int m = 0; m < MEASURE_COUNT; m++)
        if (!provider ||
            !strcmp(measure_facts((enum measure)m)->provider, provider))
            wants[(*count)++] =
                (struct measure_want){.measure = (enum measure)m};
    return wants;
}

void measure_table(struct buf *out)
{
    buf_add_str(out, "| measure | provider | type | unit | what it is | for "
                     "example |\n|---|---|---|---|---|---|\n");
    for (int m = 0; m < MEASURE_COUNT; m++) {
        const struct measure_facts *facts = measure_facts((enum measure)m);
        buf_add_format(out, "| %s | %s | %s | %s | %s | `%s` |\n", facts->name,
                       facts->provider, measure_type_name(facts->type),
                       facts->unit, facts->description, facts->example);
    }
}

/* ---- what providers use -------------------------------------------------- */

bool measure_is_wanted(const struct measure_spec *spec, enum measure measure)
{
    for (size_t i = 0; i < spec->want_count; i++)
        if (spec->want[i].measure == measure)
            return true;
    return false;
}

void measure_say(const struct measure_spec *spec, enum measure_level level,
                 const char *component, const char *format, ...)
{
    auto_buf struct buf message = {0};
    enum measure_level abort_level =
        spec->abort_level ? spec->abort_level : MEASURE_CRITICAL;
    va_list args;

    va_start(args, format);
    buf_add_vformat(&message, format, args);
    va_end(args);
    if (spec->log)
        spec->log(spec->user, level, component, message.data);
    if (level < abort_level)
        return;
    if (spec->abort)
        spec->abort(spec->user);
    else
        abort();
}

/* ---- starting ------------------------------------------------------------ */

struct opened {
    const struct provider_kind *kind;
    void *self;
};

struct measure_tracking {
    struct measure_spec spec;
    struct measure_want *want;
    char *folder;
    char *root;
    struct opened opened[KINDS];
    size_t opened_count;
    uint64_t start_ns;
    pthread_t monitor;
    pthread_mutex_t lock; /* of is_ending */
    pthread_cond_t ending;
    bool is_ending;
};

/* Copies what is wanted, once each. */
static int copy_wants(struct measure_tracking *tracking,
                      const struct measure_spec *spec, struct err *err)
{
    tracking->want = mem_calloc(spec->want_count + 1, sizeof *tracking->want);
    tracking->spec.want = tracking->want;
    tracking->spec.want_count = 0;
    for (size_t i = 0; i < spec->want_count; i++) {
        const struct measure_want *want = &spec->want[i];
        if (!measure_facts(want->measure)) {
            measure_say(spec, MEASURE_WARN, "measure", "%d is no measure",
                        (int)want->measure);
            return err_set(err, ERR_INPUT, "%d is no measure",
                           (int)want->measure);
        }
        if (measure_is_wanted(&tracking->spec, want->measure))
            measure_say(spec, MEASURE_WARN, "measure", "%s is wanted twice",
                        measure_facts(want->measure)->name);
        else
            tracking->want[tracking->spec.want_count++] = *want;
    }
    return 0;
}

static void open_providers(struct measure_tracking *tracking)
{
    for (size_t k = 0; k < KINDS; k++) {
        bool is_needed = false;
        for (size_t i = 0; i < tracking->spec.want_count; i++) {
            enum measure measure = tracking->want[i].measure;
            is_needed |=
                !strcmp(measure_facts(measure)->provider, kinds[k]->facts.name);
        }
        if (!is_needed)
            continue;
        measure_say(&tracking->spec, MEASURE_DEBUG, kinds[k]->facts.name,
                    "opened");
        tracking->opened[tracking->opened_count++] = (struct opened){
            .kind = kinds[k], .self = kinds[k]->open(&tracking->spec)};
    }
}

static void tracking_free(struct measure_tracking *tracking)
{
    for (size_t i = tracking->opened_count; i-- > 0;)
        tracking->opened[i].kind->close(tracking->opened[i].self);
    free(tracking->want);
    free(tracking->folder);
    free(tracking->root);
    free(tracking);
}

static struct measure_tracking *tracking_new(const struct measure_spec *spec,
                                             struct err *err)
{
    struct measure_tracking *tracking = mem_calloc(1, sizeof *tracking);

    tracking->spec = *spec;
    tracking->folder = mem_dup_str(spec->folder ? spec->folder : ".");
    tracking->root = mem_dup_str(spec->root ? spec->root : "");
    tracking->spec.folder = tracking->folder;
    tracking->spec.root = tracking->root;
    if (!tracking->spec.poll_ms)
        tracking->spec.poll_ms = MEASURE_POLL_MS;
    if (copy_wants(tracking, spec, err) < 0) {
        tracking_free(tracking);
        return NULL;
    }
    if (spec->whose == MEASURE_PID && kill(spec->pid, 0) < 0) {
        err_set(err, ERR_INPUT, "process %d: %s", (int)spec->pid,
                strerrordesc_np(errno));
        tracking_free(tracking);
        return NULL;
    }
    open_providers(tracking);
    return tracking;
}

static void step(struct measure_tracking *tracking)
{
    uint64_t ms = (clock_mono_ns() - tracking->start_ns) / 1000000;

    for (size_t i = 0; i < tracking->opened_count; i++)
        if (tracking->opened[i].kind->step)
            tracking->opened[i].kind->step(tracking->opened[i].self, ms);
}

static void *monitor(void *data)
{
    struct measure_tracking *tracking = data;
    struct timespec next;

    clock_gettime(CLOCK_MONOTONIC, &next);
    pthread_mutex_lock(&tracking->lock);
    while (!tracking->is_ending) {
        uint64_t ns =
            (uint64_t)next.tv_nsec + (uint64_t)tracking->spec.poll_ms * 1000000;
        next.tv_sec += (time_t)(ns / 1000000000);
        next.tv_nsec = (long)(ns % 1000000000);
        while (!tracking->is_ending &&
               pthread_cond_timedwait(&tracking->ending, &tracking->lock,
                                      &next) != ETIMEDOUT)
            ;
        if (tracking->is_ending)
            break;
        pthread_mutex_unlock(&tracking->lock);
        step(tracking);
        pthread_mutex_lock(&tracking->lock);
    }
    pthread_mutex_unlock(&tracking->lock);
    return NULL;
}

/* The thread takes no signal: they are the measured program's caller's. */
static int start_monitor(struct measure_tracking *tracking)
{
    pthread_condattr_t attributes;
    sigset_t all, before;

    pthread_mutex_init(&tracking->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&tracking->ending, &attributes);
    pthread_condattr_destroy(&attributes);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&tracking->monitor, NULL, monitor, tracking);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

static bool is_polled(const struct measure_tracking *tracking)
{
    return tracking->spec.poll_ms != MEASURE_POLL_NEVER;
}

struct measure_tracking *measure_start(const struct measure_spec *spec,
                                       struct err *err)
{
    struct measure_tracking *tracking = tracking_new(spec, err);

    if (!tracking)
        return NULL;
    tracking->start_ns = clock_mono_ns();
    for (size_t i = 0; i < tracking->opened_count; i++)
        if (tracking->opened[i].kind->start)
            tracking->opened[i].kind->start(tracking->opened[i].self);
    step(tracking);
    int failed = is_polled(tracking) ? start_monitor(tracking) : 0;
    if (failed) {
        err_sys(err, failed, "measure: the monitor's thread");
        tracking_free(tracking);
        return NULL;
    }
    return tracking;
}

/* ---- stopping ------------------------------------------------------------ */

static void stop_monitor(struct measure_tracking *tracking)
{
    pthread_mutex_lock(&tracking->lock);
    tracking->is_ending = true;
    pthread_cond_signal(&tracking->ending);
    pthread_mutex_unlock(&tracking->lock);
    pthread_join(tracking->monitor, NULL);
    pthread_mutex_destroy(&tracking->lock);
    pthread_cond_destroy(&tracking->ending);
}

struct measure_result *measure_stop(struct measure_tracking *tracking,
                                    struct err *err)
{
    if (!tracking) {
        err_set(err, ERR_INPUT, "measure_stop: no tracking");
        return NULL;
    }
    if (is_polled(tracking))
        stop_monitor(tracking);
    step(tracking);
    for (size_t i = tracking->opened_count; i-- > 0;)
        if (tracking->opened[i].kind->stop)
            tracking->opened[i].kind->stop(tracking->opened[i].self);
    struct measure_result *result = measure_result_new(&tracking->spec);
    for (size_t i = 0; i < tracking->opened_count; i++) {
        const struct opened *opened = &tracking->opened[i];
        opened->kind->info(opened->self, result);
        if (opened->kind->stats)
            opened->kind->stats(opened->self, result);
    }
    tracking_free(tracking);
    return result;
}

struct measure_result *measure_info(const struct measure_spec *spec,
                                    struct err *err)
{
    struct measure_tracking *tracking = tracking_new(spec, err);

    if (!tracking)
        return NULL;
    struct measure_result *result = measure_result_new(&tracking->spec);
    for (size_t i = 0; i < tracking->opened_count; i++)
        tracking->opened[i].kind->info(tracking->opened[i].self, result);
    tracking_free(tracking);
    return result;
}
