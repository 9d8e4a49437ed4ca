/* costs: instrument/cost.def for people and for programs. */
#include "api/cli/cli.h"

int cmd_costs(int argc, char **argv);

struct cost {
    const char *key;
    unsigned value;
    const char *text;
};

static const struct cost costs[] = {
#define COST(name, key, value, text) {key, value, text},
#include "instrument/cost.def"
};

#define COST_COUNT (sizeof costs / sizeof *costs)

static json_t *costs_json(void)
{
    json_t *document = json_object();

    for (size_t i = 0; i < COST_COUNT; i++)
        json_object_set_new(document, costs[i].key,
                            json_integer(costs[i].value));
    return document;
}

int cmd_costs(int argc, char **argv)
{
    bool json = false;
    const struct cli_option options[] = {
        {"json", 0, CLI_FLAG, &json, NULL, "print one JSON document", false},
        {0},
    };
    const struct cli_command command = {
        .name = "costs",
        .operands = "",
        .text = "Prints what a program pays, in instructions.",
        .option = options,
    };
    struct cli_operands operands;
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    if (json) {
        json_t *document = costs_json();
        code = cli_print_json(command.name, document);
        json_decref(document);
        return code;
    }
    for (size_t i = 0; i < COST_COUNT; i++)
        printf("%-15s %5u  %s\n", costs[i].key, costs[i].value, costs[i].text);
    return cli_finish(command.name);
}
