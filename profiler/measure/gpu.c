/* gpu: NVIDIA's GPUs by their management library, which is looked for when the
 * program runs: without it everything is null, and GPU_SUPPORTED false. The
 * first GPU is measured. Source: NVML API reference, NVIDIA; the declarations
 * here are the part of its interface that we use. */
#include "profiler/measure/family_internal.h"
#include "profiler/measure/provider_internal.h"
#include "profiler/measure/series_internal.h"
#include "runner/base/cleanup.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

#define NVML_LIBRARY "libnvidia-ml.so.1"
#define NVML_SUCCESS 0
#define PROCESSES_MAX 128

typedef struct nvmlDevice_st *nvml_device;

struct nvml_memory {
    unsigned long long total, free, used; /* bytes */
};

struct nvml_use {
    unsigned gpu, memory; /* percent */
};

struct nvml_process { /* nvmlProcessInfo_v1_t */
    unsigned pid;
    unsigned long long used; /* bytes */
};

struct nvml_sample { /* nvmlProcessUtilizationSample_t */
    unsigned pid;
    unsigned long long time_us;
    unsigned sm, memory, encoder, decoder; /* percent */
};

struct nvml {
    int (*nvmlInit_v2)(void);
    int (*nvmlShutdown)(void);
    int (*nvmlDeviceGetHandleByIndex_v2)(unsigned, nvml_device *);
    int (*nvmlDeviceGetName)(nvml_device, char *, unsigned);
    int (*nvmlDeviceGetNumGpuCores)(nvml_device, unsigned *);
    int (*nvmlDeviceGetMemoryInfo)(nvml_device, struct nvml_memory *);
    int (*nvmlDeviceGetUtilizationRates)(nvml_device, struct nvml_use *);
    int (*nvmlDeviceGetComputeRunningProcesses)(nvml_device, unsigned *,
                                                struct nvml_process *);
    int (*nvmlDeviceGetProcessUtilization)(nvml_device, struct nvml_sample *,
                                           unsigned *, unsigned long long);
    int (*nvmlDeviceGetTotalEnergyConsumption)(nvml_device,
                                               unsigned long long *);
};

enum { USED_PROCESS, USED_SYSTEM, VRAM_PROCESS, VRAM_SYSTEM, SERIES };

static const enum measure series_measure[SERIES] = {
    MEASURE_GPU_USED_PROCESS_PERCENT, MEASURE_GPU_USED_SYSTEM_PERCENT,
    MEASURE_GPU_VRAM_USED_PROCESS_MB, MEASURE_GPU_VRAM_USED_SYSTEM_MB};

struct gpu {
    const struct measure_spec *spec;
    void *library;
    struct nvml nvml;
    bool is_there;
    nvml_device device;
    unsigned long long last_sample_us;
    bool has_energy;
    unsigned long long first_mj, last_mj; /* thousandths of a joule */
    struct series series[SERIES];
};

/* Looks a function up; what an old library has not stays NULL. dlsym(3) tells
 * why the address is copied. */
