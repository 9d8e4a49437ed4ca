/* The dispatcher's thread owns the pool, its own reading connection, and for
 * each worker the job that it holds. Whatever writes goes to the writer and is
 * waited for: the dispatcher has nothing better to do, and handlers of requests
 * are on other threads.
 *
 * A worker asks, and gets one answer a question. "take" is answered when there
 * is work, so a worker without work costs nothing. */
#include "api/http/dispatch_internal.h"

#include "api/ladder/ladder.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/io.h"
#include "runner/base/log.h"
#include "runner/work/store.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>

#define REST_AFTER 4        /* jobs that a worker fails in a row */
#define REST_NS 60000000000 /* then it gets none for so long */
#define EXPIRE_EVERY_NS 5000000000
#define LADDER_EVERY_NS 250000000
#define IDLE_MS 1000
#define LADDER_PENDING 2 /* rated matches of a bot that wait */
#define LADDER_AHEAD 4   /* waiting matches a worker */

void dispatch_tell(struct dispatch *dispatch, const struct job *job)
{
    const char *what = job->kind == JOB_BUILD ? "bot" : "match";

    if (dispatch->spec.changed)
        dispatch->spec.changed(dispatch->spec.user, what, job->subject_id);
}

/* ---- leasing ------------------------------------------------------------ */

struct take {
    struct job job;
    char holder[32];
};

static int take_fn(struct db *db, void *arg, struct err *err)
{
    struct take *take = arg;
    int64_t now = clock_wall_ns();
    int row = job_lease(db, take->holder, now + LEASE_NS, &take->job, err);

    if (row == 1 && store_begin(db, &take->job, now, err) < 0)
        return -1;
    return row;
}

struct give_up {
    const struct job *job;
    const char *reason;
    bool failed;
};

static int give_up_fn(struct db *db, void *arg, struct err *err)
{
    struct give_up *give_up = arg;

    return job_give_up(db, give_up->job, give_up->reason, clock_wall_ns(),
                       &give_up->failed, err);
}

void dispatch_note_success(struct dispatch *dispatch, unsigned worker)
{
    dispatch->holder[worker].failures = 0;
    dispatch->holder[worker].failed_job = 0;
}

/* A worker that fails one job after the other rests, so that it does not use up
 * the attempts of all that waits; one that fails the same job again does not
 * count: then it is the job's fault, which ends after its attempts. */
static void note_failure(struct dispatch *dispatch, unsigned worker,
                         bool for_good)
{
    struct holder *holder = &dispatch->holder[worker];

    if (for_good)
        atomic_fetch_add(&dispatch->failed, 1);
    if (holder->job.id == holder->failed_job)
        return;
    holder->failed_job = holder->job.id;
    if (++holder->failures < REST_AFTER)
        return;
    holder->failures = 0;
    holder->rests_until_ns = (int64_t)clock_mono_ns() + REST_NS;
    log_line(LOG_ALARM, "dispatch",
             "worker %u failed %d jobs in a row: it gets none for %d s", worker,
             REST_AFTER, (int)(REST_NS / 1000000000));
}

bool dispatch_is_disk(const struct err *err)
{
    return err->kind == ERR_FULL || err->kind == ERR_DISK;
}

/* There is room: nothing is leased while one of these waits, and a worker has
 * one job at a time. */
void dispatch_keep(struct dispatch *dispatch, unsigned worker)
{
    struct holder *holder = &dispatch->holder[worker];

    assert(dispatch->orphans < dispatch->spec.workers);
    log_line(LOG_WARN, "dispatch",
             "%s %" PRId64 ": the disk did not take how it ended; it is "
             "queued again",
             job_kind_text(holder->job.kind), holder->job.subject_id);
    dispatch->orphan[dispatch->orphans++] = holder->job;
    holder->job = (struct job){0};
}

static int put_back_fn(struct db *db, void *arg, struct err *err)
{
    return job_put_back(db, arg, "the disk was full", err);
}

static void put_back(struct dispatch *dispatch)
{
    struct err err = {0};

    while (dispatch->orphans > 0 &&
           disk_has_room_for_matches(dispatch->spec.disk)) {
        struct job *job = &dispatch->orphan[dispatch->orphans - 1];
        int held =
            writer_run(dispatch->spec.writer, false, put_back_fn, job, &err);
        if (held < 0 && dispatch_is_disk(&err))
            return;
        if (held < 0)
            log_line(LOG_ALARM, "dispatch", "job %" PRId64 ": %s", job->id,
                     err.msg);
        dispatch->orphans--;
        dispatch_tell(dispatch, job);
        job_release(job);
        dispatch->work_maybe = true;
    }
}

