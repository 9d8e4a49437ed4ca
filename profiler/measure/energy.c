/* energy: what RAPL counts, from powercap in sysfs. A counter wraps at
 * max_energy_range_uj (some minutes under full load), so each step adds up what
 * it moved. Only root may read them on many kernels: then they are null.
 * Source: Documentation/power/powercap/powercap.rst. */
#include "profiler/measure/files_internal.h"
#include "profiler/measure/provider_internal.h"
#include "runner/base/cleanup.h"

#include <string.h>

#define ZONES_MAX 64

enum domain { DOMAIN_PACKAGE, DOMAIN_DRAM, DOMAINS };

struct zone {
    char *path; /* below the root */
    enum domain domain;
    double last_uj, range_uj;
    double sum_uj;
};

struct energy {
    const struct measure_spec *spec;
    struct zone zone[ZONES_MAX];
    size_t count;
};

/* "intel-rapl:0" is a package; "intel-rapl:0:1" one of its parts, by name. */
static void zone_find(struct energy *energy, const char *name)
{
    const char *root = energy->spec->root;
    struct zone zone = {0};
    auto_free char *path = mem_format("/sys/class/powercap/%s", name);
    auto_free char *label = file_text(root, "%s/name", path);

    if (!label || energy->count == ZONES_MAX ||
        !file_number(&zone.last_uj, root, "%s/energy_uj", path))
        return;
    if (!strncmp(label, "package", 7))
        zone.domain = DOMAIN_PACKAGE;
    else if (!strcmp(label, "dram"))
        zone.domain = DOMAIN_DRAM;
    else
        return;
    file_number(&zone.range_uj, root, "%s/max_energy_range_uj", path);
    zone.path = take_ptr(path);
    energy->zone[energy->count++] = zone;
}

static void *energy_open(const struct measure_spec *spec)
{
    struct energy *energy = mem_calloc(1, sizeof *energy);
    auto_free char *path = mem_format("%s/sys/class/powercap", spec->root);
    auto_dir DIR *dir = opendir(path);

    energy->spec = spec;
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;)
        if (!strncmp(entry->d_name, "intel-rapl:", 11))
            zone_find(energy, entry->d_name);
    if (!energy->count)
        measure_say(spec, MEASURE_INFO, "energy",
                    "no energy counter can be read on this machine");
    return energy;
}

static void energy_close(void *self)
{
    struct energy *energy = self;

    for (size_t i = 0; i < energy->count; i++)
        free(energy->zone[i].path);
    free(energy);
}

static void energy_info(void *self, struct measure_result *result)
{
    (void)self;
    (void)result;
}

static void energy_start(void *self)
{
    struct energy *energy = self;

    for (size_t i = 0; i < energy->count; i++)
        file_number(&energy->zone[i].last_uj, energy->spec->root,
                    "%s/energy_uj", energy->zone[i].path);
}

static void energy_step(void *self, uint64_t ms)
{
    struct energy *energy = self;

    (void)ms;
    for (size_t i = 0; i < energy->count; i++) {
        struct zone *zone = &energy->zone[i];
        double now;
        if (!file_number(&now, energy->spec->root, "%s/energy_uj", zone->path))
            continue;
        zone->sum_uj += now - zone->last_uj;
        if (now < zone->last_uj)
            zone->sum_uj += zone->range_uj;
        zone->last_uj = now;
    }
}

static void energy_stats(void *self, struct measure_result *result)
{
    static const enum measure measures[DOMAINS] = {
        MEASURE_CPU_ENERGY_SYSTEM_JOULES, MEASURE_RAM_ENERGY_SYSTEM_JOULES};
    const struct energy *energy = self;

    for (int domain = 0; domain < DOMAINS; domain++) {
        double sum_uj = 0;
        bool found = false;
        for (size_t i = 0; i < energy->count; i++) {
            if ((int)energy->zone[i].domain != domain)
                continue;
            sum_uj += energy->zone[i].sum_uj;
            found = true;
        }
        if (found)
            measure_give_number(result, measures[domain], sum_uj / 1e6);
    }
}

const struct provider_kind provider_energy = {
    .facts = {"energy", "powercap", "energy by the processor's own counters"},
    .open = energy_open,
    .close = energy_close,
    .info = energy_info,
    .start = energy_start,
    .step = energy_step,
    .stats = energy_stats,
};
