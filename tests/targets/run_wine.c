/* run_wine: build/tests/bout_windows, `bout` where the executable of a build
 * for this machine is a Windows one, which wine starts (windows.sh makes such
 * builds). Wine's process cannot share the runner's pages: this one, which the
 * runner takes for the bot, does what a bot does on them, and tells both sides
 * of a turn to each other (windows/turns.h).
 */
#include "instrument/bot/page.h"
#include "tests/targets/foreign.h"
#include "tests/targets/windows/turns.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define WINE "wine64"

/* One bot, between runner and wine. */
struct bridge {
    char *memory; /* the memfd, whole */
    struct page_io *io;
    struct page_hidden *hidden;
    struct page_start start;
    pid_t pid; /* wine's */
    int to, from;
};

/* What happened to wine happened to the bot: its exit code. While it was being
 * set up that is a step of the runtime (start.c), which the runner knows. */
static _Noreturn void leave(struct bridge *bridge)
{
    int status = 0;

    while (waitpid(bridge->pid, &status, 0) < 0 && errno == EINTR)
        ;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    if (!bridge->hidden->ready && code > 100)
        bridge->io->setup_step = (uint32_t)code - 100;
    _exit(code);
}

static void receive(struct bridge *bridge, void *to, uint64_t bytes)
{
    char *at = to;

    while (bytes) {
        ssize_t done = read(bridge->from, at, bytes);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            leave(bridge);
        at += done;
        bytes -= (uint64_t)done;
    }
}

static void send(struct bridge *bridge, const void *from, uint64_t bytes)
{
    const char *at = from;

    while (bytes) {
        ssize_t done = write(bridge->to, at, bytes);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            leave(bridge);
        at += done;
        bytes -= (uint64_t)done;
    }
}

/* ---- turns -------------------------------------------------------------- */

/* The lengths are wine's word, and trusted: this is a test. */
static void receive_turn(struct bridge *bridge)
{
    struct page_hidden new;
    char *hidden = (char *)bridge->hidden;
    char *reply =
        bridge->memory + PAGE_BYTES + page_round(bridge->start.view_bytes);

    receive(bridge, &new, sizeof new);
    receive(bridge, reply, new.reply_size);
    receive(bridge, reply + page_round(bridge->start.reply_bytes),
            new.log_size);
    receive(bridge, hidden + PAGE_HIDDEN_COUNTERS,
            bridge->start.counters_bytes);
    receive(bridge, hidden + new.jump_offset + PAGE_JUMP_BYTES, new.event_size);
    memcpy(hidden, &new, TURNS_RUNNERS);
    memcpy(hidden + TURNS_BOTS, (char *)&new + TURNS_BOTS,
           sizeof new - TURNS_BOTS);
}

static void wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* As instrument/bot/turn.c: bot_wait, then publish. */
static void await_grant(struct bridge *bridge, uint32_t turn)
{
    while (bridge->io->request == turn) {
        bridge->hidden->bot_sleeps = 1;
        syscall(SYS_futex, &bridge->io->request, FUTEX_WAIT, turn, NULL, NULL,
                0);
        bridge->hidden->bot_sleeps = 0;
    }
    bridge->io->phase = PAGE_READY;
}

static void publish(struct bridge *bridge)
{
    uint32_t turn = bridge->hidden->granted;

    bridge->hidden->answered = turn;
    bridge->io->phase = bridge->hidden->end ? PAGE_ENDED : PAGE_ASKING;
    bridge->io->answer = turn;
    if (bridge->hidden->runner_sleeps)
        wake(&bridge->io->answer);
}

static void send_grant(struct bridge *bridge)
{
    const struct page_hidden *hidden = bridge->hidden;
    const struct turns_grant grant = {
        .budget = hidden->budget,
        .spent = hidden->spent,
        .view_size = hidden->view_size,
        .last = hidden->last,
        .granted = hidden->granted,
    };

    send(bridge, &grant, sizeof grant);
    send(bridge, bridge->memory + PAGE_BYTES, grant.view_size);
}

static _Noreturn void run_turns(struct bridge *bridge)
{
    uint32_t turn = PAGE_TURN_NONE;
    char ready;

    send(bridge, &bridge->start, sizeof bridge->start);
    receive(bridge, &ready, 1);
    bridge->hidden->answered = turn;
    bridge->hidden->ready = 1;
    bridge->io->phase = PAGE_READY;
    for (;;) {
        await_grant(bridge, turn);
        turn = bridge->hidden->granted;
        send_grant(bridge);
        receive_turn(bridge);
        publish(bridge);
        if (bridge->hidden->end)
            leave(bridge);
    }
}

/* ---- start -------------------------------------------------------------- */

static int map_memory(struct bridge *bridge, int fd)
{
    struct page_io *io = mmap(NULL, PAGE_BYTES, PROT_READ, MAP_SHARED, fd, 0);

    if (io == MAP_FAILED)
        return -1;
    bridge->start = io->start;

    uint64_t areas = page_areas_bytes(&bridge->start);
    bridge->memory = mmap(NULL, areas + page_hidden_bytes(&bridge->start),
                          PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (bridge->memory == MAP_FAILED)
        return -1;
    bridge->io = (struct page_io *)bridge->memory;
    bridge->hidden = (struct page_hidden *)(bridge->memory + areas);
    return 0;
}

/* A referee: this machine's own code. */
static _Noreturn void run_native(int elf, int memory)
{
    char *const argv[] = {(char[]){"bot"}, NULL};
    char *const none[] = {NULL};

    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int kept = fcntl(elf, F_DUPFD_CLOEXEC, PAGE_FD + 1);
    if (kept >= 0 && dup2(memory, PAGE_FD) >= 0)
        fexecve(kept, argv, none);
    _exit(1);
}

/* Wine opens files in another process: by the number of this one. */
static _Noreturn void run_wine(int elf, int in, int out)
{
    char path[64];
    char *const argv[] = {(char[]){WINE}, path, NULL};

    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getppid(), elf);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (dup2(in, 0) >= 0 && dup2(out, 1) >= 0)
        execvp(WINE, argv);
    _exit(1);
}

static int start_wine(struct bridge *bridge, int elf)
{
    int to[2], from[2];

    if (pipe2(to, O_CLOEXEC) < 0 || pipe2(from, O_CLOEXEC) < 0)
        return -1;
    bridge->pid = fork();
    if (bridge->pid == 0)
        run_wine(elf, to[0], from[1]);
    close(to[0]);
    close(from[1]);
    bridge->to = to[1];
    bridge->from = from[0];
    return bridge->pid < 0 ? -1 : 0;
}

_Noreturn void foreign_run(const int fds[2])
{
    struct bridge bridge = {0};
    char magic[2];

    if (pread(fds[0], magic, sizeof magic, 0) != sizeof magic)
        _exit(1);
    if (memcmp(magic, "MZ", sizeof magic) != 0)
        run_native(fds[0], fds[1]);
    signal(SIGPIPE, SIG_IGN);
    if (map_memory(&bridge, fds[1]) < 0 || start_wine(&bridge, fds[0]) < 0)
        _exit(1);
    run_turns(&bridge);
}
