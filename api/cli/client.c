#include "api/cli/client.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <curl/curl.h>
#include <string.h>
#include <unistd.h>

#define CLIENT_ANSWER_MAX_BYTES 268435456u /* a profile may be 64 MiB */
#define CLIENT_CONNECT_S 10L
#define CLIENT_ANSWER_S 600L
#define CLIENT_WAIT_S 30 /* of one ?wait= */

struct client {
    CURL *curl;
    char *server;
    char *authorization; /* a header line, or NULL */
};

/* One request and what came back. */
struct client_call {
    struct client *client;
    struct curl_slist *header;
    struct buf body;
    bool too_big;
};

static void call_release(struct client_call *call)
{
    curl_slist_free_all(call->header);
    buf_release(&call->body);
}
#define auto_call __attribute__((cleanup(call_release)))

void client_close(struct client **slot)
{
    struct client *client = *slot;

    if (!client)
        return;
    curl_easy_cleanup(client->curl);
    free(client->server);
    free(client->authorization);
    free(client);
    *slot = NULL;
}

/* ---- opening ------------------------------------------------------------- */

static char *client_address(const char *given, struct err *err)
{
    const char *server = given && *given ? given : CLIENT_SERVER;
    size_t size = strlen(server);

    if (strncmp(server, "http://", 7) != 0 &&
        strncmp(server, "https://", 8) != 0) {
        err_set(err, ERR_INPUT,
                "--server %s: give an address as " CLIENT_SERVER, server);
        return NULL;
    }
    while (size && server[size - 1] == '/')
        size--;
    return mem_dup(server, size);
}

static int client_read_token(struct client *client, const char *given,
                             struct err *err)
{
    auto_free char *saved = NULL;
    const char *token = given;

    if (!token || !*token) {
        struct err wrong = {0};
        saved = client_saved_token(client->server, &wrong);
        if (!saved && wrong.kind != ERR_NONE) {
            *err = wrong;
            return -1;
        }
        token = saved;
    }
    if (!token)
        return 0;
    if (strpbrk(token, "\r\n"))
        return err_set(err, ERR_INPUT, "a token is one line");
    client->authorization = mem_format("Authorization: Bearer %s", token);
    return 0;
}

struct client *client_open(const struct client_options *options,
                           struct err *err)
{
    auto_client struct client *client = mem_calloc(1, sizeof *client);

    client->server = client_address(options->server, err);
    if (!client->server || client_read_token(client, options->token, err) < 0)
        return NULL;
    client->curl = curl_easy_init();
    if (!client->curl) {
        err_set(err, ERR_SYSTEM, "libcurl does not start");
        return NULL;
    }
    return take_ptr(client);
}

const char *client_server(const struct client *client)
{
    return client->server;
}

bool client_has_token(const struct client *client)
{
    return client->authorization != NULL;
}

char *client_escape(struct client *client, const char *text)
{
    char *escaped = curl_easy_escape(client->curl, text, 0);
    char *copy = mem_dup_str(escaped ? escaped : "");

    curl_free(escaped);
    return copy;
}

/* ---- one request --------------------------------------------------------- */

static size_t client_take(char *bytes, size_t one, size_t count, void *user)
{
    struct client_call *call = user;
    const size_t size = one * count;

    if (size > CLIENT_ANSWER_MAX_BYTES - call->body.size) {
        call->too_big = true;
        return 0;
    }
    buf_add(&call->body, bytes, size);
    return size;
}

static enum err_kind client_kind(long status)
{
    switch (status) {
    case 404:
    case 410:
        return ERR_MISSING;
    case 409:
        return ERR_CONFLICT;
    case 413:
        return ERR_TOO_BIG;
    case 429:
    case 503:
        return ERR_BUSY;
    default:
        return status >= 500 ? ERR_SYSTEM : ERR_INPUT;
    }
}

