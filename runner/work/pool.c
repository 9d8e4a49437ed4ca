#include "runner/work/pool.h"

#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/log.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define WORKER_FD 3
#define PAUSE_MIN_NS 100000000u   /* 0.1 s */
#define PAUSE_MAX_NS 10000000000u /* 10 s */
#define YOUNG_NS 5000000000u      /* 5 s */

struct pool_worker {
    pid_t pid; /* 0: not running */
    int fd;
    uint64_t started_ns;
    uint64_t due_ns; /* when it may be started again */
    uint64_t pause_ns;
    bool broken; /* killed or not answering: to be said gone */
};

struct pool {
    char *program;
    bool profile;
    unsigned workers;
    unsigned next; /* worker to be heard first, so that none is starved */
    uint64_t restarts;
    struct pool_worker worker[];
};

extern char **environ;

/* ---- one worker --------------------------------------------------------- */

static int socket_pair(int *ours, int *theirs, struct err *err)
{
    int ends[2];
    const struct timeval patience = {.tv_sec = POOL_PATIENCE_S};

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return err_sys(err, errno, "worker: socketpair");
    *ours = ends[0];
    *theirs = ends[1];
    /* The server must not hang on a worker; a worker may wait for work. */
    if (setsockopt(*ours, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) <
            0 ||
        setsockopt(*ours, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) <
            0)
        return err_sys(err, errno, "worker: socket time limit");
    return 0;
}

/* The n-th core that we may use; round again when there are fewer. */
static int core_of(unsigned n)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) < 0 || CPU_COUNT(&set) == 0)
        return -1;
    unsigned left = n % (unsigned)CPU_COUNT(&set);
    for (unsigned core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &set) && left-- == 0)
            return (int)core;
    return -1;
}

/* A session of its own: Ctrl-C at the terminal is for the server, which ends
 * its workers itself. */
static int spawn_worker(const struct pool *pool, int cpu, int fd, pid_t *pid,
                        struct err *err)
{
    char lease_fd[16];
    char core[16];
    char profile[] = "--profile";
    char *argv[] = {(char[]){"bout"},
                    (char[]){"worker"},
                    (char[]){"--lease-fd"},
                    lease_fd,
                    (char[]){"--cpu"},
                    core,
                    pool->profile ? profile : NULL,
                    NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigset_t all;

    snprintf(lease_fd, sizeof lease_fd, "%d", WORKER_FD);
    snprintf(core, sizeof core, "%d", cpu);
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fd, WORKER_FD);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID |
                                              POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    int code =
        posix_spawn(pid, pool->program, &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code ? err_sys(err, code, "%s: start as a worker", pool->program)
                : 0;
}

static void worker_pause(struct pool_worker *worker, uint64_t now)
{
    bool young = now - worker->started_ns < YOUNG_NS;
    uint64_t pause = worker->pause_ns * 2;

    if (!young || pause < PAUSE_MIN_NS)
        pause = PAUSE_MIN_NS;
    worker->pause_ns = pause < PAUSE_MAX_NS ? pause : PAUSE_MAX_NS;
    worker->due_ns = now + worker->pause_ns;
}

static void worker_start(struct pool *pool, unsigned at)
{
    struct pool_worker *worker = &pool->worker[at];
    auto_fd int theirs = -1;
    struct err err = {0};

    if (socket_pair(&worker->fd, &theirs, &err) < 0 ||
        spawn_worker(pool, core_of(at), theirs, &worker->pid, &err) < 0) {
        log_line(LOG_ALARM, "work", "worker %u: %s", at, err.msg);
        fd_close(&worker->fd);
        worker->pid = 0;
        worker->started_ns = clock_mono_ns();
        worker_pause(worker, worker->started_ns);
        return;
    }
    worker->broken = false;
    worker->started_ns = clock_mono_ns();
}

/* Killed, reaped, to be started again later. */
static void worker_end(struct pool *pool, unsigned at)
{
    struct pool_worker *worker = &pool->worker[at];
    int status = 0;

    fd_close(&worker->fd);
    kill(worker->pid, SIGKILL);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status))
        log_line(LOG_WARN, "work", "worker %u ended with code %d", at,
                 WEXITSTATUS(status));
    else
        log_line(LOG_WARN, "work", "worker %u ended by signal %d", at,
                 WTERMSIG(status));
    worker->pid = 0;
    worker->broken = false;
    worker_pause(worker, clock_mono_ns());
    pool->restarts++;
}

