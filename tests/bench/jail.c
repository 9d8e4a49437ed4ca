/* jail: what the jail costs, beside plain posix_spawn with pipes and other
 * sandboxes in the same run. Usage:
 *     jail BOTS_FOLDER SECONDS PEER_PROGRAM STDIO_PROGRAM [NAME=COMMAND...]
 * BOTS_FOLDER holds the raw bots of tests/hostile/native. PEER_PROGRAM echoes
 * 64 bytes; STDIO_PROGRAM is the game's sample bot, compiled natively. Each
 * further peer is a command, split at blanks, that runs PEER_PROGRAM in another
 * sandbox; the game is $BOUT_GAMES/hundred. Prints one JSON row a measure:
 * {"group","name","unit","ours","peers"}. Everything runs on processor 0, as a
 * worker and its bots do; measures are interleaved, so that other load hits all
 * of them alike; a value is the median of its samples. */
#include "runner/base/clock.h"
#include "runner/base/io.h"
#include "runner/jail/box.h"
#include "runner/match/match.h"
#include "runner/match/seat.h"
#include "runner/work/gamebook.h"

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

#define PEERS_MAX 5u
#define PEERS_NATIVE 2u /* the first, without a sandbox */

/* What is measured, in us. A peer has four rows of its own. */
enum measure {
    FIRST_TURN,
    KILL_REAP,
    TURN,
    STDIO_TURN,
    MATCH,
    DEADLINE,
    NOTICED,
    FLOOR,
    PEER_FIRST,
    PEER_REAP = PEER_FIRST + PEERS_MAX,
    PEER_TURN = PEER_REAP + PEERS_MAX,
    PEER_MATCH = PEER_TURN + PEERS_MAX,
    MEASURES = PEER_MATCH + PEERS_MAX,
};

static struct series series[MEASURES];

static void add(unsigned measure, double value)
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

static double quantile(unsigned measure, double part)
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

static enum turn_end turn(struct box *box, uint64_t cpu_ns,
                          enum turn_end expected)
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
    if (result.end != expected && result.end != TURN_STARVED)
        end("a turn ended otherwise than it should");
    return result.end;
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

/* ---- with bots and a game of the toolchain ----------------------------- */

static const char stdio_view[] = "  1 0         10         10 "
                                 "...................................\n";
_Static_assert(sizeof stdio_view == 64 + 1, "what PEER_PROGRAM reads");

static struct match_spec hundred; /* both slots are the same bot */

static void read_hundred(struct gamebook *book)
{
    struct gamebook_entry *game;

    if (gamebook_read(book, &err) < 0 ||
        !(game = gamebook_get(book, "hundred", &err)) ||
        !(hundred.game = gamebook_referee(game, zygote, &err)) ||
        !(hundred.bot[0] = gamebook_sample(game, 0, &err)))
        end(err.msg);
    hundred.game_name = "hundred";
    hundred.bot[1] = hundred.bot[0];
    hundred.slots = 2;
    hundred.seed = "1";
    limits_init(&hundred.limits, game->about.turn_soft, game->about.turn_bank,
                game->about.turns);
}

static void measure_hundred(void)
{
    struct match match = {0};
    uint64_t start_ns = clock_mono_ns();

    if (match_play(zygote, &hundred, &match, &err) < 0)
        end(err.msg);
    add(MATCH, us_since(start_ns));
    if (match.turns != 100 || match.result[0].verdict != VERDICT_OK)
        end("the match did not go as it should");
    match_release(&match);
}

static void measure_stdio(void)
{
    const struct seat seat = {
        .build = hundred.bot[0],
        .limits = &hundred.limits,
        .seed = "1",
    };
    const struct turn_spec spec = {.view = stdio_view,
                                   .view_size = sizeof stdio_view - 1,
                                   .budget = 1000000};
    struct turn result;
    struct box box;

    if (seat_spawn(zygote, &seat, &box, &err) < 0)
        end(err.msg);
    uint64_t start_ns = clock_mono_ns();
    for (unsigned i = 0; i <= TURNS + 1; i++) {
        if (i == 2) /* start-up and a first turn are not the usual */
            start_ns = clock_mono_ns();
        if (box_turn(&box, &spec, &result, &err) < 0)
            end(err.msg);
        if (result.end != TURN_ASKED || (i > 0 && result.reply_size != 2))
            end("the stdio bot did not answer");
    }
    add(STDIO_TURN, us_since(start_ns) / TURNS);
    box_end(&box);
}

