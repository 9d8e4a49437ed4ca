/* build: the order of the steps.
 *
 * Theory of operation. clang makes bitcode of each source alone; bout-meter
 * links the bot's units, refuses or charges them: that module is the build.
 * bout-meter then links it with the charged library, places all data and
 * generates the bot's part of the code; ld.lld joins it with the library's
 * precompiled code and the trusted runtime; the scan looks at the result. Each
 * step sees only what the one before gave it. A step says: done, rejected
 * (diagnostics), or error of ours; the first that is not done ends the build.
 */
#include "runner/build/build.h"

#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/build/charge.h"
#include "runner/build/exec_game.h"
#include "runner/build/fingerprint.h"
#include "runner/build/source.h"
#include "runner/build/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct build *build_new(void)
{
    struct build *build = mem_calloc(1, sizeof *build);

    build->elf_fd = -1;
    return build;
}

void build_free(struct build *build)
{
    if (!build)
        return;
    free(build->target);
    json_decref(build->diagnostics);
    json_decref(build->exec);
    build_source_release(&build->source);
    free(build->module);
    json_decref(build->blocks);
    json_decref(build->layout);
    free(build->elf);
    fd_close(&build->elf_fd);
    free(build);
}

void build_cleanup(struct build **build)
{
    build_free(*build);
}

static int copy_source(struct build_source *to, const struct build_source *from,
                       struct err *err)
{
    for (size_t i = 0; i < from->count; i++) {
        const struct build_file *file = &from->file[i];
        if (build_source_add(to, file->path, file->bytes, file->size, err) < 0)
            return -1;
    }
    return 0;
}

/* 1 ready, 0 rejected, -1 error. */
static int run_steps(struct making *making, struct build *build,
                     struct err *err)
{
    auto_bitcode struct bitcode bitcode = {0};
    int result = compile_all(making, &bitcode, err);

    if (result == 1)
        result = charge_module(making, &bitcode, build, err);
    if (result == 1)
        result = charge_link(making, build, err);
    return result;
}

struct build *build_make(const struct build_source *source, const char *target,
                         struct err *err)
{
    auto_making struct making making = {0};
    auto_build struct build *build = build_new();

    diagnostics_init(&making.diagnostics);
    if (making_start(&making, source, target, err) < 0 ||
        fingerprint_make(&making.toolchain, build->fingerprint, err) < 0 ||
        copy_source(&build->source, source, err) < 0)
        return NULL;
    int result = run_steps(&making, build, err);
    if (result < 0)
        return NULL;
    build->ready = result == 1;
    build->made_here = true;
    build->target = mem_dup_str(making.target);
    build->diagnostics = json_incref(making.diagnostics.list);
    return take_ptr(build);
}

/* All but what charge_link makes. */
static int copy_module(struct build *to, const struct build *from,
                       struct err *err)
{
    memcpy(to->hash, from->hash, sizeof to->hash);
    memcpy(to->fingerprint, from->fingerprint, sizeof to->fingerprint);
    to->module = mem_dup(from->module, from->module_size);
    to->module_size = from->module_size;
    to->blocks = json_incref(from->blocks);
    to->diagnostics = json_incref(from->diagnostics);
    return copy_source(&to->source, &from->source, err);
}

struct build *build_retarget(const struct build *build, const char *target,
                             struct err *err)
{
    auto_making struct making making = {0};
    auto_build struct build *made = build_new();
    char fingerprint[HASH_HEX_SIZE];

    diagnostics_init(&making.diagnostics);
    if (making_start(&making, &build->source, target, err) < 0 ||
        fingerprint_make(&making.toolchain, fingerprint, err) < 0 ||
        copy_module(made, build, err) < 0)
        return NULL;
    if (strcmp(fingerprint, build->fingerprint) != 0)
        return err_set(err, ERR_INPUT,
                       "it was built by another toolchain than the installed "
                       "one: build its source again"),
               NULL;
    int result = charge_link(&making, made, err);
    if (result < 0)
        return NULL;
    if (result == 0)
        return err_set(err, ERR_SYSTEM, "no code can be made for %s",
                       making.target),
               NULL;
    made->ready = true;
    made->target = mem_dup_str(making.target);
    return take_ptr(made);
}

/* ---- a referee ----------------------------------------------------------- */

static int add_file(struct build_source *source, const char *folder,
                    const char *from, const char *to, struct err *err)
{
    auto_free char *path = mem_format("%s/%s", folder, from);
    auto_buf struct buf bytes = {0};

    if (io_read_file(path, SOURCE_MAX_BYTES, &bytes, err) < 0)
        return -1;
    return build_source_add(source, to, bytes.data ? bytes.data : "",
                            bytes.size, err);
}

static bool is_game_file(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && name[0] != '.' && strncmp(name, "sample_", 7) != 0 &&
           strncmp(name, "starter", 7) != 0 &&
           (!strcmp(dot, ".c") || !strcmp(dot, ".h"));
}

/* The game's own files: sample bots (sample_NAME.c) and first bots (starter.c)
 * lie beside them. */
static int add_game_files(struct build_source *source, const char *folder,
                          struct err *err)
{
    auto_dir DIR *dir = opendir(folder);

    if (!dir)
        return err_set(err, ERR_MISSING, "%s: no such game", folder);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (is_game_file(entry->d_name) &&
            add_file(source, folder, entry->d_name, entry->d_name, err) < 0)
            return -1;
    }
    return 0;
}