int dispatch_drop(struct dispatch *dispatch, unsigned worker,
                  const char *reason)
{
    struct holder *holder = &dispatch->holder[worker];
    struct give_up give_up = {.job = &holder->job, .reason = reason};
    struct err err = {0};

    if (!holder->job.id)
        return 0;
    int held =
        writer_run(dispatch->spec.writer, false, give_up_fn, &give_up, &err);
    if (held < 0 && dispatch_is_disk(&err)) {
        dispatch_keep(dispatch, worker);
        return held;
    }
    if (held < 0)
        log_line(LOG_ALARM, "dispatch", "job %" PRId64 ": %s", holder->job.id,
                 err.msg);
    if (held == 1)
        note_failure(dispatch, worker, give_up.failed);
    log_line(LOG_WARN, "dispatch", "%s %" PRId64 ", attempt %d: %s%s",
             job_kind_text(holder->job.kind), holder->job.subject_id,
             holder->job.attempt, reason,
             give_up.failed ? "; given up for good" : "");
    dispatch_tell(dispatch, &holder->job);
    job_release(&holder->job);
    dispatch->work_maybe = true;
    return held;
}

/* Where another worker was starved in this match: only that counts, so that one
 * bad core is nobody's loss. */
static void tell_starved(const struct job *job, unsigned worker,
                         struct parcel *parcel)
{
    json_t *args =
        job->kind == JOB_MATCH ? json_loads(job->args, 0, NULL) : NULL;
    json_t *place = json_object_get(args, "starved");
    const json_t *by = json_object_get(args, "worker");

    if (place && json_integer_value(by) != (json_int_t)worker)
        json_object_set(parcel->head, "starved", place);
    json_decref(args);
}

/* Sends the job to its worker, which waits for it. */
static void send_job(struct dispatch *dispatch, unsigned worker)
{
    struct holder *holder = &dispatch->holder[worker];
    auto_parcel struct parcel parcel = {0};
    struct err err = {0};

    if (store_pack(dispatch->db, &holder->job, &parcel, &err) < 0) {
        dispatch_drop(dispatch, worker, err.msg);
        return;
    }
    tell_starved(&holder->job, worker, &parcel);
    holder->waits = false;
    /* A worker that is gone is found by pool_wait, and its job dropped. */
    if (pool_send(dispatch->pool, worker, &parcel, &err) < 0)
        log_line(LOG_WARN, "dispatch", "%s", err.msg);
}

/* Leases for the worker. 1; 0: nothing is queued (or may be had now). */
static int take_job(struct dispatch *dispatch, unsigned worker)
{
    struct take take = {0};
    struct err err = {0};

    snprintf(take.holder, sizeof take.holder, "worker %u", worker);
    int row = writer_run(dispatch->spec.writer, false, take_fn, &take, &err);
    if (row < 0)
        log_line(LOG_ALARM, "dispatch", "lease: %s", err.msg);
    if (row != 1) {
        job_release(&take.job);
        return 0;
    }
    dispatch->holder[worker].job = take.job;
    dispatch_tell(dispatch, &take.job);
    send_job(dispatch, worker);
    return 1;
}

static bool rests(const struct holder *holder)
{
    return holder->rests_until_ns > (int64_t)clock_mono_ns();
}

static void give_work(struct dispatch *dispatch)
{
    put_back(dispatch);
    if (dispatch->orphans > 0 ||
        !disk_has_room_for_matches(dispatch->spec.disk))
        return;
    for (unsigned i = 0; dispatch->work_maybe && i < dispatch->spec.workers;
         i++)
        while (dispatch->work_maybe && dispatch->holder[i].waits &&
               !rests(&dispatch->holder[i]))
            if (!take_job(dispatch, i))
                dispatch->work_maybe = false;
}

/* ---- what time brings --------------------------------------------------- */

struct expired {
    struct job job; /* its id and fence */
    bool failed;
};

/* Another server's lease, or one whose worker hangs. */
static int expire_fn(struct db *db, void *arg, struct err *err)
{
    struct expired *expired = arg;
    int64_t now = clock_wall_ns();
    int found =
        job_find_expired(db, now, &expired->job.id, &expired->job.fence, err);

    if (found != 1)
        return found;
    return job_give_up(db, &expired->job, "the worker hung: its lease ran out",
                       now, &expired->failed, err);
}

static void expire_leases(struct dispatch *dispatch)
{
    struct expired expired = {0};
    struct err err = {0};

    if (writer_run(dispatch->spec.writer, false, expire_fn, &expired, &err) !=
        1)
        return;
    dispatch->work_maybe = true;
    for (unsigned i = 0; i < dispatch->spec.workers; i++) {
        struct holder *holder = &dispatch->holder[i];
        if (holder->job.id != expired.job.id ||
            holder->job.fence != expired.job.fence)
            continue;
        log_line(LOG_ALARM, "dispatch", "worker %u hangs at %s %" PRId64, i,
                 job_kind_text(holder->job.kind), holder->job.subject_id);
        dispatch_tell(dispatch, &holder->job);
        job_release(&holder->job);
        pool_kill(dispatch->pool, i);
    }
}

