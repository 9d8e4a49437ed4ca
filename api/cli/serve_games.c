#include "api/cli/serve_games.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/work/gamebook.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SERVE_GAMES_MAX_BYTES 1048576

/* ---- in the child ------------------------------------------------------- */

static json_t *serve_games_entry(const struct gamebook_entry *entry)
{
    const struct match_game *about = &entry->about;

    return json_pack(
        "{s:s, s:s, s:s, s:i, s:i, s:I, s:I, s:I, s:I}", "name", entry->name,
        "label", about->label, "version", entry->referee->hash, "min_slots",
        (int)about->min_slots, "max_slots", (int)about->max_slots, "turn_soft",
        (json_int_t)about->turn_soft, "turns", (json_int_t)about->turns,
        "view_bytes", (json_int_t)about->view_bytes, "turn_bank",
        (json_int_t)about->turn_bank);
}

static int serve_games_ask(struct gamebook *book, json_t *list, struct err *err)
{
    auto_zygote struct zygote *zygote = zygote_start(-1, err);

    if (!zygote)
        return -1;
    for (size_t i = 0; i < book->count; i++) {
        struct gamebook_entry *entry = &book->entry[i];
        if (!gamebook_referee(entry, zygote, err))
            return -1;
        if (match_game_try(zygote, entry->referee, &entry->about, err) < 0)
            return err_wrap(err,
                            "game %s (maps in %s/maps, hidden ones in "
                            "DATA/maps/%s)",
                            entry->name, entry->folder, entry->name);
        json_array_append_new(list, serve_games_entry(&book->entry[i]));
    }
    return 0;
}

/* Writes the list, or a string that says what failed. Exit code. */
static int serve_games_child(int to)
{
    auto_gamebook struct gamebook book = {0};
    json_t *list = json_array();
    struct err err = {0};

    if (gamebook_read(&book, &err) < 0 ||
        serve_games_ask(&book, list, &err) < 0) {
        json_decref(list);
        list = json_string(err.msg);
    }
    auto_free char *text = json_dumps(list, JSON_ENCODE_ANY);
    json_decref(list);
    return text && io_write_all(to, text, strlen(text), &err) == 0 ? 0 : 1;
}

/* ---- in the server ------------------------------------------------------ */

static int serve_games_row(json_t *entry, struct games_row *row,
                           struct err *err)
{
    const char *name;
    const char *label;
    const char *version;
    json_int_t turn_soft;
    json_int_t turns;
    json_int_t view_bytes;
    json_int_t turn_bank;
    int min_slots;
    int max_slots;

    if (json_unpack(entry, "{s:s, s:s, s:s, s:i, s:i, s:I, s:I, s:I, s:I}",
                    "name", &name, "label", &label, "version", &version,
                    "min_slots", &min_slots, "max_slots", &max_slots,
                    "turn_soft", &turn_soft, "turns", &turns, "view_bytes",
                    &view_bytes, "turn_bank", &turn_bank) < 0)
        return err_set(err, ERR_SYSTEM, "games: a row lacks a member");
    *row = (struct games_row){.name = mem_dup_str(name),
                              .label = mem_dup_str(label),
                              .version = mem_dup_str(version),
                              .min_slots = (unsigned)min_slots,
                              .max_slots = (unsigned)max_slots,
                              .turn_soft = (uint64_t)turn_soft,
                              .turns = (uint64_t)turns,
                              .view_bytes = (uint64_t)view_bytes,
                              .turn_bank = (uint64_t)turn_bank};
    return 0;
}

static struct games *serve_games_parse(const struct buf *text, struct err *err)
{
    json_t *list = json_loadb(text->data ? text->data : "", text->size,
                              JSON_DECODE_ANY, NULL);
    struct games *games = mem_calloc(1, sizeof *games);
    int result = 0;

    if (!json_is_array(list) || json_array_size(list) == 0) {
        const char *why = json_string_value(list);
        result = err_set(err, ERR_SYSTEM, "%s",
                         why ? why : "no games are installed");
    }
    games->row = mem_calloc(json_array_size(list) + 1, sizeof *games->row);
    for (size_t i = 0; result == 0 && i < json_array_size(list); i++) {
        result = serve_games_row(json_array_get(list, i), &games->row[i], err);
        games->count += result == 0;
    }
    json_decref(list);
    if (result == 0)
        return games;
    games_free(games);
    return NULL;
}

struct games *serve_games_read(struct err *err)
{
    auto_buf struct buf text = {0};
    auto_fd int from = -1;
    auto_fd int to = -1;

    if (io_pipe(&from, &to, err) < 0)
        return NULL;
    pid_t pid = fork();
    if (pid < 0) {
        err_sys(err, errno, "games: fork");
        return NULL;
    }
    if (pid == 0)
        _exit(serve_games_child(to));
    fd_close(&to);
    int result = io_read_all(from, SERVE_GAMES_MAX_BYTES, &text, err);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return result < 0 ? NULL : serve_games_parse(&text, err);
}
