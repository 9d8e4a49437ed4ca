/* submit: enters a bot at a service and waits until it is ready or rejected. */
#include "api/cli/client.h"
#include "api/cli/kit.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/build/build.h"
#include "runner/build/source.h"

#include <string.h>

int cmd_submit(int argc, char **argv);

#define SUBMIT_UNSETTLED "queued compiling checking"

struct submit {
    struct client_options client;
    const char *game;
    const char *name; /* NULL: after the first operand */
    bool no_wait;
};

/* "dir/rider.tar.gz" is entered as "rider". To be freed. */
static char *submit_name(const char *path)
{
    char *name = source_base_name(path);

    name[strcspn(name, ".")] = '\0';
    return name;
}

/* The upload: fields, then a part a file. New reference. */
static json_t *submit_send(struct client *client, const struct submit *submit,
                           const char *name, const struct build_source *source,
                           struct err *err)
{
    const size_t count = source->count + 2;
    auto_free struct client_part *part = mem_calloc(count, sizeof *part);

    part[0] = (struct client_part){
        .name = "name", .bytes = name, .size = strlen(name)};
    part[1] = (struct client_part){
        .name = "game", .bytes = submit->game, .size = strlen(submit->game)};
    for (size_t i = 0; i < source->count; i++)
        part[i + 2] = (struct client_part){.name = "source",
                                           .filename = source->file[i].path,
                                           .bytes = source->file[i].bytes,
                                           .size = source->file[i].size};
    return client_post_form(client, "/v1/bots", part, count, err);
}

/* Reads the files, sends them, waits. New reference. */
static json_t *submit_run(const struct submit *submit,
                          const struct cli_operands *operands, struct err *err)
{
    auto_client struct client *client = client_open(&submit->client, err);
    struct build_source source = {0};
    json_t *bot = NULL;

    if (!client)
        return NULL;
    auto_free char *name = submit->name ? mem_dup_str(submit->name)
                                        : submit_name(operands->item[0]);
    if (build_source_read(&source, operands->item, operands->count, err) == 0)
        bot = submit_send(client, submit, name, &source, err);
    build_source_release(&source);
    if (!bot || submit->no_wait)
        return bot;
    auto_free char *path =
        mem_format("/v1/bots/%lld",
                   (long long)json_integer_value(json_object_get(bot, "id")));
    json_decref(bot);
    return client_await(client, path, SUBMIT_UNSETTLED, err);
}

static int submit_print(const struct submit *submit, const json_t *bot)
{
    const char *status = json_string_value(json_object_get(bot, "status"));
    const char *name = json_string_value(json_object_get(bot, "name"));
    bool rejected = status && !strcmp(status, "rejected");
    int code;

    if (submit->client.json) {
        code = cli_print_json("submit", bot);
    } else {
        cli_print_diagnostics(json_object_get(bot, "diagnostics"));
        cli_print_format(
            stdout, "%s version %lld, id %lld: %s\n", name ? name : "?",
            (long long)json_integer_value(json_object_get(bot, "version")),
            (long long)json_integer_value(json_object_get(bot, "id")),
            status ? status : "?");
        code = cli_finish("submit");
    }
    return code == CLI_DONE && rejected ? CLI_REFUSED : code;
}

int cmd_submit(int argc, char **argv)
{
    struct submit submit = {0};
    const struct cli_option options[] = {
        {"game", 'g', CLI_TEXT, &submit.game, "GAME",
         "what it plays, by default what bout.json beside it says", false},
        {"name", 'n', CLI_TEXT, &submit.name, "NAME",
         "its name, by default SRC's; the same again is the next version",
         false},
        {"no-wait", 0, CLI_FLAG, &submit.no_wait, NULL,
         "do not wait until it is ready", false},
        CLIENT_OPTIONS(submit.client),
        {0},
    };
    const struct cli_command command = {
        .name = "submit",
        .operands = "SRC...",
        .text = "Enters a bot, files, a folder or one archive, at a service "
                "and waits until\nit is ready. Diagnostics go to standard "
                "error; a rejected bot is exit code 1.",
        .option = options,
        .operands_min = 1,
        .operands_max = SIZE_MAX,
    };
    struct cli_operands operands;
    struct err err = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    auto_free char *noted =
        submit.game ? NULL : kit_game(operands.item[0], &err);
    if (noted)
        submit.game = noted;
    if (!submit.game)
        return cli_usage(command.name, "%s", err.msg);
    json_t *bot = submit_run(&submit, &operands, &err);
    if (!bot)
        return cli_fail(command.name, &err);
    code = submit_print(&submit, bot);
    json_decref(bot);
    return code;
}
