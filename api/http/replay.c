/* replay: GET /v1/matches/{id}/replay, the match log (contract section 8). */
#include "api/http/matches.h"
#include "api/http/resources.h"
#include "runner/base/cleanup.h"

#include <microhttpd.h>

int replay_show(struct request *request, struct db *db, struct err *err)
{
    struct match_row match = {0};
    auto_buf struct buf log = {0};
    int found = matches_get_finished(request, db, &match, err);

    if (found <= 0)
        return found;
    bool kept = matches_must_keep(request, &match, RETAINED_REPLAYS);
    match_row_release(&match);
    if (!kept)
        return HANDLED_REPLY;
    found = match_log_find(db, request->id, &log, err);
    if (found < 0)
        return -1;
    if (found == 0)
        return reply_problem(&request->reply, MHD_HTTP_GONE, "not_kept",
                             "the log of match %lld is no longer kept",
                             (long long)request->id);
    request->reply.disposition = mem_format(
        "attachment; filename=\"match-%lld.jsonl\"", (long long)request->id);
    request->reply.cache = REPLY_IMMUTABLE;
    return reply_bytes(&request->reply, "application/x-ndjson", &log);
}
