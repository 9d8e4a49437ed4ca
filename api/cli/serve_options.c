#include "api/cli/serve_options.h"

#include "api/cli/cli.h"
#include "db/quotas.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/work/pool.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#define SERVE_DISK_LEVELS "80,90,95"

static int serve_parse(struct serve_options *o, const json_t *config, int argc,
                       char **argv)
{
    auto_free char *keep_text =
        mem_format("then it is dropped; default%s", retention_ages);
    auto_free char *disk_text =
        mem_format("then the oldest go; default%s", retention_sizes);
    const struct cli_option options[] = {
        {"data", 0, CLI_TEXT, &o->data, "DIR", "where everything is kept",
         true},
        {"listen", 0, CLI_TEXT, &o->listen, "ADDR:PORT",
         "default 127.0.0.1:8080", true},
        {"database", 0, CLI_TEXT, &o->database, "URL",
         "PostgreSQL instead of the embedded database (not there yet)", true},
        {"registration", 0, CLI_TEXT, &o->registration, "open|invitation|admin",
         "who may add users, default admin", true},
        {"behind-tls", 0, CLI_FLAG, &o->behind_tls, NULL,
         "a proxy in front speaks TLS and says who the client is", true},
        {"trusted-proxies", 0, CLI_TEXT, &o->trusted_proxies, "NETWORK,...",
         "whose X-Forwarded-For and Forwarded are believed; default the "
         "loopback with --behind-tls, else nobody's",
         true},
        {"insecure", 0, CLI_FLAG, &o->insecure, NULL,
         "tokens may cross the network unencrypted", true},
        {"strict-nan", 0, CLI_FLAG, &o->strict_nan, NULL,
         "make the bits of computed NaNs equal on every machine", true},
        {"profile", 0, CLI_FLAG, &o->profile, NULL,
         "let the service profile itself, for GET /v1/admin/profile", true},
        {"workers", 0, CLI_NUMBER, &o->workers, "N",
         "how many at once, default one a core", true},
        {"rate", 0, CLI_NUMBER, &o->rate, "N",
         "requests a second of one client, 0 for no limit", true},
        {"post-rate", 0, CLI_NUMBER, &o->post_rate, "N",
         "POSTs a second of one client, 0 for no limit", true},
        {"client-connections", 0, CLI_NUMBER, &o->client_connections, "N",
         "connections of one client at once, default 256", true},
        {"ladder-rate", 0, CLI_NUMBER, &o->ladder_rate, "N",
         "rated matches a minute at most, 0 for none", true},
        {"suspend-after", 0, CLI_NUMBER, &o->suspend_after, "N",
         "rated losses in a row by crash or net, 0 for never, default 10",
         true},
        {"webhook-private", 0, CLI_FLAG, &o->webhook_private, NULL,
         "webhooks may name addresses that are not public", true},
        {"quotas", 0, CLI_TEXT, &o->quotas, "NAME=N,...",
         "what a user may have, instead of what `bout limits` shows", true},
        {"keep", 0, CLI_TEXT, &o->keep, "NAME=AGE,...", keep_text, true},
        {"disk", 0, CLI_TEXT, &o->disk, "NAME=SIZE,...", disk_text, true},
        {"disk-levels", 0, CLI_TEXT, &o->disk_levels, "A,B,C",
         "percent used: no ladder, no batches, no writes; "
         "default " SERVE_DISK_LEVELS,
         true},
        {"jail-level", 0, CLI_NUMBER, &o->jail_level, "N",
         "refuse to play below it (`bout doctor`), default 1", true},
        {"config", 0, CLI_TEXT, &o->config, "FILE",
         "a JSON object with these names", false},
        {0},
    };
    const struct cli_command command = {
        .name = "serve",
        .operands = "",
        .text = "Runs the service: bots come in over HTTP, matches are played,"
                "\na leaderboard comes out. Ends with SIGTERM or ctrl-C.",
        .option = options,
        .config = config,
    };
    struct cli_operands operands;

    return cli_parse(&command, argc, argv, &operands);
}

