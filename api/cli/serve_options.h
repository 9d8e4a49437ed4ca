/* serve_options: what `bout serve` is told, by flag, environment, file or
 * default, and what of it is refused. */
#pragma once

#include "api/http/address.h"
#include "api/http/disk.h"
#include "db/retention.h"

#include <stdbool.h>
#include <stdint.h>

#define SERVE_WORKERS_CORES UINT64_MAX

struct serve_options {
    const char *config;
    const char *data;
    const char *listen;
    const char *database;
    const char *registration;
    bool behind_tls;
    const char *trusted_proxies; /* NULL: the loopback, behind TLS */
    bool insecure;
    bool strict_nan;
    bool profile;
    uint64_t workers;   /* SERVE_WORKERS_CORES: one a core */
    uint64_t rate;      /* requests a second of one client; 0: no limit */
    uint64_t post_rate; /* POSTs */
    uint64_t client_connections;
    uint64_t ladder_rate;    /* rated matches a minute */
    uint64_t suspend_after;  /* losses in a row by crash or net; 0: never */
    bool webhook_private;    /* webhooks may name any address */
    const char *quotas;      /* NULL: quota.def's */
    const char *keep;        /* NULL: retention.def's ages */
    const char *disk;        /* NULL: its bytes */
    const char *disk_levels; /* NULL: 80,90,95 */
    uint64_t jail_level;     /* enum jail_level: less is refused */

    struct retention retention; /* from `keep` and `disk` */
    unsigned disk_percent[DISK_LEVELS];
    /* From `listen`. */
    char *address; /* "127.0.0.1", "::1"; owned */
    uint16_t port;
    struct proxies proxies; /* of `trusted_proxies` */
};

/* *options holds the defaults before. CLI_GO_ON, or the exit code after a
 * message was printed. Texts point into argv, the environment or the config
 * file, which is kept to the end. */
int serve_options_read(struct serve_options *options, int argc, char **argv);
void serve_options_release(struct serve_options *options);
