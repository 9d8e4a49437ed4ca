/* system: times, load and memory, of whom is measured and of the machine.
 * Source: proc(5). */
#include "profiler/measure/family_internal.h"
#include "profiler/measure/files_internal.h"
#include "profiler/measure/host_internal.h"
#include "profiler/measure/provider_internal.h"
#include "profiler/measure/series_internal.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { CPU_PROCESS, CPU_SYSTEM, CPU_MHZ, RAM_PROCESS, RAM_SYSTEM, SERIES };

static const enum measure series_measure[SERIES] = {
    MEASURE_CPU_USED_PROCESS_PERCENT, MEASURE_CPU_USED_SYSTEM_PERCENT,
    MEASURE_CPU_FREQUENCY_MHZ, MEASURE_RAM_USED_PROCESS_KB,
    MEASURE_RAM_USED_SYSTEM_MB};

/* Of all cores, in ticks. */
struct load {
    uint64_t busy;
    uint64_t all;
};

struct system {
    const struct measure_spec *spec;
    int64_t start_wall_ns, stop_wall_ns;
    uint64_t start_ns, stop_ns, last_ns;
    bool wants_family; /* it takes a look at every process */
    struct family first, last;
    struct load last_load;
    struct series series[SERIES];
};

static void *system_open(const struct measure_spec *spec)
{
    struct system *system = mem_calloc(1, sizeof *system);

    system->spec = spec;
    system->wants_family =
        measure_is_wanted(spec, MEASURE_TIME_ELAPSED_USER_MS) ||
        measure_is_wanted(spec, MEASURE_TIME_ELAPSED_SYSTEM_MS) ||
        measure_is_wanted(spec, MEASURE_CPU_USED_PROCESS_PERCENT) ||
        measure_is_wanted(spec, MEASURE_RAM_USED_PROCESS_KB);
    for (int i = 0; i < SERIES; i++)
        series_init(&system->series[i], MEASURE_SERIES_MAX,
                    i == RAM_PROCESS || i == RAM_SYSTEM);
    return system;
}

static void system_close(void *self)
{
    struct system *system = self;

    for (int i = 0; i < SERIES; i++)
        series_release(&system->series[i]);
    free(system);
}

static void system_info(void *self, struct measure_result *result)
{
    const struct system *system = self;

    host_info(system->spec, result);
}

/* The line "cpu": user nice system idle iowait irq softirq steal. */
static void load_read(const char *root, struct load *load)
{
    auto_free char *text = file_text(root, "/proc/stat");
    unsigned long long field[8];

    *load = (struct load){0};
    // NOLINTNEXTLINE(cert-err34-c): the kernel's numbers fit
    if (!text || sscanf(text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu",
                        &field[0], &field[1], &field[2], &field[3], &field[4],
                        &field[5], &field[6], &field[7]) != 8)
        return;
    for (int i = 0; i < 8; i++)
        load->all += field[i];
    load->busy = load->all - field[3] - field[4];
}

