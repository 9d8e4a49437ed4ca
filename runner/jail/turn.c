/* turn: granting a turn, waiting for its end, collecting what it left.
 *
 * The bot sleeps while anything here is written. A forged `answer` can only
 * make us look: hidden.answered decides. The wait is cut into slices so that a
 * process that was killed, or computes too long, is noticed. */
#include "runner/base/buf.h"
#include "runner/base/clock.h"
#include "runner/jail/box.h"
#include "runner/jail/box_internal.h"
#include "runner/jail/zygote.h"

#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TURN_SLICE_NS 10000000u
#define TURN_FORGED_NS 1000000u /* poll, when futex(2) cannot be slept on */

/* The default net: contract section 3. */
#define TURN_NET_NS 1000000000u
#define TURN_NET_NS_EACH 500u
#define TURN_WALL_FACTOR 10u

/* ---- waiting ----------------------------------------------------------- */

/* Time of a process of ours; clock_getcpuclockid(3) without the check that it
 * lives, which a zombie passes anyway. */
static uint64_t cpu_ns_of(const struct box *box)
{
    clockid_t clock;
    struct timespec time;

    if (clock_getcpuclockid(box->pid, &clock) != 0 ||
        clock_gettime(clock, &time) < 0)
        return box->cpu_last_ns;
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static bool has_answered(const struct box *box)
{
    return box->hidden->answered == box->turn;
}

static bool has_died(const struct box *box, uint64_t wait_ns)
{
    struct pollfd end = {.fd = box->pid_fd, .events = POLLIN};
    struct timespec wait = {.tv_nsec = (long)wait_ns};

    return ppoll(&end, 1, &wait, NULL) > 0;
}

/* Sleeps until `answer` changes or `ns` have passed. False when the word does
 * not have the value that a running turn leaves it at, so cannot be slept on.
 */
static bool sleep_on_answer(struct box *box, uint64_t ns)
{
    struct timespec wait = {.tv_nsec = (long)ns};

    box->hidden->runner_sleeps = 1;
    long result = syscall(SYS_futex, &box->io->answer, FUTEX_WAIT,
                          box->turn - 1, &wait, NULL, 0);
    box->hidden->runner_sleeps = 0;
    return result == 0 || errno != EAGAIN;
}

/* Time of this turn as far as it can be known: what the process used since it
 * was last looked at, but not more than has passed since the turn began. */
static void add_cpu(struct box *box, struct box_time *time)
{
    uint64_t now_ns = cpu_ns_of(box);
    uint64_t used_ns = now_ns - box->cpu_last_ns;

    box->cpu_last_ns = now_ns;
    if (!time->cpu_known && used_ns > time->wall_ns)
        used_ns = time->wall_ns;
    time->cpu_ns += used_ns;
    time->cpu_known = true;
}

static uint64_t slice_ns(const struct box_net *net, const struct box_time *time)
{
    uint64_t left_ns = net->cpu_ns - time->cpu_ns;

    return left_ns < TURN_SLICE_NS ? left_ns + 1 : TURN_SLICE_NS;
}

/* Lets the bot run, awake. */
static void yield(struct box *box, struct box_time *time)
{
    struct pace *pace = &box->zygote->pace;

    if (!pace_yields(pace, time->start_ns))
        return;
    sched_yield();

    uint64_t now_ns = clock_mono_ns();
    const struct page_hidden *hidden = box->hidden;

    pace_note(pace, now_ns, now_ns - time->start_ns,
              (uint64_t)(hidden->budget - hidden->remaining));
}

enum box_wait box_await(struct box *box, const struct box_net *net,
                        struct box_time *time)
{
    uint64_t start_ns = time->start_ns;

    for (;;) {
        bool asleep =
            has_answered(box) || sleep_on_answer(box, slice_ns(net, time));
        bool answered = has_answered(box);

        time->wall_ns = clock_mono_ns() - start_ns;
        if (time->wall_ns >= TURN_SLICE_NS || time->wall_ns > net->cpu_ns)
            add_cpu(box, time);
        if (answered)
            return BOX_ANSWERED;
        if (has_died(box, asleep ? 0 : TURN_FORGED_NS))
            return has_answered(box) ? BOX_ANSWERED : BOX_DIED;
        if (time->cpu_ns > net->cpu_ns)
            return BOX_NET;
        if (time->wall_ns > net->wall_ns)
            return BOX_STARVED;
    }
}

/* ---- granting ---------------------------------------------------------- */

static void grant(struct box *box, const struct turn_spec *spec)
{
    struct page_hidden *hidden = box->hidden;
    uint32_t turn = box->turn + 1;

    if (turn > 0)
        memcpy((char *)box->io + PAGE_BYTES, spec->view, spec->view_size);
    hidden->view_size = turn > 0 ? spec->view_size : 0;
    hidden->view_next = 0;
    hidden->last = spec->last;
    hidden->reply_size = 0;
    hidden->log_size = 0;
    hidden->log_lost = 0;
    hidden->event_size = 0;
    hidden->event_lost = 0;
    hidden->spent = box->spent;
    hidden->budget = (int64_t)spec->budget;
    hidden->remaining = (int64_t)spec->budget;
    hidden->granted = turn;
    box->turn = turn;
    box->io->request = turn;
    if (hidden->bot_sleeps)
        syscall(SYS_futex, &box->io->request, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static struct box_net net_of(const struct turn_spec *spec)
{
    uint64_t cpu_ns = spec->cpu_ns;

    if (cpu_ns == 0)
        cpu_ns = TURN_NET_NS + TURN_NET_NS_EACH * spec->budget;
    return (struct box_net){
        .cpu_ns = cpu_ns,
        .wall_ns = cpu_ns > UINT64_MAX / TURN_WALL_FACTOR
                       ? UINT64_MAX
                       : cpu_ns * TURN_WALL_FACTOR,
    };
}

/* ---- collecting -------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The lengths are the runtime's, clamped all the same. */
static void copy_texts(struct box *box, struct turn *turn)
{
    const char *view = (const char *)box->io + PAGE_BYTES;
    const char *reply = view + page_round(box->view_cap);
    const char *log = reply + page_round(box->reply_cap);
    uint64_t reply_size = least(box->hidden->reply_size, box->reply_cap);
    uint64_t log_size = least(box->hidden->log_size, box->log_cap);
    uint64_t bytes = reply_size + log_size + 2;

    if (bytes > box->copy_bytes) {
        box->copy = mem_realloc(box->copy, bytes);
        box->copy_bytes = bytes;
    }
    memcpy(box->copy, reply, reply_size);
    box->copy[reply_size] = '\0';
    memcpy(box->copy + reply_size + 1, log, log_size);
    box->copy[reply_size + 1 + log_size] = '\0';
    turn->reply = box->copy;
    turn->reply_size = reply_size;
    turn->log = box->copy + reply_size + 1;
    turn->log_size = log_size;
    turn->log_lost = box->hidden->log_lost;
}

bool box_count_is_forged(const struct box *box)
{
    return box->hidden->remaining > box->hidden->budget;
}

static void collect(struct box *box, struct turn *turn)
{
    const struct page_hidden *hidden = box->hidden;

    if (!box_count_is_forged(box))
        turn->instructions =
            (uint64_t)hidden->budget - (uint64_t)hidden->remaining;
    turn->memory_bytes = hidden->memory_peak;
    box->memory_peak = hidden->memory_peak;
    box->spent += turn->instructions;
    copy_texts(box, turn);
}

/* Turn 0: zygote and process run while we sleep, then the zygote's reply is
 * there. A start that takes longer than a slice is waited for by that. */
static int sleep_on_start(struct box *box, struct err *err)
{
    if (!has_answered(box))
        sleep_on_answer(box, TURN_SLICE_NS);
    return box_await_start(box, err);
}

/* The kernel ended it (RLIMIT_CPU) while nobody here looked: the same net. */
static bool died_of_net(const struct box *box, const struct box_net *net,
                        const struct box_time *time, const siginfo_t *status)
{
    uint64_t ticks = (uint64_t)(status->si_utime + status->si_stime);
    uint64_t life_ns = ticks * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));
    uint64_t since_ns =
        life_ns > box->cpu_last_ns ? life_ns - box->cpu_last_ns : 0;

    return box->hidden->end == PAGE_END_NONE && status->si_code == CLD_KILLED &&
           status->si_status == SIGKILL &&
           time->cpu_ns + since_ns > net->cpu_ns;
}

/* Whatever was wrong, no instruction of the bot has run. */
static int not_ready(const struct box *box, enum box_wait wait,
                     const siginfo_t *status, struct err *err)
{
    if (wait == BOX_NET || wait == BOX_STARVED)
        err_set(err, ERR_BUSY, "start: not ready in time");
    else
        box_start_failed(box, status, err);
    return err_wrap(err, "%s", box->name);
}

int box_turn(struct box *box, const struct turn_spec *spec, struct turn *turn,
             struct err *err)
{
    struct box_net net = net_of(spec);
    struct box_time time = {.start_ns = clock_mono_ns()};
    siginfo_t status;

    assert(!box->ended && spec->view_size <= box->view_cap);
    grant(box, spec);
    if (!box->started && sleep_on_start(box, err) < 0)
        return err_wrap(err, "%s", box->name);
    if (box->turn > 0)
        yield(box, &time);
    enum box_wait wait = box_await(box, &net, &time);

    *turn = (struct turn){
        .end = TURN_ASKED,
        .counted = true,
        .wall_ns = time.wall_ns,
        .cpu_ns = time.cpu_ns,
        .cpu_known = time.cpu_known,
    };
    if (wait == BOX_ANSWERED && box->hidden->end == PAGE_END_NONE &&
        !box_count_is_forged(box)) {
        collect(box, turn);
        return 0;
    }
    box_reap(box, &status);
    if (!box->hidden->ready)
        return not_ready(box, wait, &status, err);
    collect(box, turn);
    if (wait == BOX_DIED && died_of_net(box, &net, &time, &status))
        wait = BOX_NET;
    if (wait == BOX_NET || wait == BOX_STARVED) {
        turn->end = wait == BOX_NET ? TURN_NET : TURN_STARVED;
        turn->counted = false;
        return 0;
    }
    if (fault_explain(box, &status, turn, err) < 0)
        return err_wrap(err, "%s: turn %u", box->name, box->turn);
    return 0;
}
