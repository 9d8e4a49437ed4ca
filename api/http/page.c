/* page: GET /, the leaderboards and the latest matches as plain HTML: no
 * script, nothing loaded from elsewhere. All text from strangers is escaped. */
#include "api/http/games.h"
#include "api/http/resources.h"
#include "db/matches.h"
#include "db/ratings.h"

#include <inttypes.h>
#include <microhttpd.h>

#define PAGE_STANDINGS 20
#define PAGE_MATCHES 10

static const char page_head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<title>bout</title>\n<style>\n"
    "body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem;\n"
    "       margin: 2rem auto; padding: 0 1rem; color: #222;\n"
    "       background: #fff; }\n"
    "table { border-collapse: collapse; width: 100%; margin-bottom: 2rem; }\n"
    "caption { text-align: left; font-size: 1.3rem; font-weight: 600;\n"
    "          padding: .5rem 0; }\n"
    "th, td { text-align: left; padding: .25rem .75rem;\n"
    "         border-bottom: 1px solid #ddd; }\n"
    "td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }\n"
    "pre { background: #f4f4f4; padding: .75rem; overflow-x: auto; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  body { color: #ddd; background: #181818; } a { color: #8bf; }\n"
    "  th, td { border-color: #444; } pre { background: #262626; } }\n"
    "</style>\n</head>\n<body>\n<h1>bout</h1>\n"
    "<p>Programs play against each other, each on an exact budget of "
    "instructions.</p>\n";

static const char page_foot[] =
    "<h2>Enter a bot</h2>\n<pre>"
    "curl -H 'Authorization: Bearer TOKEN' -F name=mybot -F game=tron \\\n"
    "     -F source=@mybot.c http://HOST/v1/bots</pre>\n"
    "<p><a href=\"/openapi.json\">The API</a> &middot; "
    "<a href=\"/v1/games\">games</a> &middot; "
    "<a href=\"/v1/limits\">limits</a> &middot; "
    "<a href=\"/v1/costs\">costs</a></p>\n</body>\n</html>\n";

static void page_add_escaped(struct buf *out, const char *text)
{
    for (; text && *text; text++) {
        switch (*text) {
        case '<':
            buf_add_str(out, "&lt;");
            break;
        case '>':
            buf_add_str(out, "&gt;");
            break;
        case '&':
            buf_add_str(out, "&amp;");
            break;
        case '"':
            buf_add_str(out, "&quot;");
            break;
        default:
            buf_add_char(out, *text);
        }
    }
}

static void page_add_standing(struct buf *out, const struct standing *row)
{
    buf_add_format(out,
                   "<tr><td class=\"n\">%" PRId64 "</td><td><a "
                   "href=\"/v1/bots/%" PRId64 "\">",
                   row->rank, row->bot_id);
    page_add_escaped(out, row->name);
    buf_add_format(out, "</a> v%" PRIu32 "</td><td>", row->version);
    page_add_escaped(out, row->owner);
    buf_add_format(out,
                   "</td><td class=\"n\">%.0f &plusmn; %.0f</td>"
                   "<td class=\"n\">%" PRId64 "</td><td class=\"n\">%" PRId64
                   " / %" PRId64 " / %" PRId64 "</td></tr>\n",
                   row->rating.rating, 2 * row->rating.deviation,
                   row->rating.games, row->rating.wins, row->rating.ties,
                   row->rating.losses);
}

static int page_add_game(struct buf *out, struct db *db,
                         const struct games_row *game, struct err *err)
{
    struct standing_list list = {0};

    if (standing_list(db, game->name, (struct standing_cursor){0},
                      PAGE_STANDINGS, &list, err) < 0)
        return -1;
    buf_add_str(out, "<table>\n<caption>");
    page_add_escaped(out, game->label);
    buf_add_str(out, "</caption>\n<tr><th class=\"n\">#</th><th>bot</th>"
                     "<th>owner</th><th class=\"n\">rating</th>"
                     "<th class=\"n\">games</th>"
                     "<th class=\"n\">won / tied / lost</th></tr>\n");
    for (size_t i = 0; i < list.count; i++)
        page_add_standing(out, &list.row[i]);
    if (list.count == 0)
        buf_add_str(out, "<tr><td colspan=\"6\">No bot yet.</td></tr>\n");
    buf_add_str(out, "</table>\n");
    standing_list_release(&list);
    return 0;
}

static void page_add_match(struct buf *out, const struct match_row *match)
{
    buf_add_format(out,
                   "<tr><td><a href=\"/v1/matches/%" PRId64 "\">%" PRId64
                   "</a></td><td>",
                   match->id, match->id);
    page_add_escaped(out, match->game);
    buf_add_str(out, "</td><td>");
    for (unsigned i = 0; i < match->slots; i++) {
        const struct result_row *row = &match->result[i];
        buf_add_str(out, i ? ", " : "");
        buf_add_str(out, row->rank == 1 ? "<strong>" : "");
        page_add_escaped(out, row->bot_name);
        buf_add_str(out, row->rank == 1 ? "</strong>" : "");
    }
    buf_add_format(out,
                   "</td><td class=\"n\">%" PRId64 "</td><td><a "
                   "href=\"/v1/matches/%" PRId64 "/replay\">log</a> &middot; "
                   "<a href=\"/v1/matches/%" PRId64 "/turns\">turns</a></td>"
                   "</tr>\n",
                   match->turns, match->id, match->id);
}

static int page_add_matches(struct buf *out, struct db *db, struct err *err)
{
    const struct match_filter filter = {.status = MATCH_FINISHED, .rated = -1};
    struct match_row_list list = {0};

    if (match_row_list(db, &filter, 0, PAGE_MATCHES, &list, err) < 0)
        return -1;
    buf_add_str(out, "<table>\n<caption>Latest matches</caption>\n"
                     "<tr><th>match</th><th>game</th><th>players</th>"
                     "<th class=\"n\">turns</th><th></th></tr>\n");
    for (size_t i = 0; i < list.count; i++)
        page_add_match(out, &list.row[i]);
    buf_add_str(out, "</table>\n");
    match_row_list_release(&list);
    return 0;
}

int page_home(struct request *request, struct db *db, struct err *err)
{
    const struct games *games = request->service->games;
    auto_buf struct buf out = {0};

    buf_add_str(&out, page_head);
    for (size_t i = 0; i < games->count; i++)
        if (page_add_game(&out, db, &games->row[i], err) < 0)
            return -1;
    if (page_add_matches(&out, db, err) < 0)
        return -1;
    buf_add_str(&out, page_foot);
    request->reply.cache = REPLY_REVALIDATE;
    return reply_bytes(&request->reply, "text/html; charset=utf-8", &out);
}
