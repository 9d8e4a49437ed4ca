#include "runner/work/gamebook.h"

#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/base/log.h"
#include "runner/work/data_folder.h"

#include <errno.h>
#include <string.h>

char *gamebook_folder(struct err *err)
{
    static const char *const beside[] = {"../runner/games", "games"};
    const char *own = getenv("BOUT_GAMES");

    if (own && *own)
        return mem_dup_str(own);
    auto_free char *program = io_program_folder(err);
    if (!program)
        return NULL;
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        auto_free char *path = mem_format("%s/%s", program, beside[i]);
        if (io_exists(path))
            return take_ptr(path);
    }
    err_set(err, ERR_MISSING,
            "no games beside %s: name their folder in BOUT_GAMES", program);
    return NULL;
}

char *gamebook_added_folder(struct err *err)
{
    auto_free char *data = data_folder(NULL, err);

    return data ? mem_format("%s/games", data) : NULL;
}

void gamebook_entry_release(struct gamebook_entry *entry)
{
    for (size_t i = 0; i < entry->sample_count; i++) {
        free(entry->sample[i]);
        build_free(entry->sample_build[i]);
    }
    free(entry->sample);
    free(entry->sample_build);
    build_free(entry->referee);
    free(entry->name);
    free(entry->folder);
    *entry = (struct gamebook_entry){0};
}

void gamebook_release(struct gamebook *book)
{
    for (size_t i = 0; i < book->count; i++)
        gamebook_entry_release(&book->entry[i]);
    free(book->entry);
    *book = (struct gamebook){0};
}

static int entry_compare(const void *a, const void *b)
{
    return strcmp(((const struct gamebook_entry *)a)->name,
                  ((const struct gamebook_entry *)b)->name);
}

/* sample_NAME.c, .cc or .cpp, or a folder sample_NAME. */
static bool is_sample(const struct dirent *file)
{
    const char *dot = strrchr(file->d_name, '.');

    if (strncmp(file->d_name, "sample_", 7) != 0)
        return false;
    if (!dot)
        return file->d_type == DT_DIR;
    return dot > file->d_name + 7 &&
           (!strcmp(dot, ".c") || !strcmp(dot, ".cc") || !strcmp(dot, ".cpp"));
}

static bool is_one_c_file(const char *path)
{
    size_t size = strlen(path);

    return size > 2 && !strcmp(path + size - 2, ".c");
}

/* Samples of one C file come first, as they are built the soonest: the first
 * one is whom the house sends to a smoke match. */
static int sample_compare(const void *a, const void *b)
{
    const char *left = *(char *const *)a;
    const char *right = *(char *const *)b;

    if (is_one_c_file(left) != is_one_c_file(right))
        return is_one_c_file(left) ? -1 : 1;
    return strcmp(left, right);
}

static int entry_read_samples(struct gamebook_entry *entry, struct err *err)
{
    auto_dir DIR *dir = opendir(entry->folder);

    if (!dir)
        return err_sys(err, errno, "%s: open", entry->folder);
    for (struct dirent *file; (file = readdir(dir)) != NULL;) {
        if (!is_sample(file))
            continue;
        entry->sample = mem_realloc(entry->sample, (entry->sample_count + 1) *
                                                       sizeof *entry->sample);
        entry->sample[entry->sample_count++] =
            mem_format("%s/%s", entry->folder, file->d_name);
    }
    if (entry->sample_count)
        qsort(entry->sample, entry->sample_count, sizeof *entry->sample,
              sample_compare);
    entry->sample_build =
        mem_calloc(entry->sample_count, sizeof *entry->sample_build);
    return 0;
}

static bool is_game(const char *games, const char *name)
{
    auto_free char *referee = mem_format("%s/%s/%s.c", games, name, name);
    auto_free char *json = mem_format("%s/%s/" BUILD_GAME_JSON, games, name);

    return name[0] != '.' && (io_exists(referee) || io_exists(json));
}

static int entry_read(struct gamebook_entry *entry, const char *games,
                      const char *name, struct err *err)
{
    *entry = (struct gamebook_entry){
        .name = mem_dup_str(name),
        .folder = mem_format("%s/%s", games, name),
    };
    return entry_read_samples(entry, err);
}

int gamebook_open(struct gamebook_entry *entry, const char *folder,
                  struct err *err)
{
    auto_free char *path = realpath(folder, NULL);
    char *slash = path ? strrchr(path, '/') : NULL;

    if (!slash || slash == path)
        return err_set(err, ERR_MISSING, "%s: no such folder", folder);
    *slash = '\0';
    if (!is_game(path, slash + 1))
        return err_set(err, ERR_INPUT,
                       "%s holds no game: neither %s.c nor " BUILD_GAME_JSON,
                       folder, slash + 1);
    return entry_read(entry, path, slash + 1, err);
}

static bool has_name(const struct gamebook *book, const char *name)
{
    for (size_t i = 0; i < book->count; i++)
        if (!strcmp(book->entry[i].name, name))
            return true;
    return false;
}