/* ---- the pool ----------------------------------------------------------- */

struct pool *pool_open(const struct pool_spec *spec)
{
    assert(spec->workers >= 1 && spec->workers <= POOL_MAX_WORKERS);
    struct pool *pool =
        mem_calloc(1, sizeof *pool + spec->workers * sizeof pool->worker[0]);

    pool->program = mem_dup_str(spec->program);
    pool->workers = spec->workers;
    pool->profile = spec->profile;
    for (unsigned i = 0; i < pool->workers; i++)
        pool->worker[i].fd = -1;
    return pool;
}

void pool_close(struct pool *pool)
{
    if (!pool)
        return;
    for (unsigned i = 0; i < pool->workers; i++) {
        struct pool_worker *worker = &pool->worker[i];
        if (!worker->pid)
            continue;
        fd_close(&worker->fd);
        kill(worker->pid, SIGKILL);
        while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    free(pool->program);
    free(pool);
}

/* Starts what is due. Returns the time limit, shortened to the next start. */
static int pool_start_due(struct pool *pool, int timeout_ms)
{
    uint64_t now = clock_mono_ns();

    for (unsigned i = 0; i < pool->workers; i++) {
        struct pool_worker *worker = &pool->worker[i];
        if (!worker->pid && worker->due_ns <= now)
            worker_start(pool, i);
        if (worker->pid)
            continue;
        uint64_t left_ms = (worker->due_ns - now) / 1000000 + 1;
        if (left_ms < (uint64_t)timeout_ms)
            timeout_ms = (int)left_ms;
    }
    return timeout_ms;
}

static void pool_hear(struct pool *pool, unsigned at, struct pool_event *event)
{
    struct err err = {0};

    event->worker = at;
    int got = pool->worker[at].broken
                  ? -1
                  : parcel_receive(pool->worker[at].fd, &event->parcel, &err);
    if (got == 1) {
        event->kind = POOL_ASKS;
        return;
    }
    if (got < 0 && err.kind != ERR_NONE)
        log_line(LOG_WARN, "work", "worker %u: %s", at, err.msg);
    worker_end(pool, at);
    event->kind = POOL_GONE;
}

void pool_wait(struct pool *pool, int wake_fd, int timeout_ms,
               struct pool_event *event)
{
    struct pollfd wait[POOL_MAX_WORKERS + 1];

    *event = (struct pool_event){.kind = POOL_NOTHING};
    timeout_ms = pool_start_due(pool, timeout_ms);
    for (unsigned i = 0; i < pool->workers; i++) {
        /* A negative descriptor is passed over by poll(2). */
        wait[i] = (struct pollfd){.fd = pool->worker[i].fd, .events = POLLIN};
        if (pool->worker[i].broken)
            timeout_ms = 0;
    }
    wait[pool->workers] = (struct pollfd){.fd = wake_fd, .events = POLLIN};
    if (poll(wait, pool->workers + 1, timeout_ms) < 0)
        return; /* a signal */
    for (unsigned i = 0; i < pool->workers; i++) {
        unsigned at = (pool->next + i) % pool->workers;
        if (!pool->worker[at].pid ||
            (!pool->worker[at].broken && !wait[at].revents))
            continue;
        pool->next = at + 1;
        pool_hear(pool, at, event);
        return;
    }
    if (wait[pool->workers].revents)
        event->kind = POOL_WOKEN;
}

int pool_send(struct pool *pool, unsigned worker, const struct parcel *parcel,
              struct err *err)
{
    if (!pool->worker[worker].pid || pool->worker[worker].broken)
        return err_set(err, ERR_SYSTEM, "worker %u is gone", worker);
    if (parcel_send(pool->worker[worker].fd, parcel, err) == 0)
        return 0;
    pool_kill(pool, worker);
    return err_wrap(err, "worker %u", worker);
}

void pool_kill(struct pool *pool, unsigned worker)
{
    if (!pool->worker[worker].pid)
        return;
    kill(pool->worker[worker].pid, SIGKILL);
    pool->worker[worker].broken = true;
}

pid_t pool_pid(const struct pool *pool, unsigned worker)
{
    return pool->worker[worker].pid;
}

unsigned pool_alive(const struct pool *pool)
{
    unsigned alive = 0;

    for (unsigned i = 0; i < pool->workers; i++)
        alive += pool->worker[i].pid != 0;
    return alive;
}

uint64_t pool_restarts(const struct pool *pool)
{
    return pool->restarts;
}
