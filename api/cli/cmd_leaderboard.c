/* leaderboard: the standings of a game at a service. */
#include "api/cli/client.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

int cmd_leaderboard(int argc, char **argv);

static void leaderboard_print_row(const json_t *row)
{
    json_int_t rank, version, games, wins, losses, ties;
    double rating, deviation;
    const char *name, *owner;
    auto_buf struct buf line = {0};

    if (json_unpack_ex((json_t *)(uintptr_t)row, NULL, 0,
                       "{s:I, s:s, s:I, s:s, s:F, s:F, s:I, s:I, s:I, s:I}",
                       "rank", &rank, "name", &name, "version", &version,
                       "owner", &owner, "rating", &rating, "deviation",
                       &deviation, "games", &games, "wins", &wins, "losses",
                       &losses, "ties", &ties) < 0)
        return;
    buf_add_format(&line,
                   "%4lld  %-20s %7lld  %-16s %6.0f %5.0f %7lld %5lld "
                   "%6lld %5lld\n",
                   (long long)rank, name, (long long)version, owner, rating,
                   deviation, (long long)games, (long long)wins,
                   (long long)losses, (long long)ties);
    cli_print_foreign(stdout, line.data, line.size);
}

static int leaderboard_print(const struct client_options *o,
                             const json_t *document)
{
    const json_t *row;
    size_t i;

    if (o->json)
        return cli_print_json("leaderboard", document);
    printf("rank  %-20s %7s  %-16s %6s %5s %7s %5s %6s %5s\n", "bot", "version",
           "owner", "rating", "+-", "games", "wins", "losses", "ties");
    json_array_foreach(json_object_get(document, "items"), i, row)
        leaderboard_print_row(row);
    return cli_finish("leaderboard");
}

static json_t *leaderboard_get(const struct client_options *o, const char *game,
                               uint64_t rows, struct err *err)
{
    auto_client struct client *client = client_open(o, err);

    if (!client)
        return NULL;
    auto_free char *name = client_escape(client, game);
    auto_free char *path = mem_format("/v1/leaderboard?game=%s&limit=%llu",
                                      name, (unsigned long long)rows);
    return client_get(client, path, err);
}

int cmd_leaderboard(int argc, char **argv)
{
    struct client_options o = {0};
    uint64_t rows = 50;
    const struct cli_option options[] = {
        {"rows", 0, CLI_NUMBER, &rows, "N",
         "how many, by default 50, at most "
         "200",
         false},
        CLIENT_OPTIONS(o),
        {0},
    };
    const struct cli_command command = {
        .name = "leaderboard",
        .operands = "GAME",
        .text = "Prints the standings of a game at a service, best first.",
        .option = options,
        .operands_min = 1,
        .operands_max = 1,
    };
    struct cli_operands operands;
    struct err err = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    json_t *document = leaderboard_get(&o, operands.item[0], rows, &err);
    if (!document)
        return cli_fail(command.name, &err);
    code = leaderboard_print(&o, document);
    json_decref(document);
    return code;
}
