/* Each call is one question and one answer, as parcels: {"ask": WORD, ...}.
 * The answer to "take" comes when there is work. {"error": TEXT} answers what
 * the server cannot do. */
#include "runner/work/lease.h"

#include "runner/base/cleanup.h"
#include "runner/work/wire.h"

#include <errno.h>
#include <poll.h>

struct lease {
    int fd;
    int watched_fd; /* -1: none */
};

struct lease *lease_open(int fd)
{
    struct lease *lease = mem_alloc(sizeof *lease);

    *lease = (struct lease){.fd = fd, .watched_fd = -1};
    return lease;
}

void lease_watch(struct lease *lease, int fd)
{
    lease->watched_fd = fd;
}

void lease_close(struct lease *lease)
{
    if (!lease)
        return;
    fd_close(&lease->fd);
    free(lease);
}

void work_release(struct work *work)
{
    parcel_release(&work->parcel);
    *work = (struct work){0};
}

/* Until the server answers, or the time is over; -1 when what is watched has
 * ended. */
static int lease_wait(const struct lease *lease, int timeout_ms,
                      struct err *err)
{
    struct pollfd wait[] = {
        {.fd = lease->fd, .events = POLLIN},
        {.fd = lease->watched_fd}, /* ends are told without being asked for */
    };

    while (poll(wait, 2, timeout_ms) < 0)
        if (errno != EINTR)
            return err_sys(err, errno, "work: poll");
    if (wait[1].revents)
        return err_set(err, ERR_SYSTEM, "the zygote is gone");
    return 0;
}

/* 1: answered; 0: the server is gone; -1. */
static int lease_hear(struct lease *lease, struct parcel *answer,
                      struct err *err)
{
    int got = parcel_receive(lease->fd, answer, err);

    if (got != 1)
        return got;
    const char *wrong =
        json_string_value(json_object_get(answer->head, "error"));
    if (!wrong)
        return 1;
    err_set(err, ERR_SYSTEM, "server: %s", wrong);
    parcel_release(answer);
    return -1;
}

static int lease_ask(struct lease *lease, const struct parcel *question,
                     struct parcel *answer, struct err *err)
{
    if (parcel_send(lease->fd, question, err) < 0)
        return -1;
    return lease_hear(lease, answer, err);
}

/* As lease_ask, where the end is an error, for questions about a job. The
 * answer's "held". */
static int lease_ask_held(struct lease *lease, const struct parcel *question,
                          struct err *err)
{
    auto_parcel struct parcel answer = {0};
    int got = lease_ask(lease, question, &answer, err);

    if (got == 0)
        return err_set(err, ERR_SYSTEM, "the server is gone");
    if (got < 0)
        return -1;
    return json_is_true(json_object_get(answer.head, "held"));
}

static void parcel_name_job(struct parcel *parcel, const char *ask,
                            const struct work *work)
{
    if (!parcel->head)
        parcel->head = json_object();
    json_object_set_new(parcel->head, "ask", json_string(ask));
    json_object_set_new(parcel->head, "job", json_integer(work->job_id));
    json_object_set_new(parcel->head, "fence", json_integer(work->fence));
}

int lease_take(struct lease *lease, struct work *work, struct err *err)
{
    auto_parcel struct parcel question = {
        .head = json_pack("{s:s}", "ask", "take")};
    struct work taken = {0};

    if (lease_wait(lease, 0, err) < 0 ||
        parcel_send(lease->fd, &question, err) < 0 ||
        lease_wait(lease, -1, err) < 0)
        return -1;
    int got = lease_hear(lease, &taken.parcel, err);
    if (got != 1)
        return got;
    taken.kind = parcel_text(&taken.parcel, "kind", err);
    if (!taken.kind ||
        parcel_i64(&taken.parcel, "job", &taken.job_id, err) < 0 ||
        parcel_i64(&taken.parcel, "fence", &taken.fence, err) < 0) {
        work_release(&taken);
        return -1;
    }
    *work = taken;
    return 1;
}

int lease_extend(struct lease *lease, const struct work *work,
                 const char *phase, struct err *err)
{
    auto_parcel struct parcel question = {0};

    parcel_name_job(&question, "extend", work);
    if (phase)
        json_object_set_new(question.head, "phase", json_string(phase));
    return lease_ask_held(lease, &question, err);
}

struct build *lease_build(struct lease *lease, int64_t bot_id,
                          const char *fingerprint, struct err *err)
{
    auto_parcel struct parcel question = {
        .head = json_pack("{s:s, s:I, s:s*}", "ask", "build", "bot",
                          (json_int_t)bot_id, "fingerprint", fingerprint)};
    auto_parcel struct parcel answer = {0};
    int got = lease_ask(lease, &question, &answer, err);

    if (got == 0)
        err_set(err, ERR_SYSTEM, "the server is gone");
    if (got != 1)
        return NULL;
    struct build *build = wire_get_build(&answer, err);
    if (!build)
        err_wrap(err, "build of bot %lld", (long long)bot_id);
    return build;
}

int lease_finish(struct lease *lease, const struct work *work,
                 struct parcel *result, struct err *err)
{
    parcel_name_job(result, "finish", work);
    return lease_ask_held(lease, result, err);
}

int lease_give_up(struct lease *lease, const struct work *work,
                  const struct match_place *starved, const char *reason,
                  struct err *err)
{
    auto_parcel struct parcel question = {0};

    parcel_name_job(&question, "give_up", work);
    if (starved->turn != UINT32_MAX)
        json_object_set_new(question.head, "starved",
                            json_pack("[I, I]", (json_int_t)starved->turn,
                                      (json_int_t)starved->slot));
    if (json_object_set_new(question.head, "reason", json_string(reason)) < 0)
        json_object_set_new(question.head, "reason", json_string("unknown"));
    return lease_ask_held(lease, &question, err);
}