struct fill {
    struct ladder_spec spec;
    unsigned queued;
};

static int fill_fn(struct db *db, void *arg, struct err *err)
{
    struct fill *fill = arg;

    return ladder_fill(db, &fill->spec, &fill->queued, err);
}

/* Each game in turn, as far as the rate allows and workers keep up. */
static void fill_ladder(struct dispatch *dispatch)
{
    struct job_counts counts;
    struct err err = {0};

    if (job_count(dispatch->db, &counts, &err) < 0) {
        log_line(LOG_ALARM, "dispatch", "ladder: %s", err.msg);
        return;
    }
    int64_t room = (int64_t)dispatch->spec.workers * LADDER_AHEAD -
                   counts.queued[JOB_MATCH];
    for (size_t i = 0; i < dispatch->spec.game_count; i++) {
        size_t at = dispatch->ladder_next++ % dispatch->spec.game_count;
        const struct dispatch_game *game = &dispatch->game[at];
        if (room < 1 || dispatch->ladder_due < 1.0)
            return;
        struct fill fill = {
            .spec = {.game = game->name,
                     .slots = game->min_slots < 2 ? 2 : game->min_slots,
                     .most = 1 + (unsigned)(dispatch->ladder_due / 2),
                     .most_pending = LADDER_PENDING,
                     .now_ns = clock_wall_ns()}};
        if (fill.spec.most > room)
            fill.spec.most = (unsigned)room;
        if (writer_run(dispatch->spec.writer, false, fill_fn, &fill, &err) < 0)
            log_line(LOG_ALARM, "dispatch", "ladder of %s: %s", game->name,
                     err.msg);
        room -= fill.queued;
        dispatch->ladder_due -= fill.queued;
        dispatch->work_maybe |= fill.queued > 0;
    }
}

/* What is due by the clock. Returns how long nothing more is. */
static int tick(struct dispatch *dispatch)
{
    int64_t now = (int64_t)clock_mono_ns();

    if (now >= dispatch->expire_at_ns) {
        dispatch->expire_at_ns = now + EXPIRE_EVERY_NS;
        /* A job that could not be leased, for want of room on the disk, is
         * there still. */
        dispatch->work_maybe = true;
        if (dispatch->orphans == 0)
            expire_leases(dispatch);
    }
    if (dispatch->spec.ladder_per_s <= 0 || dispatch->spec.game_count == 0)
        return IDLE_MS;
    if (!disk_has_room_for_ladder(dispatch->spec.disk))
        return IDLE_MS;
    if (now >= dispatch->ladder_at_ns) {
        /* What was not used in a second is lost: a rate, not a debt. */
        double most = dispatch->spec.ladder_per_s < 1.0
                          ? 1.0
                          : dispatch->spec.ladder_per_s;
        dispatch->ladder_due +=
            dispatch->spec.ladder_per_s * (LADDER_EVERY_NS / 1e9);
        if (dispatch->ladder_due > most)
            dispatch->ladder_due = most;
        dispatch->ladder_at_ns = now + LADDER_EVERY_NS;
        fill_ladder(dispatch);
    }
    return (int)((dispatch->ladder_at_ns - now) / 1000000) + 1;
}

/* ---- the thread --------------------------------------------------------- */

static void note_state(struct dispatch *dispatch)
{
    unsigned busy = 0;
    unsigned resting = 0;

    for (unsigned i = 0; i < dispatch->spec.workers; i++) {
        busy += dispatch->holder[i].job.id != 0;
        resting += rests(&dispatch->holder[i]);
    }
    atomic_store(&dispatch->resting, resting);
    atomic_store(&dispatch->busy, busy);
    atomic_store(&dispatch->alive, pool_alive(dispatch->pool));
    atomic_store(&dispatch->restarts, pool_restarts(dispatch->pool));
}

static void on_gone(struct dispatch *dispatch, unsigned worker)
{
    dispatch_drop(dispatch, worker, "the worker died");
    dispatch->holder[worker].waits = false;
}

static void on_event(struct dispatch *dispatch, struct pool_event *event)
{
    uint64_t kicks;

    switch (event->kind) {
    case POOL_NOTHING:
        break;
    case POOL_WOKEN:
        if (read(dispatch->wake_fd, &kicks, sizeof kicks) == sizeof kicks)
            dispatch->work_maybe = true;
        break;
    case POOL_ASKS:
        dispatch_answer(dispatch, event->worker, &event->parcel);
        break;
    case POOL_GONE:
        on_gone(dispatch, event->worker);
        break;
    }
    parcel_release(&event->parcel);
}

