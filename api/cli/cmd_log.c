/* log: what a bot of yours printed to standard error in a match of a service,
 * or the match's own log. */
#include "api/cli/client.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <unistd.h>

int cmd_log(int argc, char **argv);

#define LOG_EVERY_TURN UINT64_MAX

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

static int log_run(const struct log_order *order, uint64_t id, struct err *err)
{
    auto_client struct client *client = client_open(&order->client, err);
    auto_free char *path = log_path(order, id);
    auto_buf struct buf text = {0};

    if (!client || client_get_bytes(client, path, &text, err) < 0)
        return -1;
    return log_write(order, &text, err);
}

int cmd_log(int argc, char **argv)
{
    struct log_order order = {.turn = LOG_EVERY_TURN};
    const struct cli_option options[] = {
        {"slot", 0, CLI_NUMBER, &order.slot, "N", "whose, by default slot 0",
         false},
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
