/* profiler: what profiling costs, and how long a large profile takes to write.
 * Prints one JSON row a measure: {"group","name","unit","ours","peers"}. Pairs
 * of samples are interleaved; a value is the median. */
#include "profiler/profile.h"
#include "profiler/report/report.h"
#include "runner/base/clock.h"
#include "runner/base/cleanup.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SAMPLES 201
#define PAIRS 2000
#define TURNS 500
#define BLOCKS 2000

static char memory[8 << 20];

static void drop(void *data, uint64_t size)
{
    (void)data;
    (void)size;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

static double median(double *value)
{
    qsort(value, SAMPLES, sizeof *value, compare);
    return value[SAMPLES / 2];
}

static void row(const char *name, const char *unit, double ours,
                const char *peer, double theirs)
{
    printf("{\"group\": \"profiler\", \"name\": \"%s\", \"unit\": \"%s\", "
           "\"ours\": %.4g, \"peers\": {",
           name, unit, ours);
    if (peer)
        printf("\"%s\": %.4g", peer, theirs);
    printf("}}\n");
}

/* ---- blocks -------------------------------------------------------------- */

/* A block of about a microsecond: what is profiled. */
static volatile uint64_t sink;

static void microsecond(void)
{
    uint64_t x = sink + 1;

    for (int i = 0; i < 300; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    sink = x;
}

static double pair_ns(void)
{
    uint64_t start = clock_mono_ns();

    profile_begin_block("root");
    for (int i = 0; i < PAIRS; i++) {
        profile_begin_block("block");
        profile_end_block();
    }
    profile_end_block();
    return (double)(clock_mono_ns() - start) / PAIRS;
}

static double clocks_ns(void)
{
    struct timespec now;
    uint64_t start = clock_mono_ns();

    for (int i = 0; i < PAIRS; i++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        clock_gettime(CLOCK_MONOTONIC, &now);
    }
    return (double)(clock_mono_ns() - start) / PAIRS;
}

static double work_ns(int profiled)
{
    uint64_t start = clock_mono_ns();

    if (profiled)
        profile_begin_block("root");
    for (int i = 0; i < PAIRS; i++) {
        if (profiled)
            profile_begin_block("block");
        microsecond();
        if (profiled)
            profile_end_block();
    }
    if (profiled)
        profile_end_block();
    return (double)(clock_mono_ns() - start) / PAIRS;
}

static void bench_blocks(void)
{
    static double on[SAMPLES], off[SAMPLES], clocks[SAMPLES], with[SAMPLES],
        without[SAMPLES];

    profile_initialize("bench", memory, sizeof memory);
    profile_output(drop);
    profile_output_wait(1);
    for (int i = 0; i < SAMPLES; i++) {
        profile_enable(1);
        on[i] = pair_ns();
        with[i] = work_ns(1);
        without[i] = work_ns(0);
        clocks[i] = clocks_ns();
        profile_enable(0);
        off[i] = pair_ns();
    }
    uint64_t lost = profile_shutdown();
    if (lost)
        fprintf(stderr, "profiler: %" PRIu64 " blocks were lost\n", lost);
    row("begin_end_ns", "ns", median(on), "two_clock_gettime", median(clocks));
    row("begin_end_off_ns", "ns", median(off), NULL, 0);
    row("microsecond_block", "ratio", median(with) / median(without), NULL, 0);
}

/* ---- formats ------------------------------------------------------------- */

static struct profile *large_profile(json_t *table[3])
{
    struct buf blocks = {0};
    struct buf layout = {0};
    struct err err = {0};

    buf_add_str(&blocks, "{\"files\":[\"bot.c\"],\"functions\":[");
    buf_add_str(&layout, "{\"counters\":2000,\"functions\":[");
    for (int f = 0; f < BLOCKS / 10; f++) {
        buf_add_format(&blocks,
                       "%s{\"symbol\":\"f%d\",\"name\":\"function_%d\","
                       "\"file\":0,\"line\":%d,\"fuel\":0,\"counters\":10,"
                       "\"stops\":0,\"reference\":0,\"blocks\":[",
                       f ? "," : "", f, f, f * 30);
        for (int b = 0; b < 10; b++)
            buf_add_format(&blocks,
                           "%s{\"word\":%d,\"charge\":7,\"lines\":"
                           "[[0,%d,4],[0,%d,3]],\"calls\":[[0,%d,\"f%d\"]]}",
                           b ? "," : "", b, f * 30 + b * 2, f * 30 + b * 2 + 1,
                           f * 30 + b * 2, (f * 7 + b) % (BLOCKS / 10));
        buf_add_str(&blocks, "],\"sites\":[]}");
        buf_add_format(&layout,
                       "%s{\"symbol\":\"f%d\",\"origin\":\"bot\","
                       "\"words\":[%d,%d,%d,%d]}",
                       f ? "," : "", f, f * 10, f * 10, BLOCKS, BLOCKS);
    }
    buf_add_str(&blocks, "]}");
    buf_add_str(&layout, "]}");
    table[0] = json_loads(blocks.data, 0, NULL);
    table[1] = json_loads("{\"files\":[],\"functions\":[]}", 0, NULL);
    table[2] = json_loads(layout.data, 0, NULL);
    buf_release(&blocks);
    buf_release(&layout);
    struct profile *profile = profile_new(table[0], table[1], table[2], &err);
    if (!profile) {
        fprintf(stderr, "profiler: %s\n", err.msg);
        exit(3);
    }
    uint64_t moved[BLOCKS + 3] = {0};
    uint64_t random = 88172645463325252u;
    for (uint32_t t = 0; t < TURNS; t++) {
        for (int i = 0; i < BLOCKS; i++) { /* a third is not zero */
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            moved[i] = random % 3 ? 0 : random >> 44;
        }
        uint64_t sum = 0;
        for (int i = 0; i < BLOCKS; i++)
            sum += 7 * moved[i];
        if (profile_add_turn(profile, t, 0, NULL, moved) != sum)
            exit(3); /* the tables are not read as they are meant */
    }
    return profile;
}

struct cost {
    double seconds;
    double megabytes;
};

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* In a process of its own, so that the peak of memory is this format's. Seconds
 * of processor time: other load must not count. */
static struct cost convert(const struct profile *profile, int format)
{
    struct cost cost = {0};
    int pair[2];

    if (pipe2(pair, O_CLOEXEC) < 0)
        exit(3);
    pid_t pid = fork();
    if (pid == 0) {
        struct buf out = {0};
        struct err err = {0};
        struct rusage before, after;
        getrusage(RUSAGE_SELF, &before);
        double start = cpu_seconds();
        profile_write(profile, (enum profile_format)format, &out, &err);
        cost.seconds = cpu_seconds() - start;
        getrusage(RUSAGE_SELF, &after);
        cost.megabytes = (double)(after.ru_maxrss - before.ru_maxrss) / 1024;
        _exit(write(pair[1], &cost, sizeof cost) != sizeof cost);
    }
    close(pair[1]);
    if (read(pair[0], &cost, sizeof cost) != sizeof cost)
        exit(3);
    close(pair[0]);
    waitpid(pid, NULL, 0);
    return cost;
}

static void bench_formats(void)
{
    json_t *table[3];
    struct profile *profile = large_profile(table);

    for (int f = 0; f < PROFILE_FORMAT_COUNT; f++) {
        double best = 1e9;
        double most = 0;
        for (int i = 0; i < 3; i++) {
            struct cost cost = convert(profile, f);
            best = cost.seconds < best ? cost.seconds : best;
            most = cost.megabytes > most ? cost.megabytes : most;
        }
        auto_free char *time = mem_format(
            "convert_%s_s", profile_format_name((enum profile_format)f));
        auto_free char *size = mem_format(
            "convert_%s_mb", profile_format_name((enum profile_format)f));
        row(time, "s", best, NULL, 0);
        row(size, "MiB", most, NULL, 0);
    }
    profile_free(profile);
    for (int i = 0; i < 3; i++)
        json_decref(table[i]);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    bench_blocks();
    bench_formats();
    return 0;
}
