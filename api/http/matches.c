/* matches: one match, and the list of them. */
#include "api/http/matches.h"

#include "api/http/cursor.h"
#include "api/http/games.h"
#include "api/http/resources.h"
#include "db/kept.h"

#include <microhttpd.h>
#include <string.h>

/* ---- finding one -------------------------------------------------------- */

int matches_get(struct request *request, struct db *db, struct match_row *match,
                struct err *err)
{
    int found = match_row_find(db, request->id, match, err);

    if (found == 0)
        reply_problem(&request->reply, MHD_HTTP_NOT_FOUND, "not_found",
                      "there is no match %lld", (long long)request->id);
    return found;
}

int matches_get_finished(struct request *request, struct db *db,
                         struct match_row *match, struct err *err)
{
    int found = matches_get(request, db, match, err);

    if (found <= 0 || match->status == MATCH_FINISHED)
        return found;
    reply_problem(&request->reply, MHD_HTTP_CONFLICT, "not_finished",
                  "match %lld is %s; this exists once it is finished",
                  (long long)match->id, match_status_text(match->status));
    match_row_release(match);
    return 0;
}

bool matches_must_keep(struct request *request, const struct match_row *match,
                       enum retained part)
{
    json_t *when = reply_time(match->dropped_ns[part]);

    if (match->dropped_ns[part])
        reply_problem(&request->reply, MHD_HTTP_GONE, "not_kept",
                      "the %s of match %lld were dropped to make room, at %s; "
                      "its record and its turns are kept",
                      retained_word(part), (long long)match->id,
                      json_string_value(when));
    json_decref(when);
    return !match->dropped_ns[part];
}

int matches_can_replay(struct request *request, struct db *db,
                       const struct match_row *match, int slot, struct err *err)
{
    int built = match_has_builds(db, match->id, slot, err);
    const char *now = request->service->fingerprint;

    if (built < 0)
        return -1;
    if (!built)
        return reply_problem(&request->reply, MHD_HTTP_CONFLICT, "dropped",
                             "the builds of match %lld are no longer kept: its "
                             "log is, but it cannot be played again",
                             (long long)match->id);
    if (!*now || !match->fingerprint || !strcmp(match->fingerprint, now))
        return 1;
    int whole = kept_is_whole(db, match->id, match->fingerprint, err);
    if (whole != 0)
        return whole;
    return reply_problem(
        &request->reply, MHD_HTTP_CONFLICT, "other_toolchain",
        "match %lld was played by another version of the toolchain "
        "(fingerprint %.12s, now %.12s), whose builds were not kept: its log "
        "is there, but it cannot be played again here",
        (long long)match->id, match->fingerprint, now);
}

int matches_get_slot(struct request *request, struct db *db,
                     struct match_row *match, unsigned *slot, struct err *err)
{
    struct err wrong;
    int64_t number;
    int found = matches_get_finished(request, db, match, err);

    if (found <= 0)
        return found;
    const struct uri_range range = {.absent = -1, .high = match->slots - 1};
    if (uri_query_int(&request->uri, "slot", range, &number, &wrong) < 0 ||
        number < 0) {
        reply_invalid(&request->reply, "slot",
                      "must be the player's position, 0 to %u",
                      match->slots - 1);
        reply_invalid_query(&request->reply);
    } else if (request_must_see(request, match->result[number].owner_id,
                                "see this of a bot")) {
        *slot = (unsigned)number;
        return 1;
    }
    match_row_release(match);
    return 0;
}

int matches_show(struct request *request, struct db *db, struct err *err)
{
    struct match_row match = {0};
    int found = matches_get(request, db, &match, err);
    int result = HANDLED_REPLY;

    if (found <= 0)
        return found;
    if (match.status < MATCH_FINISHED)
        result = request_wait(request, match.id);
    if (result == HANDLED_REPLY) {
        json_t *document = matches_document(request, &match);
        if (matches_add_stderr(request, db, &match, document, err) < 0)
            result = -1;
        reply_json(&request->reply, MHD_HTTP_OK, document);
        request->reply.cache = REPLY_REVALIDATE;
    }
    match_row_release(&match);
    return result;
}

/* ---- the list ----------------------------------------------------------- */

/* False: answered. */
static bool matches_read_filter(struct request *request,
                                struct match_filter *filter)
{
    const struct uri *uri = &request->uri;
    const char *status = uri_query(uri, "status");
    const char *rated = uri_query(uri, "rated");
    const char *bot = uri_query(uri, "bot");
    const char *batch = uri_query(uri, "batch");

    filter->game = uri_query(uri, "game");
    filter->bot_name = uri_query(uri, "name");
    filter->status = status ? match_status_parse(status) : MATCH_STATUS_COUNT;
    filter->rated = rated ? strcmp(rated, "false") != 0 : -1;
    if (filter->game && !games_must_find(request, filter->game))
        return false;
    if (status && filter->status == MATCH_STATUS_COUNT)
        reply_invalid(&request->reply, "status", "is not a match's status");
    if (bot && (!uri_parse_count(bot, &filter->bot_id) || !filter->bot_id))
        reply_invalid(&request->reply, "bot", "must be a bot's id");
    if (batch && (!uri_parse_count(batch, &filter->batch_id) ||
                  !filter->batch_id || bot || filter->bot_name))
        reply_invalid(&request->reply, "batch",
                      "must be a batch's id, without bot and name");
    if (filter->bot_name && !filter->game)
        reply_invalid(&request->reply, "name", "needs game too");
    if (!request->reply.errors)
        return true;
    reply_invalid_query(&request->reply);
    return false;
}

int matches_list(struct request *request, struct db *db, struct err *err)
{
    struct match_filter filter = {0};
    struct match_row_list list = {0};
    struct cursor cursor;
    uint32_t limit;

    if (cursor_read(request, CURSOR_MOST, &cursor, &limit, err) < 0)
        return -1;
    if (!matches_read_filter(request, &filter))
        return HANDLED_REPLY;
    if (match_row_list(db, &filter, cursor.key[0], limit, &list, err) < 0)
        return -1;
    json_t *items = json_array();
    for (size_t i = 0; i < list.count; i++)
        json_array_append_new(items, matches_document(request, &list.row[i]));
    if (list.count)
        cursor.key[0] = list.row[list.count - 1].id;
    cursor_reply(request, items, list.more ? &cursor : NULL);
    match_row_list_release(&list);
    return HANDLED_REPLY;
}