static void *dispatch_main(void *arg)
{
    struct dispatch *dispatch = arg;
    const struct pool_spec spec = {.program = dispatch->program,
                                   .profile = dispatch->spec.selfprofile,
                                   .workers = dispatch->spec.workers};

    dispatch->pool = pool_open(&spec);
    dispatch->work_maybe = true;
    while (!atomic_load(&dispatch->stopping)) {
        struct pool_event event;
        int timeout_ms = tick(dispatch);
        give_work(dispatch);
        note_state(dispatch);
        pool_wait(dispatch->pool, dispatch->wake_fd, timeout_ms, &event);
        on_event(dispatch, &event);
    }
    pool_close(dispatch->pool);
    return NULL;
}

/* ---- start and stop ----------------------------------------------------- */

static int requeue_fn(struct db *db, void *arg, struct err *err)
{
    return job_requeue_leased(db, arg, err);
}

static void dispatch_free(struct dispatch *dispatch)
{
    for (unsigned i = 0; dispatch->holder && i < dispatch->spec.workers; i++) {
        job_release(&dispatch->holder[i].job);
        job_release(&dispatch->orphan[i]);
    }
    for (size_t i = 0; i < dispatch->spec.game_count; i++)
        free((char *)(uintptr_t)dispatch->game[i].name); /* our copy */
    db_close(dispatch->db);
    fd_close(&dispatch->wake_fd);
    free(dispatch->holder);
    free(dispatch->orphan);
    free(dispatch->game);
    free(dispatch->program);
    free(dispatch->database);
    free(dispatch);
}

static unsigned core_count(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) < 0 || CPU_COUNT(&set) < 1)
        return 1;
    return (unsigned)CPU_COUNT(&set);
}

static struct dispatch *dispatch_new(const struct dispatch_spec *spec)
{
    struct dispatch *dispatch = mem_calloc(1, sizeof *dispatch);

    dispatch->spec = *spec;
    dispatch->wake_fd = -1;
    if (spec->workers == 0)
        dispatch->spec.workers = core_count();
    if (dispatch->spec.workers > POOL_MAX_WORKERS)
        dispatch->spec.workers = POOL_MAX_WORKERS;
    dispatch->program =
        mem_dup_str(spec->worker_path ? spec->worker_path : "/proc/self/exe");
    dispatch->database = mem_dup_str(spec->database);
    dispatch->game = mem_calloc(spec->game_count, sizeof *dispatch->game);
    for (size_t i = 0; i < spec->game_count; i++) {
        dispatch->game[i] = spec->game[i];
        dispatch->game[i].name = mem_dup_str(spec->game[i].name);
    }
    dispatch->holder =
        mem_calloc(dispatch->spec.workers, sizeof *dispatch->holder);
    dispatch->orphan =
        mem_calloc(dispatch->spec.workers, sizeof *dispatch->orphan);
    return dispatch;
}

static int dispatch_set_up(struct dispatch *dispatch, struct err *err)
{
    int64_t count = 0;

    if (writer_run(dispatch->spec.writer, false, requeue_fn, &count, err) < 0)
        return -1;
    if (count)
        log_line(LOG_INFO, "dispatch",
                 "%" PRId64 " jobs of the last run are queued again", count);
    dispatch->db = db_open(dispatch->database, DB_READ, err);
    if (!dispatch->db)
        return -1;
    dispatch->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (dispatch->wake_fd < 0)
        return err_sys(err, errno, "dispatch: eventfd");
    int code = pthread_create(&dispatch->thread, NULL, dispatch_main, dispatch);
    return code ? err_sys(err, code, "dispatch: thread") : 0;
}

struct dispatch *dispatch_start(const struct dispatch_spec *spec,
                                struct err *err)
{
    struct dispatch *dispatch = dispatch_new(spec);

    if (dispatch_set_up(dispatch, err) == 0)
        return dispatch;
    dispatch_free(dispatch);
    return NULL;
}

void dispatch_kick(struct dispatch *dispatch)
{
    const uint64_t one = 1;

    /* It only fails when the counter is full, and then it is readable. */
    if (write(dispatch->wake_fd, &one, sizeof one) < 0)
        assert(errno == EAGAIN);
}

void dispatch_stop(struct dispatch *dispatch)
{
    if (!dispatch)
        return;
    atomic_store(&dispatch->stopping, true);
    dispatch_kick(dispatch);
    pthread_join(dispatch->thread, NULL);
    dispatch_free(dispatch);
}

void dispatch_state(struct dispatch *dispatch, struct dispatch_state *state)
{
    *state = (struct dispatch_state){
        .workers = atomic_load(&dispatch->alive),
        .busy = atomic_load(&dispatch->busy),
        .quarantined = atomic_load(&dispatch->resting),
        .restarts = atomic_load(&dispatch->restarts),
        .failures = atomic_load(&dispatch->failed),
    };
}