static int is_map(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return entry->d_name[0] != '.' && dot && !strcmp(dot, ".map");
}

static int add_map(struct build_source *source, const char *folder,
                   const char *name, int hidden, struct err *err)
{
    auto_free char *to = hidden ? mem_format("maps/hidden_%d.map", hidden)
                                : mem_format("maps/%s", name);

    return add_file(source, folder, name, to, err);
}

/* A folder that is not there has none. */
static int add_maps(struct build_source *source, const char *folder,
                    bool hidden, struct err *err)
{
    struct dirent **entry = NULL;
    int count = scandir(folder, &entry, is_map, alphasort);
    int status = 0;

    for (int i = 0; i < count; i++) {
        if (status == 0)
            status = add_map(source, folder, entry[i]->d_name,
                             hidden ? i + 1 : 0, err);
        free(entry[i]);
    }
    free(entry);
    if (count < 0 && errno != ENOENT)
        return err_sys(err, errno, "%s: open", folder);
    return status;
}

/* The runtime is added by the caller. */
static int add_game(struct build_source *source, const char *dir,
                    const char *hidden, struct err *err)
{
    auto_free char *maps = mem_format("%s/maps", dir);

    if (add_game_files(source, dir, err) < 0 ||
        add_maps(source, maps, false, err) < 0)
        return -1;
    return hidden ? add_maps(source, hidden, true, err) : 0;
}

struct build *build_make_game(const char *dir, const char *runtime,
                              const char *hidden, struct err *err)
{
    auto_free char *own = mem_format("%s/../referee.c", dir);
    auto_free char *above = mem_format("%s/..", dir);
    auto_free char *json = mem_format("%s/" BUILD_GAME_JSON, dir);
    struct build_source source = {0};
    struct build *build = NULL;

    if (io_exists(json))
        return exec_game_make(dir, err);
    if (io_exists(own) || !runtime)
        runtime = above;
    if (add_game(&source, dir, hidden, err) == 0 &&
        add_file(&source, runtime, "referee.c", "referee.c", err) == 0 &&
        add_file(&source, runtime, "../game.h", "runner/game.h", err) == 0)
        build = build_make(&source, NULL, err);
    build_source_release(&source);
    return build;
}

/* ---- the result ---------------------------------------------------------- */

json_t *build_report(const struct build *build, const char *file)
{
    json_t *report = json_object();

    json_object_set_new(report, "status",
                        json_string(build->ready ? "ready" : "rejected"));
    json_object_set_new(report, "build",
                        build->ready ? json_string(build->hash) : json_null());
    json_object_set_new(report, "fingerprint", json_string(build->fingerprint));
    json_object_set_new(report, "target",
                        build->target ? json_string(build->target)
                                      : json_null());
    json_object_set_new(report, "file", file ? json_string(file) : json_null());
    json_object_set(report, "diagnostics", build->diagnostics);
    return report;
}

int build_elf_fd(struct build *build, struct err *err)
{
    const char *host = toolchain_host_target();

    if (!host || strcmp(build->target, host) != 0)
        return err_set(err, ERR_INPUT,
                       "the build was made for %s, this machine is %s: build "
                       "its source here",
                       build->target, host ? host : "none of ours");
    if (build->elf_fd < 0)
        build->elf_fd =
            io_sealed_memfd("bot", build->elf, build->elf_size, err);
    return build->elf_fd;
}

/* "bot.c:3: message" of the first error. */
static void first_error(const struct build *build, struct buf *out)
{
    json_t *entry;
    size_t i;

    json_array_foreach(build->diagnostics, i, entry) {
        const char *file = json_string_value(json_object_get(entry, "file"));
        json_int_t line = json_integer_value(json_object_get(entry, "line"));

        if (strcmp(json_string_value(json_object_get(entry, "severity")),
                   "error") != 0)
            continue;
        if (*file && line)
            buf_add_format(out, "%s:%lld: ", file, (long long)line);
        else if (*file)
            buf_add_format(out, "%s: ", file);
        buf_add_str(out, json_string_value(json_object_get(entry, "message")));
        if (json_array_size(build->diagnostics) > 1)
            buf_add_str(out, "; `bout build` shows all");
        return;
    }
    buf_add_str(out, "rejected");
}

static struct build *make_from_path(const char *path, struct err *err)
{
    struct build_source source = {0};
    auto_build struct build *build = NULL;
    auto_free char *copy = mem_dup_str(path);

    if (build_source_read(&source, &copy, 1, err) == 0)
        build = build_make(&source, NULL, err);
    build_source_release(&source);
    if (build && !build->ready) {
        auto_buf struct buf why = {0};
        first_error(build, &why);
        err_set(err, ERR_INPUT, "%s was rejected: %s", path, why.data);
        return NULL;
    }
    return take_ptr(build);
}

/* For this machine, whichever it was linked for. */
static struct build *open_for_host(const char *path, struct err *err)
{
    auto_build struct build *build = build_open(path, err);
    const char *host = toolchain_host_target();

    if (!build || !host || !strcmp(build->target, host))
        return take_ptr(build);
    struct build *made = build_retarget(build, host, err);
    if (!made)
        err_wrap(err, "%s", path);
    return made;
}

bool build_is_bot(const char *path)
{
    size_t size = strlen(path);

    return size > 4 && !strcmp(path + size - 4, ".bot");
}

struct build *build_open_or_make(const char *path, struct err *err)
{
    return build_is_bot(path) ? open_for_host(path, err)
                              : make_from_path(path, err);
}
