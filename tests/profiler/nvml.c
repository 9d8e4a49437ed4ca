/* A stand-in for NVIDIA's library: one GPU, on which only this program's family
 * works, counting up its energy. */
#include <string.h>
#include <unistd.h>

struct memory {
    unsigned long long total, free, used;
};
struct use {
    unsigned gpu, memory;
};
struct process {
    unsigned pid;
    unsigned long long used;
};

int nvmlInit_v2(void)
{
    return 0;
}
int nvmlShutdown(void)
{
    return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
    static int gpu;
    *device = &gpu;
    return index ? 2 : 0;
}
int nvmlDeviceGetName(void *device, char *name, unsigned size)
{
    (void)device;
    strncpy(name, "Test GPU", size);
    return 0;
}
int nvmlDeviceGetNumGpuCores(void *device, unsigned *cores)
{
    (void)device;
    *cores = 6912;
    return 0;
}
int nvmlDeviceGetMemoryInfo(void *device, struct memory *memory)
{
    (void)device;
    *memory = (struct memory){40960000000ULL, 30960000000ULL, 10000000000ULL};
    return 0;
}
int nvmlDeviceGetUtilizationRates(void *device, struct use *use)
{
    (void)device;
    *use = (struct use){55, 10};
    return 0;
}
int nvmlDeviceGetComputeRunningProcesses(void *device, unsigned *count,
                                         struct process *process)
{
    (void)device;
    *count = 2;
    process[0] = (struct process){1, 7000000000ULL}; /* nobody of ours */
    process[1] = (struct process){(unsigned)getpid(), 3000000000ULL};
    return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *mj)
{
    static unsigned long long now = 1000000;
    (void)device;
    *mj = now;
    now += 120500;
    return 0;
}