/* All fields that are wrong, not only the first. */
static void client_add_errors(struct buf *text, const json_t *errors)
{
    const json_t *entry;
    size_t i;

    json_array_foreach(errors, i, entry) {
        const char *field = json_string_value(json_object_get(entry, "field"));
        const char *why = json_string_value(json_object_get(entry, "message"));
        buf_add_format(text, "%s%s: %s", i ? "; " : "", field ? field : "?",
                       why ? why : "");
    }
}

/* What the service says of a request that it did not take. */
static int client_refused(const struct client_call *call, long status,
                          struct err *err)
{
    const struct buf *body = &call->body;
    json_t *problem =
        json_loadb(body->data ? body->data : "", body->size, 0, NULL);
    const char *detail = json_string_value(json_object_get(problem, "detail"));
    const json_t *errors = json_object_get(problem, "errors");
    auto_buf struct buf text = {0};

    if (json_array_size(errors))
        client_add_errors(&text, errors);
    else if (detail)
        buf_add_str(&text, detail);
    else
        buf_add_format(&text, "%s answered %ld: is a bout service there?",
                       call->client->server, status);
    if (status == 401 && !client_has_token(call->client))
        buf_add_str(&text, "; `bout login` gets and saves a token");
    json_decref(problem);
    return err_set(err, client_kind(status), "%s", text.data);
}

static int client_failed(const struct client_call *call, CURLcode code,
                         struct err *err)
{
    if (call->too_big)
        return err_set(err, ERR_TOO_BIG, "the answer is over %u bytes",
                       CLIENT_ANSWER_MAX_BYTES);
    return err_set(err, ERR_SYSTEM,
                   "%s: %s; is the service running? --server names another",
                   call->client->server, curl_easy_strerror(code));
}

static void client_add_header(struct client_call *call, const char *line)
{
    struct curl_slist *longer = curl_slist_append(call->header, line);

    if (longer)
        call->header = longer;
}

/* The request that was set up on client->curl. 0 with the body; -1. */
static int client_run(struct client_call *call, const char *path,
                      struct err *err)
{
    struct client *client = call->client;
    auto_free char *url = mem_format("%s%s", client->server, path);
    CURL *curl = client->curl;
    long status = 0;

    if (client->authorization)
        client_add_header(call, client->authorization);
    client_add_header(call, "Expect:");
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CLIENT_CONNECT_S);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, CLIENT_ANSWER_S);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "bout/" CLI_VERSION);
    curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, call->header);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, client_take);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, call);
    CURLcode code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_reset(curl); /* keeps the connection */
    if (code != CURLE_OK)
        return client_failed(call, code, err);
    if (status < 200 || status > 299)
        return client_refused(call, status, err);
    return 0;
}

static json_t *client_run_json(struct client_call *call, const char *path,
                               struct err *err)
{
    json_error_t why;

    if (client_run(call, path, err) < 0)
        return NULL;
    json_t *document = json_loadb(call->body.data ? call->body.data : "",
                                  call->body.size, 0, &why);
    if (!document)
        err_set(err, ERR_SYSTEM, "%s%s: the answer is no JSON: %s",
                call->client->server, path, why.text);
    return document;
}

json_t *client_get(struct client *client, const char *path, struct err *err)
{
    auto_call struct client_call call = {.client = client};

    return client_run_json(&call, path, err);
}

int client_get_bytes(struct client *client, const char *path, struct buf *out,
                     struct err *err)
{
    auto_call struct client_call call = {.client = client};

    if (client_run(&call, path, err) < 0)
        return -1;
    buf_add(out, call.body.data, call.body.size);
    return 0;
}

json_t *client_post(struct client *client, const char *path, const json_t *body,
                    struct err *err)
{
    auto_call struct client_call call = {.client = client};
    auto_free char *text = json_dumps(body, JSON_COMPACT);

    client_add_header(&call, "Content-Type: application/json");
    curl_easy_setopt(client->curl, CURLOPT_POSTFIELDSIZE, (long)strlen(text));
    curl_easy_setopt(client->curl, CURLOPT_POSTFIELDS, text);
    return client_run_json(&call, path, err);
}

json_t *client_post_form(struct client *client, const char *path,
                         const struct client_part *part, size_t count,
                         struct err *err)
{
    auto_call struct client_call call = {.client = client};
    curl_mime *form = curl_mime_init(client->curl);