#define LOOK_UP(gpu, name)                                     \
    do {                                                       \
        void *address_ = dlsym((gpu)->library, #name);         \
        memcpy(&(gpu)->nvml.name, &address_, sizeof address_); \
    } while (0)

static bool nvml_start(struct gpu *gpu)
{
    gpu->library = dlopen(NVML_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!gpu->library)
        return false;
    LOOK_UP(gpu, nvmlInit_v2);
    LOOK_UP(gpu, nvmlShutdown);
    LOOK_UP(gpu, nvmlDeviceGetHandleByIndex_v2);
    LOOK_UP(gpu, nvmlDeviceGetName);
    LOOK_UP(gpu, nvmlDeviceGetNumGpuCores);
    LOOK_UP(gpu, nvmlDeviceGetMemoryInfo);
    LOOK_UP(gpu, nvmlDeviceGetUtilizationRates);
    LOOK_UP(gpu, nvmlDeviceGetComputeRunningProcesses);
    LOOK_UP(gpu, nvmlDeviceGetProcessUtilization);
    LOOK_UP(gpu, nvmlDeviceGetTotalEnergyConsumption);
    const struct nvml *nvml = &gpu->nvml;
    return nvml->nvmlInit_v2 && nvml->nvmlShutdown &&
           nvml->nvmlDeviceGetHandleByIndex_v2 &&
           nvml->nvmlInit_v2() == NVML_SUCCESS;
}

static void *gpu_open(const struct measure_spec *spec)
{
    struct gpu *gpu = mem_calloc(1, sizeof *gpu);

    gpu->spec = spec;
    for (int i = 0; i < SERIES; i++)
        series_init(&gpu->series[i], MEASURE_SERIES_MAX,
                    i == VRAM_PROCESS || i == VRAM_SYSTEM);
    bool is_started = nvml_start(gpu);
    gpu->is_there = is_started && gpu->nvml.nvmlDeviceGetHandleByIndex_v2(
                                      0, &gpu->device) == NVML_SUCCESS;
    if (is_started && !gpu->is_there)
        gpu->nvml.nvmlShutdown();
    if (!gpu->is_there)
        measure_say(spec, MEASURE_INFO, "gpu", "%s: %s", NVML_LIBRARY,
                    gpu->library ? "it sees no GPU" : "not on this machine");
    return gpu;
}

static void gpu_close(void *self)
{
    struct gpu *gpu = self;

    if (gpu->is_there)
        gpu->nvml.nvmlShutdown();
    if (gpu->library)
        dlclose(gpu->library);
    for (int i = 0; i < SERIES; i++)
        series_release(&gpu->series[i]);
    free(gpu);
}

static void gpu_info(void *self, struct measure_result *result)
{
    const struct gpu *gpu = self;
    const struct nvml *nvml = &gpu->nvml;
    struct nvml_memory memory;
    char name[96];
    unsigned cores;

    measure_give(result, MEASURE_GPU_SUPPORTED, json_boolean(gpu->is_there));
    if (!gpu->is_there)
        return;
    if (nvml->nvmlDeviceGetName &&
        nvml->nvmlDeviceGetName(gpu->device, name, sizeof name) == NVML_SUCCESS)
        measure_give_text(result, MEASURE_GPU_MODEL_NAME, name);
    if (nvml->nvmlDeviceGetNumGpuCores &&
        nvml->nvmlDeviceGetNumGpuCores(gpu->device, &cores) == NVML_SUCCESS)
        measure_give_number(result, MEASURE_GPU_NUM_CORES, cores);
    if (nvml->nvmlDeviceGetMemoryInfo &&
        nvml->nvmlDeviceGetMemoryInfo(gpu->device, &memory) == NVML_SUCCESS)
        measure_give_number(result, MEASURE_GPU_VRAM_AVAILABLE_SYSTEM_MB,
                            floor((double)memory.total / 1e6));
}

/* ---- steps --------------------------------------------------------------- */

static void step_processes(struct gpu *gpu, uint64_t ms)
{
    struct nvml_process process[PROCESSES_MAX];
    unsigned count = PROCESSES_MAX;
    double used = 0;

    if (!gpu->nvml.nvmlDeviceGetComputeRunningProcesses ||
        gpu->nvml.nvmlDeviceGetComputeRunningProcesses(gpu->device, &count,
                                                       process) != NVML_SUCCESS)
        return;
    for (unsigned i = 0; i < count; i++)
        if (family_has(gpu->spec, (pid_t)process[i].pid))
            used += (double)process[i].used;
    series_add(&gpu->series[VRAM_PROCESS], ms, used / 1e6);
}

static void step_samples(struct gpu *gpu, uint64_t ms)
{
    struct nvml_sample sample[PROCESSES_MAX];
    unsigned count = PROCESSES_MAX;
    double used = 0;

    if (!gpu->nvml.nvmlDeviceGetProcessUtilization ||
        gpu->nvml.nvmlDeviceGetProcessUtilization(
            gpu->device, sample, &count, gpu->last_sample_us) != NVML_SUCCESS)
        return;
    for (unsigned i = 0; i < count; i++) {
        if (sample[i].time_us > gpu->last_sample_us)
            gpu->last_sample_us = sample[i].time_us;
        if (family_has(gpu->spec, (pid_t)sample[i].pid))
            used += sample[i].sm;
    }
    series_add(&gpu->series[USED_PROCESS], ms, used);
}

static void gpu_step(void *self, uint64_t ms)
{
    struct gpu *gpu = self;
    const struct nvml *nvml = &gpu->nvml;
    struct nvml_memory memory;
    struct nvml_use use;

    if (!gpu->is_there)
        return;
    if (nvml->nvmlDeviceGetUtilizationRates &&
        nvml->nvmlDeviceGetUtilizationRates(gpu->device, &use) == NVML_SUCCESS)
        series_add(&gpu->series[USED_SYSTEM], ms, use.gpu);
    if (nvml->nvmlDeviceGetMemoryInfo &&
        nvml->nvmlDeviceGetMemoryInfo(gpu->device, &memory) == NVML_SUCCESS)
        series_add(&gpu->series[VRAM_SYSTEM], ms, (double)memory.used / 1e6);
    step_processes(gpu, ms);
    step_samples(gpu, ms);
}

static bool read_energy(const struct gpu *gpu, unsigned long long *mj)
{
    return gpu->is_there && gpu->nvml.nvmlDeviceGetTotalEnergyConsumption &&
           gpu->nvml.nvmlDeviceGetTotalEnergyConsumption(gpu->device, mj) ==
               NVML_SUCCESS;
}

static void gpu_start(void *self)
{
    struct gpu *gpu = self;

    gpu->has_energy = read_energy(gpu, &gpu->first_mj);
}

static void gpu_stop(void *self)
{
    struct gpu *gpu = self;

    gpu->has_energy = gpu->has_energy && read_energy(gpu, &gpu->last_mj);
}

static void gpu_stats(void *self, struct measure_result *result)
{
    const struct gpu *gpu = self;

    for (int i = 0; i < SERIES; i++)
        measure_give_series(gpu->spec, result, series_measure[i],
                            &gpu->series[i]);
    if (gpu->has_energy)
        measure_give_number(result, MEASURE_GPU_ENERGY_SYSTEM_JOULES,
                            (double)(gpu->last_mj - gpu->first_mj) / 1e3);
}

const struct provider_kind provider_gpu = {
    .facts = {"gpu", "NVML", "NVIDIA's GPUs"},
    .open = gpu_open,
    .close = gpu_close,
    .info = gpu_info,
    .start = gpu_start,
    .step = gpu_step,
    .stop = gpu_stop,
    .stats = gpu_stats,
};