static int serve_check(struct serve_options *o)
{
    struct err err;

    retention_init(&o->retention);
    if (o->keep && retention_read_ages(&o->retention, o->keep, &err) < 0)
        return cli_usage("serve", "--keep: %s", err.msg);
    if (o->disk && retention_read_sizes(&o->retention, o->disk, &err) < 0)
        return cli_usage("serve", "--disk: %s", err.msg);
    if (disk_read_levels(o->disk_percent,
                         o->disk_levels ? o->disk_levels : SERVE_DISK_LEVELS,
                         &err) < 0)
        return cli_usage("serve", "--disk-levels: %s", err.msg);
    if (o->quotas && quota_set_defaults(o->quotas, &err) < 0)
        return cli_usage("serve", "--quotas: %s", err.msg);
    if (o->client_connections < 1 || o->client_connections > 1024)
        return cli_usage("serve", "--client-connections is 1 to 1024");
    if (strcmp(o->registration, "open") != 0 &&
        strcmp(o->registration, "invitation") != 0 &&
        strcmp(o->registration, "admin") != 0)
        return cli_usage("serve",
                         "--registration is open, invitation or admin, not %s",
                         o->registration);
    if (o->workers != SERVE_WORKERS_CORES &&
        (o->workers < 1 || o->workers > POOL_MAX_WORKERS))
        return cli_usage("serve",
                         "--workers is 1 to %u: without a worker nothing is "
                         "built or played; leave it out for one a core",
                         POOL_MAX_WORKERS);
    if (!o->database)
        return CLI_GO_ON;
    fprintf(stderr, "bout serve: --database: PostgreSQL comes with scale-out; "
                    "leave it out to use the embedded database in --data\n");
    return CLI_FAILED;
}

/* "127.0.0.1:8080" or "[::1]:8080". False: it is neither. */
static bool serve_split_listen(struct serve_options *o)
{
    const char *listen = o->listen;
    const char *colon = strrchr(listen, ':');
    uint64_t port;

    if (!colon || !cli_number(colon + 1, &port) || port > 65535)
        return false;
    bool bracketed = listen[0] == '[' && colon > listen && colon[-1] == ']';
    o->address = bracketed ? mem_dup(listen + 1, (size_t)(colon - listen) - 2)
                           : mem_dup(listen, (size_t)(colon - listen));
    o->port = (uint16_t)port;
    return true;
}

static bool serve_is_loopback(const char *address)
{
    struct in_addr v4;
    struct in6_addr v6;

    if (inet_pton(AF_INET, address, &v4) == 1)
        return ntohl(v4.s_addr) >> 24 == 127;
    return inet_pton(AF_INET6, address, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

static int serve_read_proxies(struct serve_options *o)
{
    const char *trusted = o->behind_tls ? "127.0.0.0/8,::1" : "";
    struct err err;

    if (o->trusted_proxies)
        trusted = o->trusted_proxies;
    if (proxies_parse(&o->proxies, trusted, &err) < 0)
        return cli_usage("serve", "--trusted-proxies: %s", err.msg);
    return CLI_GO_ON;
}

static int serve_read_listen(struct serve_options *o)
{
    if (!serve_split_listen(o))
        return cli_usage("serve",
                         "--listen is ADDR:PORT, as 127.0.0.1:8080 or "
                         "[::1]:8080, not %s",
                         o->listen);
    if (!serve_is_loopback(o->address) && !o->behind_tls && !o->insecure)
        return cli_usage("serve",
                         "--listen %s is open to the network and tokens would "
                         "cross it unencrypted: put a TLS proxy in front and "
                         "say --behind-tls, or say --insecure",
                         o->listen);
    return CLI_GO_ON;
}

int serve_options_read(struct serve_options *o, int argc, char **argv)
{
    struct err err;

    int code = serve_parse(o, NULL, argc, argv);
    if (code != CLI_GO_ON)
        return code;
    if (o->config) {
        /* Kept to the end: options point into it. */
        json_t *config = cli_config_read(o->config, &err);
        if (!config)
            return cli_fail("serve", &err);
        code = serve_parse(o, config, argc, argv);
        if (code != CLI_GO_ON)
            return code;
    }
    code = serve_check(o);
    if (code == CLI_GO_ON)
        code = serve_read_proxies(o);
    return code == CLI_GO_ON ? serve_read_listen(o) : code;
}

void serve_options_release(struct serve_options *options)
{
    free(options->address);
    options->address = NULL;
}
