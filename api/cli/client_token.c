/* client_token: tokens that `bout login` keeps for the next command. */
#include "api/cli/client.h"

#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <string.h>

#define TOKENS_MAX_BYTES 1048576u

/* The folder, to be freed. */
static char *token_folder(struct err *err)
{
    // NOLINTBEGIN(concurrency-mt-unsafe): commands have one thread
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    // NOLINTEND(concurrency-mt-unsafe)

    if (config && config[0] == '/')
        return mem_format("%s/bout", config);
    if (home && home[0] == '/')
        return mem_format("%s/.config/bout", home);
    err_set(err, ERR_INPUT,
            "no place for tokens: HOME is not set; give --token or BOUT_TOKEN");
    return NULL;
}

/* All that is saved; an empty object where there is no file. New reference. */
static json_t *token_read(const char *path, struct err *err)
{
    auto_buf struct buf text = {0};
    json_error_t why;

    if (!io_exists(path))
        return json_object();
    if (io_read_file(path, TOKENS_MAX_BYTES, &text, err) < 0)
        return NULL;
    json_t *all = json_loadb(text.data ? text.data : "", text.size,
                             JSON_REJECT_DUPLICATES, &why);
    if (json_is_object(all))
        return all;
    json_decref(all);
    err_set(err, ERR_INPUT,
            "%s: not the tokens that `bout login` saves; remove it and log in "
            "again",
            path);
    return NULL;
}

int client_save_token(const char *server, const char *token, struct err *err)
{
    auto_free char *folder = token_folder(err);

    if (!folder || io_make_folders(folder, 0700, err) < 0)
        return -1;
    auto_free char *path = mem_format("%s/tokens.json", folder);
    json_t *all = token_read(path, err);
    if (!all)
        return -1;
    json_object_set_new(all, server, json_string(token));
    auto_free char *text = json_dumps(all, JSON_INDENT(2) | JSON_SORT_KEYS);
    json_decref(all);
    return io_write_file(path, text, strlen(text), 0600, err);
}

char *client_saved_token(const char *server, struct err *err)
{
    auto_free char *folder = token_folder(err);

    *err = (struct err){0};
    if (!folder)
        return NULL;
    auto_free char *path = mem_format("%s/tokens.json", folder);
    json_t *all = token_read(path, err);
    const char *token = json_string_value(json_object_get(all, server));
    char *copy = token ? mem_dup_str(token) : NULL;
    json_decref(all);
    return copy;
}
