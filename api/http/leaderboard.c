/* leaderboard: GET /v1/leaderboard. */
#include "api/http/cursor.h"
#include "api/http/games.h"
#include "api/http/resources.h"
#include "db/ratings.h"

#include <string.h>

static json_t *leaderboard_row(const struct standing *row)
{
    return json_pack(
        "{s:I, s:I, s:o, s:i, s:o, s:f, s:f, s:I, s:I, s:I, s:I}", "rank",
        (json_int_t)row->rank, "bot", (json_int_t)row->bot_id, "name",
        reply_string(row->name), "version", (int)row->version, "owner",
        reply_string(row->owner), "rating", row->rating.rating, "deviation",
        row->rating.deviation, "games", (json_int_t)row->rating.games, "wins",
        (json_int_t)row->rating.wins, "losses", (json_int_t)row->rating.losses,
        "ties", (json_int_t)row->rating.ties);
}

/* The key of a row: the rating's bits and the bot. */
static void leaderboard_set_key(struct cursor *cursor,
                                const struct standing *row)
{
    memcpy(&cursor->key[0], &row->rating.rating, sizeof cursor->key[0]);
    cursor->key[1] = row->bot_id;
}

int leaderboard_show(struct request *request, struct db *db, struct err *err)
{
    const char *game = uri_query(&request->uri, "game");
    struct standing_cursor after = {0};
    struct standing_list list = {0};
    struct cursor cursor;
    uint32_t limit;

    if (!game) {
        reply_invalid(&request->reply, "game",
                      "is missing; GET /v1/games lists what is played");
        return reply_invalid_query(&request->reply);
    }
    if (!games_must_find(request, game))
        return HANDLED_REPLY;
    if (cursor_read(request, CURSOR_MOST, &cursor, &limit, err) < 0)
        return -1;
    memcpy(&after.rating, &cursor.key[0], sizeof after.rating);
    after.bot_id = cursor.key[1];
    if (standing_list(db, game, after, limit, &list, err) < 0)
        return -1;
    json_t *items = json_array();
    for (size_t i = 0; i < list.count; i++)
        json_array_append_new(items, leaderboard_row(&list.row[i]));
    if (list.count)
        leaderboard_set_key(&cursor, &list.row[list.count - 1]);
    cursor_reply(request, items, list.more ? &cursor : NULL);
    request->reply.cache = REPLY_REVALIDATE;
    standing_list_release(&list);
    return HANDLED_REPLY;
}
