/* service: what it costs a worker to profile itself: matches of 2 x 100 turns
 * with its profile on and off, turn about in batches. The cost is the worker's
 * processor time, its writing thread's too, since times by the clock differ by
 * more than it on a busy host; it is told as part of a match's time. Usage:
 * BOUT_GAMES=... service SECONDS */
#include "profiler/profile.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/match/match.h"
#include "runner/work/gamebook.h"
#include "runner/work/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH 25 /* matches between two changes */
#define SAMPLES_MAX 20000u

struct samples {
    double *us;
    size_t count;
};

static _Noreturn void end(const char *why)
{
    fprintf(stderr, "service: %s\n", why);
    exit(3);
}

static uint64_t cpu_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void add(struct samples *samples, uint64_t ns)
{
    if (samples->count < SAMPLES_MAX)
        samples->us[samples->count++] = (double)ns / 1000 / BATCH;
}

/* A batch, with what its profile costs behind the matches' backs. */
static void play(struct zygote *zygote, const struct match_spec *spec,
                 struct samples *cpu, struct samples *wall, int is_on)
{
    struct err err;
    uint64_t start_ns = clock_mono_ns();
    uint64_t start_cpu_ns = cpu_ns();

    profile_enable(is_on);
    for (int i = 0; i < BATCH; i++) {
        auto_buf struct buf journal = {0};
        struct match match = {0};

        profile_begin_block("match");
        int played = match_play(zygote, spec, &match, &err);
        profile_end_block();
        if (played < 0)
            end(err.msg);
        journal_take(&journal);
        match_release(&match);
    }
    profile_enable(0);
    add(cpu, cpu_ns() - start_cpu_ns);
    add(wall, clock_mono_ns() - start_ns);
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static double median(struct samples *samples)
{
    qsort(samples->us, samples->count, sizeof *samples->us, compare);
    return samples->us[samples->count / 2];
}

int main(int argc, char **argv)
{
    struct err err;
    struct gamebook book = {0};
    struct gamebook_entry *game;
    struct match_spec spec = {.game_name = "hundred", .slots = 2, .seed = "1"};
    struct samples cpu[2] = {0}, wall[2] = {0};
    struct zygote *zygote = zygote_start(0, &err);

    if (!zygote || gamebook_read(&book, &err) < 0 ||
        !(game = gamebook_get(&book, spec.game_name, &err)) ||
        !(spec.game = gamebook_referee(game, zygote, &err)) ||
        !(spec.bot[0] = gamebook_sample(game, 0, &err)))
        end(err.msg);
    spec.bot[1] = spec.bot[0];
    limits_init(&spec.limits, game->about.turn_soft, game->about.turn_bank,
                game->about.turns);
    for (int i = 0; i < 2; i++) {
        cpu[i].us = mem_calloc(SAMPLES_MAX, sizeof(double));
        wall[i].us = mem_calloc(SAMPLES_MAX, sizeof(double));
    }
    journal_open("bench");
    uint64_t end_ns =
        clock_mono_ns() +
        strtoull(argc > 1 ? argv[1] : "5", NULL, 10) * 1000000000u;
    profile_enable(0);
    for (int batch = 0; clock_mono_ns() < end_ns; batch++)
        play(zygote, &spec, &cpu[batch % 2], &wall[batch % 2], batch % 2);
    printf("{\"group\":\"profiler\",\"name\":\"service_on\",\"unit\":"
           "\"ratio\",\"ours\":%.4f,\"peers\":{}}\n",
           1 + (median(&cpu[1]) - median(&cpu[0])) / median(&wall[0]));
    zygote_stop(zygote);
    gamebook_release(&book);
    return 0;
}