    for (size_t i = 0; i < count; i++) {
        curl_mimepart *to = curl_mime_addpart(form);
        curl_mime_name(to, part[i].name);
        curl_mime_data(to, part[i].bytes ? part[i].bytes : "", part[i].size);
        if (part[i].filename)
            curl_mime_filename(to, part[i].filename);
    }
    curl_easy_setopt(client->curl, CURLOPT_MIMEPOST, form);
    json_t *document = client_run_json(&call, path, err);
    curl_mime_free(form);
    return document;
}

/* ---- waiting ------------------------------------------------------------- */

static bool client_is_word(const char *words, const char *word)
{
    const size_t size = strlen(word);

    for (const char *at = words; (at = strstr(at, word)); at += size)
        if ((at == words || at[-1] == ' ') && (!at[size] || at[size] == ' '))
            return true;
    return false;
}

static void client_say(const json_t *document, const char *status)
{
    const json_t *position = json_object_get(document, "queue_position");

    if (!isatty(STDERR_FILENO))
        return;
    fputs("\r\033[K", stderr);
    cli_print_foreign(stderr, status, strlen(status));
    if (json_is_integer(position))
        fprintf(stderr, ", number %lld in the queue",
                (long long)json_integer_value(position));
    fflush(stderr);
}

json_t *client_await(struct client *client, const char *path,
                     const char *unsettled, struct err *err)
{
    int wait_s = 0; /* once at once, to say where it stands */
    bool said = false;

    for (;;) {
        auto_free char *target = mem_format("%s?wait=%d", path, wait_s);
        json_t *document = client_get(client, target, err);
        const char *status =
            json_string_value(json_object_get(document, "status"));

        if (!document || !status || !client_is_word(unsettled, status)) {
            if (said && isatty(STDERR_FILENO))
                fputs("\r\033[K", stderr);
            return document;
        }
        client_say(document, status);
        said = true;
        json_decref(document);
        wait_s = CLIENT_WAIT_S;
    }
}

/* ---- bots by name -------------------------------------------------------- */

static bool client_is_version(const json_t *bot, uint64_t version)
{
    return version ? json_integer_value(json_object_get(bot, "version")) ==
                         (json_int_t)version
                   : json_is_true(json_object_get(bot, "active"));
}

static int client_choose(const json_t *items, const char *name,
                         uint64_t version, json_int_t *id, struct err *err)
{
    const json_t *bot;
    size_t i;

    json_array_foreach(items, i, bot) {
        if (!client_is_version(bot, version))
            continue;
        *id = json_integer_value(json_object_get(bot, "id"));
        return 0;
    }
    if (!json_array_size(items))
        return err_set(err, ERR_MISSING, "there is no bot %s in that game",
                       name);
    return err_set(err, ERR_MISSING,
                   version ? "bot %s has no version %llu among its newest 200"
                           : "no version of bot %s is ready",
                   name, (unsigned long long)version);
}

int client_find_bot(struct client *client, const char *game, const char *text,
                    json_int_t *id, struct err *err)
{
    const char *colon = strrchr(text, ':');
    uint64_t version = 0;
    uint64_t number;

    if (cli_number(text, &number)) {
        *id = (json_int_t)number;
        return 0;
    }
    if (colon && (!cli_number(colon + 1, &version) || !version))
        return err_set(err, ERR_INPUT,
                       "%s: a bot is an id, NAME or NAME:VERSION", text);
    auto_free char *name =
        colon ? mem_dup(text, (size_t)(colon - text)) : mem_dup_str(text);
    auto_free char *name_there = client_escape(client, name);
    auto_free char *game_there = client_escape(client, game);
    auto_free char *path = mem_format("/v1/bots?game=%s&name=%s&limit=200",
                                      game_there, name_there);
    json_t *list = client_get(client, path, err);
    if (!list)
        return -1;
    int result =
        client_choose(json_object_get(list, "items"), name, version, id, err);
    json_decref(list);
    return result;
}