static int book_add(struct gamebook *book, const char *games, const char *name,
                    struct err *err)
{
    if (!is_game(games, name) || has_name(book, name))
        return 0;
    book->entry =
        mem_realloc(book->entry, (book->count + 1) * sizeof *book->entry);
    return entry_read(&book->entry[book->count++], games, name, err);
}

static int book_add_all(struct gamebook *book, const char *games,
                        struct err *err)
{
    auto_dir DIR *dir = opendir(games);

    if (!dir)
        return err_sys(err, errno, "%s: open", games);
    for (struct dirent *file; (file = readdir(dir)) != NULL;)
        if (book_add(book, games, file->d_name, err) < 0)
            return -1;
    return 0;
}

int gamebook_read(struct gamebook *book, struct err *err)
{
    auto_free char *games = gamebook_folder(err);
    struct err nowhere;
    auto_free char *added = gamebook_added_folder(&nowhere);
    struct gamebook found = {0};

    if (!games)
        return -1;
    int status = book_add_all(&found, games, err);
    if (status == 0 && added && io_exists(added))
        status = book_add_all(&found, added, err);
    if (status < 0) {
        gamebook_release(&found);
        return -1;
    }
    if (found.count)
        qsort(found.entry, found.count, sizeof *found.entry, entry_compare);
    *book = found;
    return 0;
}

struct gamebook_entry *gamebook_get(struct gamebook *book, const char *name,
                                    struct err *err)
{
    auto_buf struct buf names = {0};

    for (size_t i = 0; i < book->count; i++) {
        if (!strcmp(book->entry[i].name, name))
            return &book->entry[i];
        buf_add_format(&names, "%s%s", i ? ", " : "", book->entry[i].name);
    }
    err_set(err, ERR_MISSING, "no game %s; there are: %s", name,
            names.data ? names.data : "none");
    return NULL;
}

const char *gamebook_slots(const struct match_game *about, char *to,
                           size_t size)
{
    if (about->min_slots == about->max_slots)
        snprintf(to, size, "%u", about->min_slots);
    else
        snprintf(to, size, "%u to %u", about->min_slots, about->max_slots);
    return to;
}

/* A game or sample of ours that the toolchain rejects is a failure of ours. */
static struct build *build_must_be_ready(struct build *build, const char *what,
                                         struct err *err)
{
    if (!build || build->ready)
        return build;
    auto_free char *why = json_dumps(build->diagnostics, JSON_COMPACT);
    err_set(err, ERR_SYSTEM, "%s does not build: %s", what, why ? why : "");
    build_free(build);
    return NULL;
}

/* DATA/maps/NAME, or NULL. */
static char *hidden_maps(const char *folder)
{
    struct err nowhere;
    auto_free char *data = data_folder(NULL, &nowhere);
    const char *slash = strrchr(folder, '/');

    return data ? mem_format("%s/maps/%s", data, slash ? slash + 1 : folder)
                : NULL;
}

/* The runtime of referees in C is the program's own, wherever the game lies. */
static struct build *make_game(const char *folder, struct err *err)
{
    auto_free char *games = gamebook_folder(err);
    auto_free char *hidden = hidden_maps(folder);

    return games ? build_make_game(folder, games, hidden, err) : NULL;
}

struct build *gamebook_referee(struct gamebook_entry *entry,
                               struct zygote *zygote, struct err *err)
{
    if (entry->referee)
        return entry->referee;
    struct build *made =
        build_must_be_ready(make_game(entry->folder, err), entry->name, err);
    if (!made || match_game_read(zygote, made, &entry->about, err) < 0) {
        err_wrap(err, "game %s", entry->name);
        build_free(made);
        return NULL;
    }
    /* Its matches may be asked for when another toolchain is here. */
    struct err not_kept;
    if (build_cache_put(made, &not_kept) < 0)
        log_line(LOG_DEBUG, "games", "%s's referee is not kept: %s",
                 entry->name, not_kept.msg);
    entry->referee = made;
    return made;
}

struct build *gamebook_sample(struct gamebook_entry *entry, size_t at,
                              struct err *err)
{
    struct build_source source = {0};

    if (entry->sample_build[at])
        return entry->sample_build[at];
    if (build_source_read(&source, &entry->sample[at], 1, err) == 0)
        entry->sample_build[at] = build_must_be_ready(
            build_make(&source, NULL, err), entry->sample[at], err);
    build_source_release(&source);
    return entry->sample_build[at];
}

static struct build *version_installed(const char *game, struct err *err)
{
    struct gamebook book = {0};
    struct build *build = NULL;

    if (gamebook_read(&book, err) < 0)
        return NULL;
    struct gamebook_entry *entry = gamebook_get(&book, game, err);
    if (entry)
        build = make_game(entry->folder, err);
    gamebook_release(&book);
    return build;
}

struct build *gamebook_version(const char *game, const char *version,
                               struct err *err)
{
    struct err not_kept;
    struct build *build = build_cache_get(version, &not_kept);

    if (!build)
        build = version_installed(game, err);
    if (!build || !strcmp(build->hash, version))
        return build;
    build_free(build);
    err_set(err, ERR_MISSING,
            "the referee of %s that played this match (version %s) is neither "
            "installed nor kept",
            game, version);
    return NULL;
}
