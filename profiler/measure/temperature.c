/* temperature: the hottest of the processor's sensors, from hwmon and the
 * thermal zones in sysfs. Source: Documentation/hwmon/sysfs-interface.rst. */
#include "profiler/measure/files_internal.h"
#include "profiler/measure/provider_internal.h"
#include "profiler/measure/series_internal.h"
#include "runner/base/cleanup.h"

#include <glob.h>
#include <math.h>
#include <string.h>

/* Drivers of processors' sensors: Intel, AMD, ARM boards. */
static const char *const drivers[] = {
    "coretemp",     "k10temp",     "zenpower",    "cpu_thermal",
    "x86_pkg_temp", "cpu-thermal", "soc-thermal", "cpu"};

struct temperature {
    const struct measure_spec *spec;
    char **path; /* of sensors, in thousandths of a degree */
    size_t count;
    struct series series;
};

static bool is_processor(const char *name)
{
    for (size_t i = 0; name && i < sizeof drivers / sizeof *drivers; i++)
        if (!strcmp(name, drivers[i]))
            return true;
    return false;
}

/* Sensors of the folders `folders` whose file `label` names a processor. */
static void find_sensors(struct temperature *temperature, const char *folders,
                         const char *label, const char *sensors)
{
    auto_free char *pattern =
        mem_format("%s%s/%s", temperature->spec->root, folders, sensors);
    glob_t found = {0};

    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        int folder = (int)(strrchr(path, '/') - path);
        auto_free char *name = file_text("", "%.*s/%s", folder, path, label);
        if (!is_processor(name))
            continue;
        temperature->path = mem_realloc(
            temperature->path, (temperature->count + 1) * sizeof(char *));
        temperature->path[temperature->count++] = mem_dup_str(path);
    }
    globfree(&found);
}

static void *temperature_open(const struct measure_spec *spec)
{
    struct temperature *temperature = mem_calloc(1, sizeof *temperature);

    temperature->spec = spec;
    series_init(&temperature->series, MEASURE_SERIES_MAX, true);
    find_sensors(temperature, "/sys/class/hwmon/*", "name", "temp*_input");
    find_sensors(temperature, "/sys/class/thermal/thermal_zone*", "type",
                 "temp");
    if (!temperature->count)
        measure_say(spec, MEASURE_INFO, "temperature",
                    "this machine shows no sensor of its processor");
    return temperature;
}

static void temperature_close(void *self)
{
    struct temperature *temperature = self;

    for (size_t i = 0; i < temperature->count; i++)
        free(temperature->path[i]);
    free(temperature->path);
    series_release(&temperature->series);
    free(temperature);
}

static void temperature_info(void *self, struct measure_result *result)
{
    (void)self;
    (void)result;
}

static void temperature_step(void *self, uint64_t ms)
{
    struct temperature *temperature = self;
    double hottest = NAN;
    double value;

    for (size_t i = 0; i < temperature->count; i++)
        if (file_number(&value, "", "%s", temperature->path[i]))
            hottest = fmax(hottest, value / 1000);
    series_add(&temperature->series, ms, hottest);
}

static void temperature_stats(void *self, struct measure_result *result)
{
    const struct temperature *temperature = self;

    measure_give_series(temperature->spec, result,
                        MEASURE_CPU_TEMPERATURE_CELSIUS, &temperature->series);
}

const struct provider_kind provider_temperature = {
    .facts = {"temperature", "hwmon, thermal", "the processor's temperature"},
    .open = temperature_open,
    .close = temperature_close,
    .info = temperature_info,
    .step = temperature_step,
    .stats = temperature_stats,
};
