/* facts: what does not change while the service runs: GET /v1/costs, /limits,
 * /fingerprint. The documents are those of `bout costs --json` and so on. */
#include "api/http/games.h"
#include "api/http/quota.h"
#include "api/http/resources.h"
#include "runner/match/limits.h"

#include <microhttpd.h>

int costs_show(struct request *request, struct db *db, struct err *err)
{
    json_t *document = json_object();

    (void)db;
    (void)err;
#define COST(name, key, value, text) \
    json_object_set_new(document, key, json_integer(value));
#include "instrument/cost.def"
    request->reply.cache = REPLY_REVALIDATE;
    return reply_json(&request->reply, MHD_HTTP_OK, document);
}

int limits_show(struct request *request, struct db *db, struct err *err)
{
    const char *name = uri_query(&request->uri, "game");
    struct limits limits;

    (void)db;
    (void)err;
    if (name && !games_must_find(request, name))
        return HANDLED_REPLY;
    const struct games_row *game =
        name ? games_find(request->service->games, name) : NULL;
    limits_init(&limits, game ? game->turn_soft : 0, game ? game->turn_bank : 0,
                game ? game->turns : 0);
    json_t *document = limits_json(&limits);
    json_object_set_new(document, "quotas", quota_defaults());
    json_object_set_new(document, "kept",
                        retention_json(&request->service->retention));
    request->reply.cache = REPLY_REVALIDATE;
    return reply_json(&request->reply, MHD_HTTP_OK, document);
}

int fingerprint_show(struct request *request, struct db *db, struct err *err)
{
    (void)db;
    (void)err;
    request->reply.cache = REPLY_REVALIDATE;
    return reply_json(
        &request->reply, MHD_HTTP_OK,
        json_pack("{s:s}", "fingerprint", request->service->fingerprint));
}
