/* match_change: a match cancelled, queued again, or verified. */
#include "api/http/matches.h"

#include "api/http/resources.h"
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

int matches_cancel(struct request *request, struct db *db, struct err *err)
{
    struct match_row match = {0};
    int found = matches_get_own(request, db, &match, err);

    if (found <= 0)
        return found;
    match_row_release(&match);
    if (match_row_cancel(db, request->id, clock_wall_ns(), err) < 0)
        return -1;
    return matches_answer(request, db, request->id, MHD_HTTP_OK, err);
}

int matches_requeue(struct request *request, struct db *db, struct err *err)
{
    struct match_row match = {0};
    int found = matches_get_own(request, db, &match, err);

    if (found <= 0)
        return found;
    match_row_release(&match);
    if (match_row_requeue(db, request->id, clock_wall_ns(), err) < 0)
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
    bool replayable = !own || matches_can_replay(request, &match);
    match_row_release(&match);
    if (!own)
        return reply_problem(&request->reply, MHD_HTTP_FORBIDDEN, "not_owner",
                             "only the owners of its bots may verify a match");
    if (!replayable)
        return HANDLED_REPLY;
    struct job_spec spec = {
        .kind = JOB_VERIFY,
        .subject_id = request->id,
        .priority = JOB_PRIORITY_USER,
        .now_ns = clock_wall_ns(),
    };
    if (job_add(db, &spec, &job, err) < 0)
        return -1;
    return matches_answer(request, db, request->id, MHD_HTTP_ACCEPTED, err);
}
