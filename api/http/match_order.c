/* match_order: POST /v1/matches. */
#include "api/http/match_order.h"

#include "api/http/matches.h"
#include "api/http/quota.h"
#include "api/http/resources.h"
#include "db/bots.h"
#include "db/jobs.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/match/limits.h"

#include <assert.h>
#include <microhttpd.h>
#include <sodium.h>
#include <string.h>

void matches_order_release(struct matches_order *order)
{
    free(order->seed);
    free(order->limits);
    *order = (struct matches_order){0};
}

/* The limits as they are to be stored, checked against the game's. */
static void matches_read_limits(struct fields *fields, const json_t *object,
                                struct matches_order *order)
{
    struct limits limits;
    struct err wrong;

    if (!object || !order->game)
        return;
    limits_init(&limits, order->game->turn_soft, order->game->turn_bank,
                order->game->turns);
    if (limits_apply(&limits, object, true, &wrong) < 0 ||
        limits_check_views(&limits, order->game->name, order->game->view_bytes,
                           &wrong) < 0)
        fields_invalid(fields, "limits", "%s", wrong.msg);
    else
        order->limits = json_dumps(object, JSON_COMPACT);
}

void matches_order_read(struct fields *fields, struct matches_order *order)
{
    struct request *request = fields->request;
    const char *game = fields_text(fields, "game", true);

    order->bots = fields_ids(fields, "bots", order->bot, MATCH_ROW_MAX_SLOTS);
    order->seed = fields_seed(fields, "seed");
    const json_t *limits = fields_object(fields, "limits");
    fields_bool(fields, "rated", &order->rated);
    fields_bool(fields, "profile", &order->profile);

    order->game = game ? games_find(request->service->games, game) : NULL;
    if (game && !order->game)
        fields_invalid(fields, "game",
                       "is not played here; GET /v1/games lists what is");
    if (order->game && order->bots &&
        (order->bots < order->game->min_slots ||
         order->bots > order->game->max_slots))
        fields_invalid(fields, "bots", "%s has %u to %u players",
                       order->game->name, order->game->min_slots,
                       order->game->max_slots);
    matches_read_limits(fields, limits, order);
}

/* Looks at each bot. 1: fine; 0: answered; -1. */
static int matches_check_bots(struct request *request, struct db *db,
                              const struct matches_order *order,
                              const char *prefix, struct err *err)
{
    const char *game = order->game->name;
    bool own = request_is_judge(request);
    const char *unready = NULL;
    int64_t unready_id = 0;

    for (size_t i = 0; i < order->bots; i++) {
        struct bot bot = {0};
        int found = bot_find(db, order->bot[i], &bot, err);
        if (found < 0)
            return -1;
        auto_free char *field = mem_format("%sbots/%zu", prefix, i);
        if (found == 0)
            reply_invalid(&request->reply, field, "there is no such bot");
        else if (strcmp(bot.game, game) != 0)
            reply_invalid(&request->reply, field, "plays another game");
        else if (bot.dropped_ns || bot.status < BOT_READY ||
                 bot.status == BOT_REJECTED) {
            unready =
                bot.dropped_ns ? "no longer kept" : bot_status_text(bot.status);
            unready_id = bot.id;
        }
        own = own || (found && bot.owner_id == request->user.id);
        bot_release(&bot);
    }
    if (request->reply.errors)
        return reply_invalid_body(&request->reply);
    if (!own)
        return reply_problem(&request->reply, MHD_HTTP_FORBIDDEN, "not_owner",
                             "one bot of the match at least must be yours");
    if (unready)
        return reply_problem(&request->reply, MHD_HTTP_CONFLICT,
                             "bot_not_ready", "bot %lld is %s, not ready",
                             (long long)unready_id, unready);
    return 1;
}

/* A seed of the system generator, as 64 hex digits. */
char *matches_random_seed(void)
{
    uint8_t bytes[HASH_BYTES];
    char hex[HASH_HEX_SIZE];

    randombytes_buf(bytes, sizeof bytes);
    hash_hex(bytes, hex);
    return mem_dup_str(hex);
}

int matches_order_check(struct request *request, struct db *db,
                        const struct matches_order *order, const char *prefix,
                        struct err *err)
{
    assert(order->game); /* matches_order_read: else the fields were refused */
    if (order->rated && !request_is_judge(request))
        return reply_problem(&request->reply, MHD_HTTP_FORBIDDEN, "judge_only",
                             "only a judge may ask for a rated match");
    return matches_check_bots(request, db, order, prefix, err);
}

int matches_order_queue(struct request *request, struct db *db,
                        const struct matches_order *order, int64_t batch_id,
                        int64_t *id, struct err *err)
{
    assert(order->game);
    auto_free char *drawn = order->seed ? NULL : matches_random_seed();
    const struct match_row_spec spec = {
        .game = order->game->name,
        .bot_id = order->bot,
        .slots = (unsigned)order->bots,
        .seed = drawn ? drawn : order->seed,
        .limits = order->limits,
        .rated = order->rated,
        .profile = order->profile,
        .owner_id = request->user.id,
        .batch_id = batch_id,
        .priority = JOB_PRIORITY_USER,
        .now_ns = clock_wall_ns(),
    };

    return match_row_add(db, &spec, id, err);
}

static int matches_insert(struct request *request, struct db *db,
                          const struct matches_order *order, struct err *err)
{
    int64_t id;
    int fine = matches_order_check(request, db, order, "", err);

    if (fine > 0)
        fine = quota_must(request, db, QUOTA_MATCHES, 1, err);
    if (fine <= 0)
        return fine;
    if (matches_order_queue(request, db, order, 0, &id, err) < 0)
        return -1;
    return matches_answer(request, db, id, MHD_HTTP_ACCEPTED, err);
}

int matches_add(struct request *request, struct db *db, struct err *err)
{
    struct matches_order order = {0};
    struct fields fields;
    int result = HANDLED_REPLY;

    fields_init(&fields, request);
    matches_order_read(&fields, &order);
    if (fields_end(&fields))
        result = matches_insert(request, db, &order, err);
    matches_order_release(&order);
    return result;
}
