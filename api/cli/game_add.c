#include "api/cli/game_add.h"

#include "api/cli/cli.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/work/gamebook.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- what it must have ------------------------------------------------------
 */

static int check_files(const struct gamebook_entry *game, struct err *err)
{
    auto_free char *rules = mem_format("%s/rules.md", game->folder);

    if (!io_exists(rules))
        return err_set(err, ERR_INPUT,
                       "%s has no rules.md: players need to know what is read "
                       "and printed",
                       game->folder);
    if (game->sample_count == 0)
        return err_set(err, ERR_INPUT,
                       "%s has no sample bot (sample_NAME.c or .cpp): the "
                       "house needs one to try other bots against",
                       game->folder);
    return 0;
}

/* The program's own games stay; an added one may be added anew. */
static int check_name(const struct gamebook_entry *game, const char *to,
                      struct err *err)
{
    auto_gamebook struct gamebook book = {0};

    if (gamebook_read(&book, err) < 0)
        return -1;
    for (size_t i = 0; i < book.count; i++) {
        const struct gamebook_entry *other = &book.entry[i];
        if (!strcmp(other->name, game->name) && strcmp(other->folder, to) != 0)
            return err_set(err, ERR_INPUT, "there is a game %s already: %s",
                           other->name, other->folder);
    }
    return 0;
}

/* ---- what it must do --------------------------------------------------------
 */

/* One match of its samples; the hash of the log is in *match. */
static int play_once(struct zygote *zygote, struct gamebook_entry *game,
                     const char *seed, struct match *match, struct err *err)
{
    struct match_spec spec = {
        .game_name = game->name,
        .game = game->referee,
        .slots = game->about.min_slots,
        .seed = seed,
    };

    limits_init(&spec.limits, game->about.turn_soft, game->about.turn_bank,
                game->about.turns);
    if (spec.limits.view_bytes < game->about.view_bytes)
        spec.limits.view_bytes = game->about.view_bytes;
    for (unsigned slot = 0; slot < spec.slots; slot++) {
        spec.bot[slot] = gamebook_sample(game, slot % game->sample_count, err);
        if (!spec.bot[slot])
            return -1;
    }
    return match_play(zygote, &spec, match, err);
}

static int check_verdicts(const struct gamebook_entry *game,
                          const struct match *match, struct err *err)
{
    for (unsigned slot = 0; slot < match->slots; slot++) {
        const struct match_result *result = &match->result[slot];
        if (result->verdict != VERDICT_OK)
            return err_set(
                err, ERR_INPUT, "its own %s does not play it: turn %u, %s%s%s",
                game->sample[slot % game->sample_count],
                (unsigned)result->last_turn, verdict_text(result->verdict),
                *result->detail ? ", " : "", result->detail);
    }
    return 0;
}

static int try_seed(struct zygote *zygote, struct gamebook_entry *game,
                    const char *seed, struct err *err)
{
    struct match first = {0};
    struct match again = {0};
    int status = play_once(zygote, game, seed, &first, err);

    if (status == 0)
        status = check_verdicts(game, &first, err);
    if (status == 0)
        status = play_once(zygote, game, seed, &again, err);
    if (status == 0 && strcmp(first.replay_sha256, again.replay_sha256) != 0)
        status = err_set(err, ERR_INPUT,
                         "played twice with seed %s it is not the same: its "
                         "referee must depend on the seed and the replies "
                         "alone",
                         seed);
    match_release(&first);
    match_release(&again);
    return status;
}

static int try_game(struct zygote *zygote, struct gamebook_entry *game,
                    struct err *err)
{
    static const char *const seed[] = {"1", "2", "3"};

    if (!gamebook_referee(game, zygote, err))
        return -1;
    if (strcmp(game->about.name, game->name) != 0)
        return err_set(err, ERR_INPUT,
                       "the folder is %s, its referee says that it is %s",
                       game->name, game->about.name);
    for (size_t i = 0; i < sizeof seed / sizeof *seed; i++)
        if (try_seed(zygote, game, seed[i], err) < 0)
            return -1;
    return 0;
}

/* ---- taking it in ---------------------------------------------------------
 */

static int write_file(const char *folder, const struct build_file *file,
                      struct err *err)
{
    auto_free char *path = mem_format("%s/%s", folder, file->path);
    auto_free char *parent = mem_dup_str(path);

    *strrchr(parent, '/') = '\0';
    if (io_make_folders(parent, 0755, err) < 0)
        return -1;
    return io_write_file(path, file->bytes, file->size, 0644, err);
}

/* Into a folder beside, which takes the place of `to` when it is whole. */
static int copy(const struct gamebook_entry *game, const char *to,
                struct err *err)
{
    auto_free char *beside = mem_format("%s.new", to);
    auto_free char *from = mem_dup_str(game->folder);
    struct build_source source = {0};

    int status = io_remove_tree(beside, err);
    if (status == 0)
        status = build_source_read(&source, &from, 1, err);
    for (size_t i = 0; status == 0 && i < source.count; i++)
        status = write_file(beside, &source.file[i], err);
    build_source_release(&source);
    if (status == 0)
        status = io_remove_tree(to, err);
    if (status == 0 && rename(beside, to) < 0)
        status = err_sys(err, errno, "%s: rename", beside);
    return status;
}

static int add(struct gamebook_entry *game, struct err *err)
{
    auto_free char *added = gamebook_added_folder(err);

    if (!added)
        return -1;
    auto_free char *to = mem_format("%s/%s", added, game->name);
    if (check_files(game, err) < 0 || check_name(game, to, err) < 0)
        return -1;
    auto_zygote struct zygote *zygote = zygote_start(-1, err);
    if (!zygote)
        return -1;
    if (try_game(zygote, game, err) < 0) {
        /* What fails here is the game's doing. */
        err->kind = err->kind == ERR_SYSTEM ? ERR_INPUT : err->kind;
        return -1;
    }
    if (copy(game, to, err) < 0)
        return -1;
    printf("%s (%s) is in %s; a running service takes it up at its next "
           "start\n",
           game->name, game->about.label, to);
    return cli_finish("games");
}

int game_add(const char *folder, struct err *err)
{
    struct gamebook_entry game = {0};

    if (gamebook_open(&game, folder, err) < 0)
        return -1;
    int code = add(&game, err);
    gamebook_entry_release(&game);
    return code;
}
