/* What workers ask, and what they bring back. */
#include "api/http/dispatch_internal.h"

#include "api/http/selfprofile.h"
#include "api/ladder/ladder.h"
#include "db/kept.h"
#include "db/webhooks.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/log.h"
#include "runner/work/store.h"

#include <inttypes.h>
#include <string.h>

/* ---- what workers ask --------------------------------------------------- */

static void answer(struct dispatch *dispatch, unsigned worker,
                   const struct parcel *parcel)
{
    struct err err = {0};

    if (pool_send(dispatch->pool, worker, parcel, &err) < 0)
        log_line(LOG_WARN, "dispatch", "%s", err.msg);
}

static void answer_held(struct dispatch *dispatch, unsigned worker, int held)
{
    auto_parcel struct parcel parcel = {
        .head = json_pack("{s:b}", "held", held == 1)};

    answer(dispatch, worker, &parcel);
}

static void answer_error(struct dispatch *dispatch, unsigned worker,
                         const char *text)
{
    auto_parcel struct parcel parcel = {.head = json_object()};

    if (json_object_set_new(parcel.head, "error", json_string(text)) < 0)
        json_object_set_new(parcel.head, "error", json_string("failed"));
    log_line(LOG_ALARM, "dispatch", "worker %u: %s", worker, text);
    answer(dispatch, worker, &parcel);
}

/* Does the question name the job that the worker holds? */
static bool is_held(const struct holder *holder, const struct parcel *question)
{
    struct err err;
    int64_t job = 0;
    int64_t fence = 0;

    return holder->job.id && parcel_i64(question, "job", &job, &err) == 0 &&
           parcel_i64(question, "fence", &fence, &err) == 0 &&
           job == holder->job.id && fence == holder->job.fence;
}

static void on_take(struct dispatch *dispatch, unsigned worker,
                    const struct parcel *question)
{
    (void)question;
    /* It has forgotten what it held. */
    dispatch_drop(dispatch, worker, "the worker let go of it");
    dispatch->holder[worker].waits = true;
}

static void on_build(struct dispatch *dispatch, unsigned worker,
                     const struct parcel *question)
{
    auto_parcel struct parcel parcel = {.head = json_object()};
    struct build_row row = {0};
    struct err err = {0};
    int64_t bot_id = 0;
    const char *fingerprint =
        json_string_value(json_object_get(question->head, "fingerprint"));
    int found = parcel_i64(question, "bot", &bot_id, &err);

    if (found == 0)
        found = kept_build_find(dispatch->db, bot_id, fingerprint, &row, &err);
    if (found == 1) {
        wire_put_build_row(&parcel, &row);
        answer(dispatch, worker, &parcel);
    } else {
        answer_error(dispatch, worker,
                     found < 0 ? err.msg : "the bot has no build");
    }
    build_row_release(&row);
}

struct extend {
    const struct job *job;
    bool checking;
};

static int extend_fn(struct db *db, void *arg, struct err *err)
{
    struct extend *extend = arg;
    int held = job_extend(db, extend->job->id, extend->job->fence,
                          clock_wall_ns() + LEASE_NS, err);

    if (held == 1 && extend->checking && extend->job->kind == JOB_BUILD &&
        bot_set_status(db, extend->job->subject_id, BOT_CHECKING, err) < 0)
        return -1;
    return held;
}

static void on_extend(struct dispatch *dispatch, unsigned worker,
                      const struct parcel *question)
{
    struct holder *holder = &dispatch->holder[worker];
    const char *phase =
        json_string_value(json_object_get(question->head, "phase"));
    struct extend extend = {
        .job = &holder->job,
        .checking = phase && !strcmp(phase, "checking"),
    };
    struct err err = {0};
    int held = 0;

    if (is_held(holder, question))
        held =
            writer_run(dispatch->spec.writer, false, extend_fn, &extend, &err);
    /* The lease stands as it was: nobody but this thread ends it. */
    if (held < 0 && dispatch_is_disk(&err))
        held = 1;
    if (held < 0) {
        answer_error(dispatch, worker, err.msg);
        return;
    }
    if (held && extend.checking)
        dispatch_tell(dispatch, &holder->job);
    answer_held(dispatch, worker, held);
}

struct finish {
    const struct job *job;
    int64_t suspend_after;
    struct outcome outcome;
};