/* How long after its deadline a bot that computes on is dead and reaped: the
 * processor time that it had over its net (the deadline is one of that, and on
 * a loaded host it does not always run), then what passed. The least net that a
 * match gives is a second; this one is past the first time slice too, in which
 * a runner that has yielded waits for the scheduler's tick. */
static void measure_deadline(const struct box_spec *spec)
{
    const struct turn_spec endless = {
        .view = "x",
        .view_size = 1,
        .budget = 1000000,
        .cpu_ns = 20000000,
    };
    struct turn result;
    struct box box;

    if (box_spawn(zygote, spec, &box, &err) < 0)
        end(err.msg);
    turn(&box, 0, TURN_ASKED);
    uint64_t start_ns = clock_mono_ns();
    if (box_turn(&box, &endless, &result, &err) < 0)
        end(err.msg);
    double over_us = (double)(result.cpu_ns - endless.cpu_ns) / 1000;
    if (result.end == TURN_NET) { /* else the host is busy */
        add(NOTICED, over_us);
        add(DEADLINE,
            us_since(start_ns) - (double)result.wall_ns / 1000 + over_us);
    }
    box_end(&box);
}

/* ---- peers ------------------------------------------------------------- */

struct peer {
    const char *name;
    char *argv[32];
};

static struct peer peers[PEERS_MAX];
static unsigned peer_count;

/* "NAME=COMMAND", which is cut up. */
static void add_peer(const char *name, char *command)
{
    struct peer *peer = &peers[peer_count++];
    unsigned count = 0;

    if (peer_count > PEERS_MAX)
        end("too many peers");
    peer->name = name;
    for (char *word = strtok(command, " "); word && count < 31;
         word = strtok(NULL, " "))
        peer->argv[count++] = word;
}

struct echo {
    pid_t pid;
    int to, from;
};

static struct echo start_peer(const struct peer *peer)
{
    posix_spawn_file_actions_t actions;
    char *env[] = {NULL};
    int to[2], from[2];
    pid_t pid;

    if (io_pipe(&to[0], &to[1], &err) < 0 ||
        io_pipe(&from[0], &from[1], &err) < 0)
        end(err.msg);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    if (posix_spawn(&pid, peer->argv[0], &actions, NULL, peer->argv, env) != 0)
        end("posix_spawn");
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    return (struct echo){pid, to[1], from[0]};
}

/* 64 bytes there, a line back. */
static void echo_turn(const struct echo *echo, const char *name)
{
    char text[64] = "";
    ssize_t got = 0;

    if (write(echo->to, stdio_view, sizeof text) != sizeof text)
        end(name);
    while (got == 0 || text[got - 1] != '\n') {
        ssize_t more = read(echo->from, text + got, sizeof text - (size_t)got);

        if (more <= 0)
            end(name);
        got += more;
    }
}

static void end_peer(const struct echo *echo, bool may_kill)
{
    close(echo->to); /* what a sandbox hides ends at the end of its input */
    close(echo->from);
    if (may_kill)
        kill(echo->pid, SIGKILL);
    waitpid(echo->pid, NULL, 0);
}

/* What a match does, with three of the same for bots and referee. Nobody thinks
 * but posix_spawn_stdio, which is the bot that ours are, natively. */
static void measure_peer_match(unsigned number)
{
    const struct peer *peer = &peers[number];
    struct echo echo[3];
    uint64_t start_ns = clock_mono_ns();

    for (unsigned i = 0; i < 3; i++)
        echo[i] = start_peer(peer);
    for (unsigned turn = 0; turn <= 100; turn++)
        for (unsigned i = 0; i < 3; i++)
            echo_turn(&echo[i], peer->name);
    for (unsigned i = 0; i < 3; i++)
        end_peer(&echo[i], number < PEERS_NATIVE);
    add(PEER_MATCH + number, us_since(start_ns));
}

