/* games: GET /v1/games and /v1/games/{name}. */
#include "api/http/games.h"

#include "api/http/resources.h"
#include "runner/match/limits.h"

#include <microhttpd.h>
#include <string.h>

void games_free(struct games *games)
{
    if (!games)
        return;
    for (size_t i = 0; i < games->count; i++) {
        free(games->row[i].name);
        free(games->row[i].label);
        free(games->row[i].version);
    }
    free(games->row);
    free(games);
}

const struct games_row *games_find(const struct games *games, const char *name)
{
    for (size_t i = 0; games && i < games->count; i++)
        if (!strcmp(games->row[i].name, name))
            return &games->row[i];
    return NULL;
}

bool games_must_find(struct request *request, const char *name)
{
    if (games_find(request->service->games, name))
        return true;
    reply_problem(&request->reply, MHD_HTTP_NOT_FOUND, "unknown_game",
                  "this game is not played here; GET /v1/games lists what is");
    return false;
}

static json_t *games_document(const struct games_row *row)
{
    struct limits limits;

    limits_init(&limits, row->turn_soft, row->turn_bank, row->turns);
    return json_pack("{s:o, s:o, s:o, s:i, s:i, s:o}", "name",
                     reply_string(row->name), "label", reply_string(row->label),
                     "version", reply_string(row->version), "min_slots",
                     (int)row->min_slots, "max_slots", (int)row->max_slots,
                     "limits", limits_json(&limits));
}

int games_list(struct request *request, struct db *db, struct err *err)
{
    const struct games *games = request->service->games;
    json_t *items = json_array();

    (void)db;
    (void)err;
    for (size_t i = 0; i < games->count; i++)
        json_array_append_new(items, games_document(&games->row[i]));
    request->reply.cache = REPLY_REVALIDATE;
    return reply_json(&request->reply, MHD_HTTP_OK,
                      json_pack("{s:o, s:n}", "items", items, "next"));
}

int games_show(struct request *request, struct db *db, struct err *err)
{
    (void)db;
    (void)err;
    if (!games_must_find(request, request->name))
        return HANDLED_REPLY;
    request->reply.cache = REPLY_REVALIDATE;
    return reply_json(
        &request->reply, MHD_HTTP_OK,
        games_document(games_find(request->service->games, request->name)));
}