/* Results, turns, log, ratings and the end of the lease: all or nothing. */
static int finish_fn(struct db *db, void *arg, struct err *err)
{
    struct finish *finish = arg;
    const struct job *job = finish->job;
    int held = store_apply(db, job, &finish->outcome, clock_wall_ns(), err);

    if (held != 1)
        return held;
    if (job->kind == JOB_MATCH &&
        (ladder_rate(db, job->subject_id, err) < 0 ||
         bot_note_faults(db, job->subject_id, finish->suspend_after, err) < 0 ||
         delivery_queue(db, job->subject_id, clock_wall_ns(), err) < 0))
        return -1;
    if (job->kind == JOB_BUILD && finish->outcome.ready &&
        ladder_enter(db, job->subject_id, err) < 0)
        return -1;
    return 1;
}

/* Whole records, in the order in which they were written, or nothing. */
static void pass_journal(struct dispatch *dispatch,
                         const struct parcel *question)
{
    const json_t *blob = json_object_get(question->head, "journal");
    json_int_t at = json_integer_value(blob);
    const struct buf *bytes = json_is_integer(blob) && at >= 0
                                  ? parcel_blob(question, (size_t)at)
                                  : NULL;

    if (bytes && dispatch->spec.selfprofile)
        selfprofile_add(dispatch->spec.selfprofile, bytes->data, bytes->size);
}

static void on_finish(struct dispatch *dispatch, unsigned worker,
                      const struct parcel *question)
{
    struct holder *holder = &dispatch->holder[worker];
    struct finish finish = {.job = &holder->job,
                            .suspend_after = dispatch->spec.suspend_after};
    struct err err = {0};
    int held = 0;

    pass_journal(dispatch, question);
    if (is_held(holder, question)) {
        held = store_read(&holder->job, question, &finish.outcome, &err);
        if (held == 0)
            held = writer_run(dispatch->spec.writer, false, finish_fn, &finish,
                              &err);
    }
    outcome_release(&finish.outcome);
    if (held < 0) {
        if (dispatch_is_disk(&err))
            dispatch_keep(dispatch, worker);
        else
            dispatch_drop(dispatch, worker, err.msg);
        answer_held(dispatch, worker, 0);
        return;
    }
    if (held)
        dispatch_note_success(dispatch, worker);
    if (held && holder->job.kind == JOB_BUILD)
        dispatch->work_maybe = true;
    if (holder->job.id)
        dispatch_tell(dispatch, &holder->job);
    job_release(&holder->job);
    answer_held(dispatch, worker, held);
}

struct starved {
    const struct job *job;
    const char *args;
};

static int starved_fn(struct db *db, void *arg, struct err *err)
{
    struct starved *starved = arg;

    return job_set_args(db, starved->job->id, starved->job->fence,
                        starved->args, err);
}

/* Remembers, with the job, where this worker was starved. */
static void note_starved(struct dispatch *dispatch, unsigned worker,
                         const json_t *place)
{
    const struct job *job = &dispatch->holder[worker].job;
    struct err err = {0};

    if (job->kind != JOB_MATCH || json_array_size(place) != 2 ||
        !json_is_integer(json_array_get(place, 0)) ||
        !json_is_integer(json_array_get(place, 1)))
        return;
    auto_free char *args = mem_format(
        "{\"starved\":[%lld,%lld],\"worker\":%u}",
        (long long)json_integer_value(json_array_get(place, 0)),
        (long long)json_integer_value(json_array_get(place, 1)), worker);
    struct starved starved = {.job = job, .args = args};
    if (writer_run(dispatch->spec.writer, false, starved_fn, &starved, &err) <
        0)
        log_line(LOG_ALARM, "dispatch", "job %" PRId64 ": %s", job->id,
                 err.msg);
}

static void on_give_up(struct dispatch *dispatch, unsigned worker,
                       const struct parcel *question)
{
    const char *reason =
        json_string_value(json_object_get(question->head, "reason"));
    int held = 0;

    if (is_held(&dispatch->holder[worker], question)) {
        note_starved(dispatch, worker,
                     json_object_get(question->head, "starved"));
        held = dispatch_drop(dispatch, worker,
                             reason ? reason : "no reason given");
    }
    answer_held(dispatch, worker, held);
}

void dispatch_answer(struct dispatch *dispatch, unsigned worker,
                     const struct parcel *question)
{
    static const struct {
        const char *word;
        void (*run)(struct dispatch *dispatch, unsigned worker,
                    const struct parcel *question);
    } questions[] = {
        {"take", on_take},     {"build", on_build},     {"extend", on_extend},
        {"finish", on_finish}, {"give_up", on_give_up},
    };
    const char *word =
        json_string_value(json_object_get(question->head, "ask"));

    for (size_t i = 0; word && i < sizeof questions / sizeof questions[0]; i++)
        if (!strcmp(questions[i].word, word)) {
            questions[i].run(dispatch, worker, question);
            return;
        }
    answer_error(dispatch, worker, "a question that nobody knows");
}
