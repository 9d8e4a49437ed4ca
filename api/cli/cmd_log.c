/* log: what a bot of yours printed to standard error in a match of a service,
 * or the match's own log. */
#include "api/cli/client.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <string.h>
#include <unistd.h>

int cmd_log(int argc, char **argv);

#define LOG_EVERY_TURN UINT64_MAX
#define LOG_OWN_SLOT UINT64_MAX

struct log_order {
    struct client_options client;
    uint64_t slot;
    uint64_t turn;
    bool match;
    const char *out;
};

static char *log_path(const struct log_order *order, uint64_t id)
{
    const unsigned long long match = id;

    if (order->match)
        return mem_format("/v1/matches/%llu/replay", match);
    if (order->turn == LOG_EVERY_TURN)
        return mem_format("/v1/matches/%llu/log?slot=%llu", match,
                          (unsigned long long)order->slot);
    return mem_format("/v1/matches/%llu/log?slot=%llu&turn=%llu", match,
                      (unsigned long long)order->slot,
                      (unsigned long long)order->turn);
}

static int log_write(const struct log_order *order, const struct buf *text,
                     struct err *err)
{
    if (order->out)
        return io_write_file(order->out, text->data ? text->data : "",
                             text->size, 0644, err);
    if (order->client.json) {
        json_t *document = json_pack("{s:s%}", "log",
                                     text->data ? text->data : "", text->size);
        if (!document)
            return err_set(err, ERR_INPUT,
                           "the log is no UTF-8 text; -o FILE writes it as "
                           "it is");
        int code = cli_print_json("log", document);
        json_decref(document);
        return code;
    }
    cli_print_foreign(stdout, text->data ? text->data : "", text->size);
    return cli_finish("log");
}

/* ---- whose -------------------------------------------------------------- */

/* 1: the bot belongs to that user; 0; -1. */
static int log_is_owner(struct client *client, json_int_t bot, const char *user,
                        struct err *err)
{
    auto_free char *path = mem_format("/v1/bots/%lld", (long long)bot);
    json_t *document = client_get(client, path, err);
    const char *owner = json_string_value(json_object_get(document, "owner"));
    int result = document ? owner && !strcmp(owner, user) : -1;

    json_decref(document);
    return result;
}

/* The first slot of a bot of the user's; more of them are told. */
static int log_pick_slot(struct log_order *order, struct client *client,
                         const json_t *bots, const char *user, struct err *err)
{
    const json_t *bot;
    size_t slot;
    unsigned own = 0;

    json_array_foreach(bots, slot, bot) {
        int is_own = log_is_owner(client, json_integer_value(bot), user, err);
        if (is_own < 0)
            return -1;
        if (is_own && !own++)
            order->slot = slot;
    }
    if (own == 0)
        return err_set(err, ERR_INPUT,
                       "no bot of %s plays in this match: --slot N says whose "
                       "log it is to be",
                       user);
    if (own > 1)
        fprintf(stderr,
                "bout log: %u of its bots are yours: this is slot %llu, "
                "--slot N shows another\n",
                own, (unsigned long long)order->slot);
    return 0;
}

static int log_find_slot(struct log_order *order, struct client *client,
                         uint64_t id, struct err *err)
{
    auto_free char *path =
        mem_format("/v1/matches/%llu", (unsigned long long)id);
    json_t *me = client_get(client, "/v1/users/me", err);
    json_t *match = me ? client_get(client, path, err) : NULL;
    const char *user = json_string_value(json_object_get(me, "name"));
    int result = -1;

    if (match && user)
        result = log_pick_slot(order, client, json_object_get(match, "bots"),
                               user, err);
    else if (match)
        err_set(err, ERR_SYSTEM, "the service does not say who you are");
    json_decref(match);
    json_decref(me);
    return result;
}

static int log_run(struct log_order *order, uint64_t id, struct err *err)
{
    auto_client struct client *client = client_open(&order->client, err);
    auto_buf struct buf text = {0};

    if (!client)
        return -1;
    if (!order->match && order->slot == LOG_OWN_SLOT &&
        log_find_slot(order, client, id, err) < 0)
        return -1;
    auto_free char *path = log_path(order, id);
    if (client_get_bytes(client, path, &text, err) < 0)
        return -1;
    return log_write(order, &text, err);
}

int cmd_log(int argc, char **argv)
{
    struct log_order order = {.slot = LOG_OWN_SLOT, .turn = LOG_EVERY_TURN};
    const struct cli_option options[] = {
        {"slot", 0, CLI_NUMBER, &order.slot, "N",
         "whose, by default your bot's", false},
        {"turn", 0, CLI_NUMBER, &order.turn, "N", "one turn's alone", false},
        {"match", 0, CLI_FLAG, &order.match, NULL,
         "the match log, for `bout watch`, `why`, `replay` and `debug`", false},
        {"output", 'o', CLI_TEXT, &order.out, "FILE", "where it goes", false},
        CLIENT_OPTIONS(order.client),
        {0},
    };
    const struct cli_command command = {
        .name = "log",
        .operands = "MATCH",
        .text = "Prints what a bot of yours wrote to standard error in a match "
                "of a service, or\nthe log of the match itself.",
        .option = options,
        .operands_min = 1,
        .operands_max = 1,
    };
    struct cli_operands operands;
    struct err err = {0};
    uint64_t id;
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    if (!cli_number(operands.item[0], &id))
        return cli_usage(command.name, "MATCH is a number, not %s",
                         operands.item[0]);
    code = log_run(&order, id, &err);
    return code < 0 ? cli_fail(command.name, &err) : code;
}