/* A program that echoes 64 bytes, over pipes. */
static void measure_peer(unsigned number)
{
    const struct peer *peer = &peers[number];
    uint64_t start_ns = clock_mono_ns();
    struct echo echo = start_peer(peer);
    uint64_t turns_ns = start_ns;

    for (unsigned i = 0; i <= TURNS; i++) {
        echo_turn(&echo, peer->name);
        if (i == 0) {
            add(PEER_FIRST + number, us_since(start_ns));
            turns_ns = clock_mono_ns();
        }
    }
    add(PEER_TURN + number, us_since(turns_ns) / TURNS);
    uint64_t end_ns = clock_mono_ns();
    end_peer(&echo, number < PEERS_NATIVE);
    add(PEER_REAP + number, us_since(end_ns));
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

static double peer_first(unsigned peer)
{
    return quantile(PEER_FIRST + peer, 0.5);
}

static double peer_reaped(unsigned peer)
{
    return peer_first(peer) + quantile(PEER_REAP + peer, 0.5);
}

static double peer_rate(unsigned peer)
{
    return 1e6 / quantile(PEER_TURN + peer, 0.5);
}

static double peer_match(unsigned peer)
{
    return quantile(PEER_MATCH + peer, 0.5);
}

/* `theirs` NULL: no peer does that. */
static void row(const char *name, const char *unit, double ours,
                double (*theirs)(unsigned peer))
{
    printf("{\"group\": \"jail\", \"name\": \"%s\", \"unit\": \"%s\", "
           "\"ours\": %.6g, \"peers\": {",
           name, unit, ours);
    for (unsigned i = 0; theirs && i < peer_count; i++)
        printf("%s\"%s\": %.6g", i ? ", " : "", peers[i].name, theirs(i));
    printf("}}\n");
}

static double floor_turn(unsigned peer)
{
    (void)peer;
    return quantile(FLOOR, 0.05);
}

static void report(void)
{
    row("start_to_first_turn_us", "us", quantile(FIRST_TURN, 0.5), peer_first);
    row("start_kill_reap_us", "us", quantile(KILL_REAP, 0.5), peer_reaped);
    row("turns_per_s", "1/s", 1e6 / quantile(TURN, 0.5), peer_rate);
    row("stdio_turns_per_s", "1/s", 1e6 / quantile(STDIO_TURN, 0.5), peer_rate);
    row("match_2x100_us", "us", quantile(MATCH, 0.5), peer_match);
    row("deadline_to_noticed_us", "us", quantile(NOTICED, 0.5), NULL);
    row("deadline_to_reaped_us", "us", quantile(DEADLINE, 0.5), NULL);
    row("deadline_to_reaped_p99_us", "us", quantile(DEADLINE, 0.99), NULL);
    peer_count = 1;
    peers[0].name = "two_context_switches";
    row("turn_best_us", "us", quantile(TURN, 0.05), floor_turn);
}

static void measure_all(const char *folder, double seconds)
{
    struct box_spec echo = spec_of(folder, "echo");
    struct box_spec spin = spec_of(folder, "spin");
    uint64_t start_ns = clock_mono_ns();

    while (us_since(start_ns) < seconds * 1e6) {
        measure_match(&echo);
        for (unsigned i = 0; i < peer_count; i++) {
            measure_peer(i);
            measure_peer_match(i);
        }
        measure_start_and_end(&echo);
        measure_hundred();
        measure_stdio();
        measure_floor();
        measure_deadline(&spin);
    }
}

int main(int argc, char **argv)
{
    struct gamebook book = {0};

    if (argc < 5)
        end("usage: jail BOTS_FOLDER SECONDS PEER STDIO [NAME=COMMAND...]");
    zygote = zygote_start(0, &err);
    if (!zygote)
        end(err.msg);
    add_peer("posix_spawn_pipes", argv[3]);
    add_peer("posix_spawn_stdio", argv[4]);
    for (int i = 5; i < argc; i++) {
        char *command = strchr(argv[i], '=');

        if (!command)
            end("a peer is NAME=COMMAND");
        *command = '\0';
        add_peer(argv[i], command + 1);
    }
    read_hundred(&book);
    measure_all(argv[1], strtod(argv[2], NULL));
    report();
    gamebook_release(&book);
    zygote_stop(zygote);
    return 0;
}
