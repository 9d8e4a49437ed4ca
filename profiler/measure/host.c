#include "profiler/measure/host_internal.h"

#include "profiler/measure/files_internal.h"
#include "runner/base/cleanup.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static void give_os(const struct measure_spec *spec,
                    struct measure_result *result)
{
    auto_free char *release = file_text(spec->root, "/etc/os-release");
    auto_free char *name = release ? text_field(release, "PRETTY_NAME") : NULL;
    struct utsname uts;

    if (name) {
        size_t size = strlen(name);
        bool is_quoted = size > 1 && name[0] == '"' && name[size - 1] == '"';
        if (is_quoted)
            name[size - 1] = '\0';
        measure_give_text(result, MEASURE_OS_NAME, name + is_quoted);
    }
    if (uname(&uts) < 0)
        return;
    measure_give_text(result, MEASURE_OS_KERNEL, uts.release);
    measure_give_text(result, MEASURE_CPU_ARCHITECTURE, uts.machine);
}

static void give_invocation(struct measure_result *result)
{
    auto_file FILE *file = fopen("/proc/self/cmdline", "re");
    auto_free char *argument = NULL;
    size_t capacity = 0;
    json_t *all = json_array();

    while (file && getdelim(&argument, &capacity, '\0', file) > 0)
        json_array_append_new(all, json_string(argument));
    measure_give(result, MEASURE_INVOCATION, all);
}

/* ---- the processor ------------------------------------------------------- */

static bool has_word(const char *words, const char *word)
{
    size_t size = strlen(word);

    for (const char *at = words; (at = strstr(at, word)) != NULL; at += size)
        if ((at == words || at[-1] == ' ') &&
            (at[size] == ' ' || at[size] == '\0'))
            return true;
    return false;
}

static void give_number_field(struct measure_result *result,
                              enum measure measure, const char *text,
                              const char *key)
{
    auto_free char *value = text_field(text, key);

    if (value)
        measure_give_number(result, measure, strtod(value, NULL));
}

static void give_threads(struct measure_result *result, const char *cpus)
{
    auto_free char *siblings = text_field(cpus, "siblings");
    auto_free char *cores = text_field(cpus, "cpu cores");
    double per_socket = cores ? strtod(cores, NULL) : 0;

    if (siblings && per_socket > 0)
        measure_give_number(result, MEASURE_CPU_THREADS_PER_CORE,
                            strtod(siblings, NULL) / per_socket);
}

/* x86 calls the line "flags", ARM "Features". */
static void give_features(struct measure_result *result, const char *cpus)
{
    auto_free char *x86 = text_field(cpus, "flags");
    auto_free char *arm = x86 ? NULL : text_field(cpus, "Features");
    const char *features = x86 ? x86 : arm;

    if (!features)
        return;
    measure_give_text(result, MEASURE_CPU_FEATURES, features);
    if (has_word(features, "vmx"))
        measure_give_text(result, MEASURE_CPU_VIRTUALIZATION, "VT-x");
    else if (has_word(features, "svm"))
        measure_give_text(result, MEASURE_CPU_VIRTUALIZATION, "AMD-V");
}

static void give_cpu(const struct measure_spec *spec,
                     struct measure_result *result)
{
    auto_free char *cpus = file_text(spec->root, "/proc/cpuinfo");

    if (!cpus)
        return;
    auto_free char *vendor = text_field(cpus, "vendor_id");
    auto_free char *model = text_field(cpus, "model name");
    measure_give_text(result, MEASURE_CPU_VENDOR_ID, vendor);
    measure_give_text(result, MEASURE_CPU_MODEL_NAME, model);
    give_number_field(result, MEASURE_CPU_CORES_PER_SOCKET, cpus, "cpu cores");
    give_threads(result, cpus);
    give_features(result, cpus);
}

static void give_frequency(const struct measure_spec *spec,
                           struct measure_result *result, enum measure measure,
                           const char *name)
{
    double khz;

    if (file_number(&khz, spec->root, "/sys/devices/system/cpu/cpu0/cpufreq/%s",
                    name))
        measure_give_number(result, measure, khz / 1000);
}

static void give_caches(const struct measure_spec *spec,
                        struct measure_result *result)
{
    static const char folder[] = "/sys/devices/system/cpu/cpu0/cache/index";
    json_t *caches = json_array();
    double level, kib; /* "32K": the number stands first */

    for (int i = 0; file_number(&level, spec->root, "%s%d/level", folder, i);
         i++) {
        auto_free char *type = file_text(spec->root, "%s%d/type", folder, i);
        if (!file_number(&kib, spec->root, "%s%d/size", folder, i))
            continue;
        json_array_append_new(
            caches, json_pack("{s:i,s:s,s:i}", "level", (int)level, "type",
                              type ? type : "", "kib", (int)kib));
    }
    if (json_array_size(caches))
        measure_give(result, MEASURE_CPU_CACHES, caches);
    else
        json_decref(caches);
}

void host_info(const struct measure_spec *spec, struct measure_result *result)
{
    const uint16_t probe = 1;
    auto_free char *memory = file_text(spec->root, "/proc/meminfo");
    auto_free char *total = memory ? text_field(memory, "MemTotal") : NULL;

    measure_give_text(result, MEASURE_TRACKER_VERSION, "bout 1");
    give_os(spec, result);
    give_invocation(result);
    measure_give_number(result, MEASURE_CPU_AVAILABLE_SYSTEM_CORES,
                        (double)sysconf(_SC_NPROCESSORS_ONLN));
    measure_give_text(result, MEASURE_CPU_BYTE_ORDER,
                      *(const uint8_t *)&probe ? "little endian"
                                               : "big endian");
    give_cpu(spec, result);
    give_frequency(spec, result, MEASURE_CPU_FREQUENCY_MIN_MHZ,
                   "cpuinfo_min_freq");
    give_frequency(spec, result, MEASURE_CPU_FREQUENCY_MAX_MHZ,
                   "cpuinfo_max_freq");
    give_caches(spec, result);
    if (total)
        measure_give_number(result, MEASURE_RAM_AVAILABLE_SYSTEM_MB,
                            strtod(total, NULL) / 1000 * 1.024);
}
