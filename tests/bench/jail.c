/* jail: what the jail costs, beside plain posix_spawn with pipes in the same
 * run. Usage: jail BOTS_FOLDER PEER [SECONDS]. Prints one JSON row a measure:
 * {"group","name","unit","ours","peers"}. Everything runs on processor 0, as a
 * worker and its bots do; measures are interleaved, so that other load hits all
 * of them alike; a value is the median of its samples. */
#include "runner/base/clock.h"
#include "runner/base/io.h"
#include "runner/jail/box.h"

#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define TURNS 200u
#define SAMPLES_MAX 20000u

struct series {
    double *value;
    size_t count;
};

enum measure {
    FIRST_TURN, /* us */
    KILL_REAP,
    TURN,
    MATCH,
    DEADLINE,
    PEER_FIRST,
    PEER_REAP,
    PEER_TURN,
    FLOOR,
    MEASURES,
};

static struct series series[MEASURES];

static void add(enum measure measure, double value)
{
    struct series *s = &series[measure];

    if (!s->value)
        s->value = mem_calloc(SAMPLES_MAX, sizeof *s->value);
    if (s->count < SAMPLES_MAX)
        s->value[s->count++] = value;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double quantile(enum measure measure, double part)
{
    struct series *s = &series[measure];

    if (s->count == 0)
        return 0;
    qsort(s->value, s->count, sizeof *s->value, compare);
    return s->value[(size_t)(part * (double)(s->count - 1))];
}

static double us_since(uint64_t start_ns)
{
    return (double)(clock_mono_ns() - start_ns) / 1000;
}

static _Noreturn void end(const char *what)
{
    fprintf(stderr, "jail: %s\n", what);
    exit(1);
}

/* ---- ours -------------------------------------------------------------- */

static struct zygote *zygote;
static struct err err;

static struct box_spec spec_of(const char *folder, const char *name)
{
    char path[512];
    auto_buf struct buf elf = {0};

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (io_read_file(path, 1u << 24, &elf, &err) < 0)
        end(err.msg);
    return (struct box_spec){
        .name = name,
        .elf_fd = io_sealed_memfd(name, elf.data, elf.size, &err),
        .counters_count = 5000,
        .data_bytes = 4096,
        .memory_bytes = 64u << 20,
        .stack_bytes = 8u << 20,
        .view_bytes = 1u << 20,
        .reply_bytes = 65536,
        .log_bytes = 65536,
    };
}

static void turn(struct box *box, uint64_t cpu_ns, enum turn_end expected)
{
    static const char view[] = "0123456789012345678901234567890123456789"
                               "012345678901234567890123\n";
    const struct turn_spec spec = {
        .view = view,
        .view_size = 64,
        .budget = 1000000,
        .cpu_ns = cpu_ns,
    };
    struct turn result;

    if (box_turn(box, &spec, &result, &err) < 0)
        end(err.msg);
    if (result.end != expected)
        end("a turn ended otherwise than it should");
}

static void measure_match(const struct box_spec *spec)
{
    struct box box;
    uint64_t start_ns = clock_mono_ns();

    if (box_spawn(zygote, spec, &box, &err) < 0)
        end(err.msg);
    turn(&box, 0, TURN_ASKED);
    add(FIRST_TURN, us_since(start_ns));

    uint64_t turns_ns = clock_mono_ns();
    for (unsigned i = 0; i < TURNS; i++)
        turn(&box, 0, TURN_ASKED);
    add(TURN, us_since(turns_ns) / TURNS);
    box_end(&box);
}

static void measure_start_and_end(const struct box_spec *spec)
{
    struct box box;
    uint64_t start_ns = clock_mono_ns();

    if (box_spawn(zygote, spec, &box, &err) < 0)
        end(err.msg);
    box_end(&box);
    add(KILL_REAP, us_since(start_ns));
}

static void measure_two_bots(const struct box_spec *spec)
{
    struct box box[2];
    uint64_t start_ns = clock_mono_ns();

    for (int i = 0; i < 2; i++)
        if (box_spawn(zygote, spec, &box[i], &err) < 0)
            end(err.msg);
    for (int step = 0; step <= 100; step++)
        for (int i = 0; i < 2; i++)
            turn(&box[i], 0, TURN_ASKED);
    for (int i = 0; i < 2; i++)
        box_end(&box[i]);
    add(MATCH, us_since(start_ns));
}

/* How long after its deadline a bot that computes on is dead and reaped. */
static void measure_deadline(const struct box_spec *spec)
{
    const uint64_t net_ns = 3000000;
    struct box box;

    if (box_spawn(zygote, spec, &box, &err) < 0)
        end(err.msg);
    turn(&box, 0, TURN_ASKED);
    uint64_t start_ns = clock_mono_ns();
    turn(&box, net_ns, TURN_NET);
    add(DEADLINE, us_since(start_ns) - (double)net_ns / 1000);
    box_end(&box);
}

/* ---- peers ------------------------------------------------------------- */

/* An unjailed program that echoes 64 bytes, over pipes. */
static void measure_peer(char *program)
{
    int to[2], from[2], status;
    char text[64] = "", *argv[] = {program, NULL}, *env[] = {NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    uint64_t start_ns = clock_mono_ns();

    if (io_pipe(&to[0], &to[1], &err) < 0 ||
        io_pipe(&from[0], &from[1], &err) < 0)
        end(err.msg);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    if (posix_spawn(&pid, program, &actions, NULL, argv, env) != 0)
        end("posix_spawn");
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    uint64_t turns_ns = start_ns;
    for (unsigned i = 0; i <= TURNS; i++) {
        if (write(to[1], text, sizeof text) != sizeof text ||
            read(from[0], text, sizeof text) != sizeof text)
            end("a peer's pipe");
        if (i == 0) {
            add(PEER_FIRST, us_since(start_ns));
            turns_ns = clock_mono_ns();
        }
    }
    add(PEER_TURN, us_since(turns_ns) / TURNS);
    uint64_t end_ns = clock_mono_ns();
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    add(PEER_REAP, us_since(end_ns));
    close(to[1]);
    close(from[0]);
}

/* Two context switches: a process that only yields, and we do. */
static void measure_floor(void)
{
    pid_t pid = fork();

    if (pid == 0)
        for (;;)
            sched_yield();
    uint64_t start_ns = clock_mono_ns();
    for (unsigned i = 0; i < TURNS; i++)
        sched_yield();
    add(FLOOR, us_since(start_ns) / TURNS);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* ---- report ------------------------------------------------------------ */

static void row(const char *name, const char *unit, double ours,
                const char *peer, double theirs)
{
    printf("{\"group\": \"jail\", \"name\": \"%s\", \"unit\": \"%s\", "
           "\"ours\": %.6g, \"peers\": {",
           name, unit, ours);
    if (peer)
        printf("\"%s\": %.6g", peer, theirs);
    printf("}}\n");
}

static void report(void)
{
    row("start_to_first_turn_us", "us", quantile(FIRST_TURN, 0.5),
        "posix_spawn", quantile(PEER_FIRST, 0.5));
    row("start_kill_reap_us", "us", quantile(KILL_REAP, 0.5), "posix_spawn",
        quantile(PEER_FIRST, 0.5) + quantile(PEER_REAP, 0.5));
    row("turns_per_s", "1/s", 1e6 / quantile(TURN, 0.5), "pipes",
        1e6 / quantile(PEER_TURN, 0.5));
    row("turn_best_us", "us", quantile(TURN, 0.05), "two_context_switches",
        quantile(FLOOR, 0.05));
    row("match_2x100_us", "us", quantile(MATCH, 0.5), "posix_spawn_pipes",
        2 * (quantile(PEER_FIRST, 0.5) + quantile(PEER_REAP, 0.5) +
             100 * quantile(PEER_TURN, 0.5)));
    row("deadline_to_reaped_us", "us", quantile(DEADLINE, 0.5), NULL, 0);
    row("deadline_to_reaped_p99_us", "us", quantile(DEADLINE, 0.99), NULL, 0);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        end("usage: jail BOTS_FOLDER PEER [SECONDS]");
    zygote = zygote_start(0, &err);
    if (!zygote)
        end(err.msg);

    struct box_spec echo = spec_of(argv[1], "echo");
    struct box_spec spin = spec_of(argv[1], "spin");
    double seconds = argc > 3 ? strtod(argv[3], NULL) : 3;
    uint64_t start_ns = clock_mono_ns();
    while (us_since(start_ns) < seconds * 1e6) {
        measure_match(&echo);
        measure_peer(argv[2]);
        measure_start_and_end(&echo);
        measure_two_bots(&echo);
        measure_floor();
        measure_deadline(&spin);
    }
    report();
    zygote_stop(zygote);
    return 0;
}
