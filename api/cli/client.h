/* client: what the commands that talk to a service share.
 *
 *     struct client_options o = {0};
 *     const struct cli_option options[] = {
 *         CLIENT_OPTIONS(o),
 *         {0},
 *     };
 *     ... cli_parse ...
 *     auto_client struct client *client = client_open(&o, &err);
 *     json_t *document = client_get(client, "/v1/games", &err);
 *
 * A token comes from --token, BOUT_TOKEN, or what `bout login` saved for that
 * server. Answers are bounded. A problem document of the service (RFC 9457)
 * becomes an err of the kind that its status stands for, with its sentence and
 * its list of errors in the message; a service that cannot be reached is
 * ERR_SYSTEM. One thread. Source: libcurl's easy and MIME interfaces.
 */
#pragma once

#include "api/cli/cli.h"
#include "runner/base/buf.h"

#define CLIENT_SERVER "http://127.0.0.1:8080"

struct client_options {
    const char *server; /* NULL: CLIENT_SERVER */
    const char *token;  /* NULL: the saved one, if there is one */
    bool json;
};

#define CLIENT_OPTIONS(o)                                                      \
    {"server",    0,     CLI_TEXT,                                             \
     &(o).server, "URL", "the service, default " CLIENT_SERVER,                \
     true},                                                                    \
        {"token",    0,       CLI_TEXT,                                        \
         &(o).token, "TOKEN", "instead of what `bout login` saved",            \
         true},                                                                \
    {                                                                          \
        "json", 0, CLI_FLAG, &(o).json, NULL, "print one JSON document", false \
    }

struct client;

struct client *client_open(const struct client_options *options,
                           struct err *err);
void client_close(struct client **client);
#define auto_client __attribute__((cleanup(client_close)))

/* The server's address without a slash at its end; borrowed. */
const char *client_server(const struct client *client);
bool client_has_token(const struct client *client);

/* `path` begins with a slash and is escaped where it must be. New reference;
 * NULL with *err. */
json_t *client_get(struct client *client, const char *path, struct err *err);
json_t *client_post(struct client *client, const char *path, const json_t *body,
                    struct err *err);
/* Appends the answer's bytes, whatever they are. */
int client_get_bytes(struct client *client, const char *path, struct buf *out,
                     struct err *err);

struct client_part {
    const char *name;
    const char *filename; /* NULL: a plain field */
    const char *bytes;
    size_t size;
};
/* multipart/form-data (RFC 7578). New reference. */
json_t *client_post_form(struct client *client, const char *path,
                         const struct client_part *part, size_t count,
                         struct err *err);

/* Asks for `path` until the document's status is none of `unsettled` (words
 * parted by spaces), and says on a terminal how it stands. New reference. */
json_t *client_await(struct client *client, const char *path,
                     const char *unsettled, struct err *err);

/* Text for a query or a path, percent-encoded (RFC 3986); to be freed. */
char *client_escape(struct client *client, const char *text);

/* The id of a bot that people may give as a number, as NAME (its version that
 * plays) or as NAME:VERSION. 0 with *id, or -1. */
int client_find_bot(struct client *client, const char *game, const char *text,
                    json_int_t *id, struct err *err);

/* Saved tokens, one a server: $XDG_CONFIG_HOME/bout/tokens.json or that below
 * ~/.config, readable by its owner alone. */
int client_save_token(const char *server, const char *token, struct err *err);
/* To be freed; NULL without *err set: none is saved (err->kind ERR_NONE). */
char *client_saved_token(const char *server, struct err *err);
