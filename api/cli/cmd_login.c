/* login: a token for a service, saved for the other commands. */
#include "api/cli/client.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <string.h>
#include <unistd.h>

int cmd_login(int argc, char **argv);

/* Enters a user. The token, to be freed; NULL with *err. */
static char *login_register(struct client *client, const char *name,
                            const char *invitation, struct err *err)
{
    json_t *body =
        json_pack("{s:s, s:s*}", "name", name, "invitation", invitation);
    json_t *user = body ? client_post(client, "/v1/users", body, err) : NULL;
    const char *token = json_string_value(json_object_get(user, "token"));
    char *copy = token ? mem_dup_str(token) : NULL;

    if (!body)
        err_set(err, ERR_INPUT, "the name or invitation is not UTF-8");
    else if (user && !copy)
        err_set(err, ERR_SYSTEM, "%s: the answer holds no token",
                client_server(client));
    json_decref(body);
    json_decref(user);
    return copy;
}

/* One line, so that a token need not stand on a command line, which others on
 * the machine can read. */
static char *login_read_token(struct err *err)
{
    char line[512];

    if (isatty(STDIN_FILENO))
        fputs("token: ", stderr);
    if (!fgets(line, sizeof line, stdin)) {
        err_set(err, ERR_INPUT, "no token on standard input");
        return NULL;
    }
    line[strcspn(line, "\r\n")] = '\0';
    if (!*line) {
        err_set(err, ERR_INPUT, "the token is empty");
        return NULL;
    }
    return mem_dup_str(line);
}

/* A token that the service does not know is not saved. */
static int login_check(const char *server, const char *token, struct err *err)
{
    const struct client_options options = {.server = server, .token = token};
    auto_client struct client *client = client_open(&options, err);
    json_t *bots =
        client ? client_get(client, "/v1/bots?owner=me&limit=1", err) : NULL;

    json_decref(bots);
    return bots ? 0 : -1;
}

static int login_run(const struct client_options *options, const char *name,
                     const char *invitation, struct err *err)
{
    auto_client struct client *client = client_open(options, err);
    auto_free char *token = NULL;

    if (!client)
        return -1;
    const char *server = client_server(client);
    if (name)
        token = login_register(client, name, invitation, err);
    else if (options->token)
        token = mem_dup_str(options->token);
    else
        token = login_read_token(err);
    if (!token || (!name && login_check(server, token, err) < 0) ||
        client_save_token(server, token, err) < 0)
        return -1;
    if (options->json) {
        json_t *document =
            json_pack("{s:s, s:s*}", "server", server, "name", name);
        int code = cli_print_json("login", document);
        json_decref(document);
        return code;
    }
    printf("%s: the token is saved\n", server);
    return cli_finish("login");
}

int cmd_login(int argc, char **argv)
{
    struct client_options o = {0};
    const char *invitation = NULL;
    const struct cli_option options[] = {
        {"invitation", 0, CLI_TEXT, &invitation, "TEXT",
         "lets you in where registration is by invitation", false},
        CLIENT_OPTIONS(o),
        {0},
    };
    const struct cli_command command = {
        .name = "login",
        .operands = "[NAME]",
        .text = "Saves a token for submit, match, leaderboard and log. With "
                "NAME enters a new\nuser where the service lets anybody, or "
                "with --invitation; without, saves\n--token, or a token read "
                "from standard input.",
        .option = options,
        .operands_max = 1,
    };
    struct cli_operands operands;
    struct err err = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    if (invitation && operands.count == 0)
        return cli_usage(command.name, "an invitation is for a new user: NAME");
    code = login_run(&o, operands.count ? operands.item[0] : NULL, invitation,
                     &err);
    return code < 0 ? cli_fail(command.name, &err) : code;
}
