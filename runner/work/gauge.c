#include "runner/work/gauge.h"

#include "profiler/measure/measure.h"
#include "runner/base/clock.h"
#include "runner/base/log.h"

#include <string.h>

#define MS 1000000u

static const struct measure_want facts[] = {
    {.measure = MEASURE_TRACKER_VERSION},
    {.measure = MEASURE_OS_NAME},
    {.measure = MEASURE_OS_KERNEL},
    {.measure = MEASURE_CPU_AVAILABLE_SYSTEM_CORES},
    {.measure = MEASURE_CPU_FEATURES},
    {.measure = MEASURE_CPU_FREQUENCY_MIN_MHZ},
    {.measure = MEASURE_CPU_FREQUENCY_MAX_MHZ},
    {.measure = MEASURE_CPU_VENDOR_ID},
    {.measure = MEASURE_CPU_BYTE_ORDER},
    {.measure = MEASURE_CPU_ARCHITECTURE},
    {.measure = MEASURE_CPU_MODEL_NAME},
    {.measure = MEASURE_CPU_CORES_PER_SOCKET},
    {.measure = MEASURE_CPU_THREADS_PER_CORE},
    {.measure = MEASURE_CPU_CACHES},
    {.measure = MEASURE_CPU_VIRTUALIZATION},
    {.measure = MEASURE_RAM_AVAILABLE_SYSTEM_MB},
};

static const struct measure_want wants[] = {
    {.measure = MEASURE_TIME_START},
    {.measure = MEASURE_TIME_STOP},
    {.measure = MEASURE_TIME_ELAPSED_WALL_CLOCK_MS},
    {.measure = MEASURE_CPU_USED_SYSTEM_PERCENT, .aggregate = MEASURE_MEAN},
    {.measure = MEASURE_RAM_USED_SYSTEM_MB, .aggregate = MEASURE_MAX},
    {.measure = MEASURE_CPU_ENERGY_SYSTEM_JOULES},
    {.measure = MEASURE_RAM_ENERGY_SYSTEM_JOULES},
    {.measure = MEASURE_CPU_TEMPERATURE_CELSIUS, .aggregate = MEASURE_MAX},
};
#define WANTS (sizeof wants / sizeof *wants)

static void complain(void *user)
{
    (void)user; /* a measure that fails is null, and no reason to end */
}

static struct measure_spec spec_of(const struct measure_want *want,
                                   size_t count)
{
    return (struct measure_spec){
        .want = want,
        .want_count = count,
        .poll_ms = MEASURE_POLL_NEVER,
        .abort = complain,
    };
}

static void start(struct gauge *gauge)
{
    const struct measure_spec spec = spec_of(wants, WANTS);
    struct err err = {0};

    gauge->tracking_ns = clock_mono_ns();
    gauge->tracking = measure_start(&spec, &err);
    if (!gauge->tracking)
        log_line(LOG_WARN, "work", "measures: %s", err.msg);
}

static struct measure_result *stop(struct gauge *gauge)
{
    struct err err;
    struct measure_result *result =
        gauge->tracking ? measure_stop(gauge->tracking, &err) : NULL;

    gauge->tracking = NULL;
    return result;
}

void gauge_open(struct gauge *gauge)
{
    const struct measure_spec spec =
        spec_of(facts, sizeof facts / sizeof *facts);
    struct err err;
    struct measure_result *info = measure_info(&spec, &err);
    json_t *document = info ? measure_export_json(info, NULL) : json_object();

    *gauge = (struct gauge){.facts = json_dumps(document, JSON_COMPACT)};
    hash_bytes_hex(gauge->facts, strlen(gauge->facts), gauge->hash);
    json_decref(document);
    measure_result_free(info);
}

void gauge_close(struct gauge *gauge)
{
    measure_result_free(stop(gauge));
    free(gauge->facts);
    *gauge = (struct gauge){0};
}

void gauge_begin(struct gauge *gauge)
{
    gauge->begin_ns = clock_mono_ns();
    gauge->begin_wall_ns = clock_wall_ns();
    if (gauge->tracking &&
        gauge->begin_ns - gauge->tracking_ns < GAUGE_SPAN_MS * (uint64_t)MS)
        return;
    measure_result_free(stop(gauge));
    start(gauge);
}

json_t *gauge_end(struct gauge *gauge)
{
    uint64_t spent_ns = clock_mono_ns() - gauge->begin_ns;
    struct measure_result *result =
        spent_ns >= GAUGE_LEAST_MS * (uint64_t)MS ? stop(gauge) : NULL;
    json_t *document =
        result ? measure_export_json(NULL, result) : json_object();

    for (size_t i = 0; !result && i < WANTS; i++)
        json_object_set_new(document, measure_facts(wants[i].measure)->name,
                            json_null());
    /* The match's own, not those of what was measured around it. */
    json_object_set_new(document, "TIME_START",
                        measure_time(gauge->begin_wall_ns));
    json_object_set_new(document, "TIME_STOP",
                        measure_time(gauge->begin_wall_ns + (int64_t)spent_ns));
    json_object_set_new(document, "TIME_ELAPSED_WALL_CLOCK_MS",
                        json_real((double)spent_ns / MS));
    measure_result_free(result);
    return document;
}
