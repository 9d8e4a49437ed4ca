/* log: GET /v1/matches/{id}/log, what a bot wrote to stderr, for its owner. */
#include "api/http/matches.h"
#include "api/http/resources.h"

#include <microhttpd.h>

int log_show(struct request *request, struct db *db, struct err *err)
{
    struct match_row match = {0};
    struct buf log = {0};
    unsigned slot;
    int64_t turn;
    int found = matches_get_slot(request, db, &match, &slot, err);

    if (found <= 0)
        return found;
    const struct uri_range range = {.absent = -1, .high = match.turns};
    bool kept = matches_must_keep(request, &match, RETAINED_LOGS);
    match_row_release(&match);
    if (!kept)
        return HANDLED_REPLY;
    if (uri_query_int(&request->uri, "turn", range, &turn, err) < 0 ||
        turn_log_find(db, request->id, slot, turn, &log, err) < 0)
        return -1;
    request->reply.cache = REPLY_IMMUTABLE_PRIVATE;
    return reply_bytes(&request->reply, "text/plain; charset=utf-8", &log);
}