/* Of the cores' current frequencies the highest; NAN where none is told. */
static double highest_mhz(const char *root)
{
    double highest = NAN;
    double khz;

    for (int cpu = 0; file_number(
             &khz, root,
             "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu);
         cpu++)
        highest = fmax(highest, khz / 1000);
    if (!isnan(highest))
        return highest;
    auto_free char *cpus = file_text(root, "/proc/cpuinfo");
    for (const char *at = cpus; at && (at = strstr(at, "cpu MHz")); at++) {
        auto_free char *mhz = text_field(at, "cpu MHz");
        if (mhz)
            highest = fmax(highest, strtod(mhz, NULL));
    }
    return highest;
}

static double system_ram_mb(const char *root)
{
    auto_free char *memory = file_text(root, "/proc/meminfo");
    auto_free char *total = memory ? text_field(memory, "MemTotal") : NULL;
    auto_free char *rest = memory ? text_field(memory, "MemAvailable") : NULL;

    if (!total || !rest)
        return NAN;
    return (strtod(total, NULL) - strtod(rest, NULL)) * 1.024 / 1000;
}

static void look(const struct system *system, struct family *family)
{
    *family = (struct family){0};
    if (system->wants_family)
        family_read(system->spec, family);
}

static void system_start(void *self)
{
    struct system *system = self;

    system->start_wall_ns = clock_wall_ns();
    system->start_ns = system->last_ns = clock_mono_ns();
    look(system, &system->first);
    system->last = system->first;
    load_read(system->spec->root, &system->last_load);
}

static uint64_t busy_us(const struct family *family)
{
    return family->user_us + family->system_us;
}

/* A load is that since the last step: none at the first. What ends between two
 * looks and is nobody's child any more is lost, and never counted below zero.
 */
static void step_load(struct system *system, uint64_t ms,
                      const struct family *now)
{
    uint64_t now_ns = clock_mono_ns();
    struct load load;

    load_read(system->spec->root, &load);
    uint64_t since_us = (now_ns - system->last_ns) / 1000;
    if (since_us >= 1000) {
        uint64_t busy = busy_us(now) > busy_us(&system->last)
                            ? busy_us(now) - busy_us(&system->last)
                            : 0;
        series_add(&system->series[CPU_PROCESS], ms,
                   100.0 * (double)busy / (double)since_us);
        system->last = *now;
        system->last_ns = now_ns;
    }
    if (load.all > system->last_load.all) {
        series_add(&system->series[CPU_SYSTEM], ms,
                   100.0 * (double)(load.busy - system->last_load.busy) /
                       (double)(load.all - system->last_load.all));
        system->last_load = load;
    }
}

static void system_step(void *self, uint64_t ms)
{
    struct system *system = self;
    struct family now;

    look(system, &now);
    step_load(system, ms, &now);
    if (measure_is_wanted(system->spec, MEASURE_CPU_FREQUENCY_MHZ))
        series_add(&system->series[CPU_MHZ], ms,
                   highest_mhz(system->spec->root));
    series_add(&system->series[RAM_PROCESS], ms, (double)now.resident_kb);
    series_add(&system->series[RAM_SYSTEM], ms,
               system_ram_mb(system->spec->root));
}

static void system_stop(void *self)
{
    struct system *system = self;

    system->stop_ns = clock_mono_ns();
    system->stop_wall_ns = clock_wall_ns();
    look(system, &system->last);
}

json_t *measure_time(int64_t wall_ns)
{
    time_t seconds = (time_t)(wall_ns / 1000000000);
    struct tm utc;
    char text[64];

    gmtime_r(&seconds, &utc);
    size_t size = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text + size, sizeof text - size, ".%03dZ",
             (int)(wall_ns / 1000000 % 1000));
    return json_string(text);
}

static unsigned aggregate_of(const struct measure_spec *spec,
                             enum measure measure)
{
    for (size_t i = 0; i < spec->want_count; i++)
        if (spec->want[i].measure == measure)
            return spec->want[i].aggregate;
    return MEASURE_ALL;
}

void measure_give_series(const struct measure_spec *spec,
                         struct measure_result *result, enum measure measure,
                         const struct series *series)
{
    measure_give(result, measure,
                 series_json(series, aggregate_of(spec, measure)));
}

static void give_spent(struct measure_result *result, enum measure measure,
                       uint64_t first_us, uint64_t last_us)
{
    uint64_t spent = last_us > first_us ? last_us - first_us : 0;

    measure_give_number(result, measure, round((double)spent / 1000));
}

static void system_stats(void *self, struct measure_result *result)
{
    const struct system *system = self;

    measure_give(result, MEASURE_TIME_START,
                 measure_time(system->start_wall_ns));
    measure_give(result, MEASURE_TIME_STOP, measure_time(system->stop_wall_ns));
    measure_give_number(
        result, MEASURE_TIME_ELAPSED_WALL_CLOCK_MS,
        round((double)(system->stop_ns - system->start_ns) / 1e6));
    give_spent(result, MEASURE_TIME_ELAPSED_USER_MS, system->first.user_us,
               system->last.user_us);
    give_spent(result, MEASURE_TIME_ELAPSED_SYSTEM_MS, system->first.system_us,
               system->last.system_us);
    for (int i = 0; i < SERIES; i++)
        measure_give_series(system->spec, result, series_measure[i],
                            &system->series[i]);
}

const struct provider_kind provider_system = {
    .facts = {"system", "proc(5)",
              "times, processor and memory, of whom is measured and in all"},
    .open = system_open,
    .close = system_close,
    .info = system_info,
    .start = system_start,
    .step = system_step,
    .stop = system_stop,
    .stats = system_stats,
};
