/* match: plays bots of a service against each other there, or shows a match. */
#include "api/cli/client.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/match/limits.h"

#include <string.h>

int cmd_match(int argc, char **argv);

#define MATCH_UNSETTLED "queued running"

struct match_order {
    struct client_options client;
    const char *seed;
    struct cli_list limits;
    bool profile;
    bool rated;
    bool no_wait;
};

/* ---- asking -------------------------------------------------------------- */

/* {"turn_soft": 1000} of KEY=VALUE words; which keys there are, the service
 * says. New reference. */
static json_t *match_limits(const struct cli_list *given, struct err *err)
{
    json_t *limits = json_object();

    for (size_t i = 0; i < given->count; i++) {
        const char *equals = strchr(given->item[i], '=');
        uint64_t value;
        if (!equals || !cli_number(equals + 1, &value)) {
            err_set(err, ERR_INPUT,
                    "--limit %s: give KEY=VALUE, as turn_soft=100000",
                    given->item[i]);
            json_decref(limits);
            return NULL;
        }
        auto_free char *key =
            mem_dup(given->item[i], (size_t)(equals - given->item[i]));
        json_object_set_new(limits, key, json_integer((json_int_t)value));
    }
    return limits;
}

static json_t *match_bots(struct client *client,
                          const struct cli_operands *operands, struct err *err)
{
    json_t *bots = json_array();

    for (size_t i = 1; i < operands->count; i++) {
        json_int_t id;
        if (client_find_bot(client, operands->item[0], operands->item[i], &id,
                            err) < 0) {
            json_decref(bots);
            return NULL;
        }
        json_array_append_new(bots, json_integer(id));
    }
    return bots;
}

static void match_set_seed(json_t *body, const char *seed)
{
    uint64_t number;

    if (seed)
        json_object_set_new(body, "seed",
                            cli_number(seed, &number)
                                ? json_integer((json_int_t)number)
                                : json_string(seed));
}

static json_t *match_send(struct client *client,
                          const struct match_order *order,
                          const struct cli_operands *operands, struct err *err)
{
    json_t *limits = match_limits(&order->limits, err);
    json_t *bots = limits ? match_bots(client, operands, err) : NULL;
    json_t *match = NULL;

    if (bots) {
        json_t *body =
            json_pack("{s:s, s:O, s:O, s:b}", "game", operands->item[0], "bots",
                      bots, "limits", limits, "profile", (int)order->profile);
        if (order->rated)
            json_object_set_new(body, "rated", json_true());
        match_set_seed(body, order->seed);
        match = client_post(client, "/v1/matches", body, err);
        json_decref(body);
    }
    json_decref(limits);
    json_decref(bots);
    return match;
}

static json_t *match_run(const struct match_order *order,
                         const struct cli_operands *operands, struct err *err)
{
    auto_client struct client *client = client_open(&order->client, err);
    uint64_t id;

    if (!client)
        return NULL;
    if (operands->count > 1) {
        json_t *match = match_send(client, order, operands, err);
        if (!match || order->no_wait)
            return match;
        id = (uint64_t)json_integer_value(json_object_get(match, "id"));
        json_decref(match);
    } else if (!cli_number(operands->item[0], &id)) {
        err_set(err, ERR_INPUT, "%s: give a match's id, or GAME and its bots",
                operands->item[0]);
        return NULL;
    }
    auto_free char *path =
        mem_format("/v1/matches/%llu", (unsigned long long)id);
    return order->no_wait ? client_get(client, path, err)
                          : client_await(client, path, MATCH_UNSETTLED, err);
}

/* ---- telling ------------------------------------------------------------- */

static void match_print_result(const json_t *result)
{
    json_int_t slot, bot, rank, score;
    const char *name, *verdict, *detail;
    const json_t *count = json_object_get(result, "instructions");
    auto_buf struct buf line = {0};

    if (json_unpack_ex((json_t *)(uintptr_t)result, NULL, 0,
                       "{s:I, s:I, s:s, s:I, s:I, s:s, s:s}", "slot", &slot,
                       "bot", &bot, "name", &name, "rank", &rank, "score",
                       &score, "verdict", &verdict, "detail", &detail) < 0)
        return;
    buf_add_format(&line, "%4lld  %-20s %8lld %5lld %8lld  ", (long long)slot,
                   name, (long long)bot, (long long)rank, (long long)score);
    if (json_is_integer(count))
        buf_add_format(&line, "%16lld  ", (long long)json_integer_value(count));
    else
        buf_add_format(&line, "%16s  ", "-");
    buf_add_format(&line, "%s%s%s\n", verdict, *detail ? ": " : "", detail);
    cli_print_foreign(stdout, line.data, line.size);
}

static int match_print(const struct match_order *order, const json_t *match)
{
    const json_t *results = json_object_get(match, "results");
    const char *status = json_string_value(json_object_get(match, "status"));
    const char *reason = json_string_value(json_object_get(match, "reason"));
    const json_t *result;
    size_t i;

    if (order->client.json)
        return cli_print_json("match", match);
    cli_print_format(
        stdout, "match %lld: %s%s%s\n",
        (long long)json_integer_value(json_object_get(match, "id")),
        status ? status : "?", reason ? ", " : "", reason ? reason : "");
    if (json_is_array(results))
        printf("slot  %-20s %8s %5s %8s  %16s  verdict\n", "bot", "id", "rank",
               "score", "instructions");
    json_array_foreach(results, i, result)
        match_print_result(result);
    return cli_finish("match");
}

/* A match that failed is the service's failure. */
static int match_code(const json_t *match, int code)
{
    const char *status = json_string_value(json_object_get(match, "status"));

    return code == CLI_DONE && status && !strcmp(status, "failed") ? CLI_FAILED
                                                                   : code;
}

int cmd_match(int argc, char **argv)
{
    struct match_order order = {0};
    const struct cli_option options[] = {
        {"seed", 0, CLI_TEXT, &order.seed, "N|HEX", "by default one is drawn",
         false},
        {"limit", 0, CLI_LIST, &order.limits, "KEY=VALUE",
         "a limit, lowered (`bout limits`); may be given again", false},
        {"profile", 0, CLI_FLAG, &order.profile, NULL,
         "store where instructions went", false},
        {"rated", 0, CLI_FLAG, &order.rated, NULL, "an admin's may count",
         false},
        {"no-wait", 0, CLI_FLAG, &order.no_wait, NULL,
         "do not wait until it is played", false},
        CLIENT_OPTIONS(order.client),
        {0},
    };
    const struct cli_command command = {
        .name = "match",
        .operands = "GAME BOT BOT... | ID",
        .text = "Plays a match at a service and tells how it ended, or shows "
                "match ID. A bot is\nan id, NAME (its version that plays) or "
                "NAME:VERSION; one must be yours.",
        .option = options,
        .operands_min = 1,
        .operands_max = SIZE_MAX,
    };
    struct cli_operands operands;
    struct err err = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code == CLI_GO_ON) {
        json_t *match = match_run(&order, &operands, &err);
        code = match ? match_code(match, match_print(&order, match))
                     : cli_fail(command.name, &err);
        json_decref(match);
    }
    cli_list_release(&order.limits);
    return code;
}
