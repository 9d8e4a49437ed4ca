/* match_change: a match cancelled, queued again, or verified. */
#include "api/http/matches.h"

#include "api/http/quota.h"
#include "api/http/resources.h"
#include "db/settings.h"
#include "runner/base/cleanup.h"
#include "db/jobs.h"
#include "runner/base/clock.h"

#include <microhttpd.h>

/* The match of the path, which this client may cancel or queue again. */
static int matches_get_own(struct request *request, struct db *db,
                           struct match_row *match, struct err *err)
{
    int found = matches_get(request, db, match, err);

    if (found <= 0)
        return found;
    if (request_is_judge(request) ||
        (!match->rated && match->owner_id == request->user.id))
        return 1;
    reply_problem(
        &request->reply, MHD_HTTP_FORBIDDEN, "not_owner",
        "only who asked for an unrated match, or a judge, may do that");
    match_row_release(match);
    return 0;
}

/* A judge's act on what somebody else asked for. */
static int matches_note_act(struct request *request, struct db *db,
                            const struct match_row *match, const char *action,
                            struct err *err)
{
    auto_free char *subject = mem_format("match %lld", (long long)match->id);

    if (match->owner_id == request->user.id)
        return 0;
    return audit_add(db, request->user.id, action, subject, clock_wall_ns(),
                     err);
}

int matches_cancel(struct request *request, struct db *db, struct err *err)
{
    struct match_row match = {0};
    int found = matches_get_own(request, db, &match, err);

    if (found <= 0)
        return found;
    int noted = matches_note_act(request, db, &match, "match.cancel", err);
    match_row_release(&match);
    if (noted < 0 ||
        match_row_cancel(db, request->id, clock_wall_ns(), err) < 0)
        return -1;
    return matches_answer(request, db, request->id, MHD_HTTP_OK, err);
}

int matches_requeue(struct request *request, struct db *db, struct err *err)
{
    struct match_row match = {0};
    int found = matches_get_own(request, db, &match, err);

    if (found <= 0)
        return found;
    int fine = quota_must(request, db, QUOTA_MATCHES, 1, err);
    int noted =
        fine > 0 ? matches_note_act(request, db, &match, "match.requeue", err)
                 : 0;
    match_row_release(&match);
    if (fine <= 0)
        return fine;
    if (noted < 0 || match_row_requeue(db, request->id, request->user.id,
                                       clock_wall_ns(), err) < 0)
        return -1;
    return matches_answer(request, db, request->id, MHD_HTTP_ACCEPTED, err);
}

int matches_verify(struct request *request, struct db *db, struct err *err)
{
    struct match_row match = {0};
    bool own = request_is_judge(request);
    int64_t job;
    int found = matches_get_finished(request, db, &match, err);

    if (found <= 0)
        return found;
    for (unsigned i = 0; i < match.slots; i++)
        own = own || request_owns(request, match.result[i].owner_id);
    int replayable = 1;
    if (own)
        replayable = matches_must_keep(request, &match, RETAINED_REPLAYS)
                         ? matches_can_replay(request, db, &match, -1, err)
                         : 0;
    match_row_release(&match);
    if (!own)
        return reply_problem(&request->reply, MHD_HTTP_FORBIDDEN, "not_owner",
                             "only the owners of its bots may verify a match");
    if (replayable > 0)
        replayable = quota_must(request, db, QUOTA_REPLAYS, 1, err);
    if (replayable <= 0)
        return replayable;
    struct job_spec spec = {
        .kind = JOB_VERIFY,
        .subject_id = request->id,
        .priority = JOB_PRIORITY_USER,
        .user_id = request->user.id,
        .now_ns = clock_wall_ns(),
    };
    if (job_add(db, &spec, &job, err) < 0)
        return -1;
    return matches_answer(request, db, request->id, MHD_HTTP_ACCEPTED, err);
}
