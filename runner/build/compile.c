#include "runner/build/compile.h"

#include "runner/base/cleanup.h"
#include "runner/build/precompiled.h"
#include "runner/build/source.h"
#include "runner/build/view.h"

#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_MAX 512

enum flag_who {
    FLAG_BOTH,
    FLAG_BOT,
    FLAG_BOT_C,
    FLAG_BOT_CXX,
    FLAG_LIBRARY,
    FLAG_LIBRARY_CXX,
};

struct flag {
    enum flag_who who;
    const char *text;
};

static const struct flag flags[] = {
#define FLAG(who, flag, reason) {FLAG_##who, flag},
#include "instrument/library/flags.def"
#define FOREIGN(name) {FLAG_BOT, "-U" #name},
#include "instrument/library/foreign.def"
    /* Where things are, the same in every box. */
    {FLAG_BOT, "-I."},
    {FLAG_BOT_CXX, "-isystem"},
    {FLAG_BOT_CXX, VIEW_HEADERS "/c++/v1"},
    {FLAG_BOT, "-isystem"},
    {FLAG_BOT, VIEW_HEADERS},
    {FLAG_BOT, "-ffile-prefix-map=" VIEW_HEADERS "/=<libc>/include/"},
    /* the same, in the words of a precompiled header */
    {FLAG_BOT, "-ffile-prefix-map=./" VIEW_HEADERS "/=<libc>/include/"},
    {FLAG_BOT, "-isysroot"},
    {FLAG_BOT, "."},
    {FLAG_BOT, "-ffile-prefix-map=" VIEW_HEADERS "/c++/v1/=<libc++>/"},
    {FLAG_BOT, "-ffile-prefix-map=./" VIEW_HEADERS "/c++/v1/=<libc++>/"},
    {FLAG_BOT, "--embed-dir=."},
    {FLAG_BOT, "-ivfsoverlay"},
    {FLAG_BOT, VIEW_OVERLAY},
    /* How things are said. */
    {FLAG_BOT, "-Wno-c23-extensions"}, /* #embed is for everybody */
    {FLAG_BOT, "-fno-caret-diagnostics"},
    {FLAG_BOT, "-fno-crash-diagnostics"},
};

#define FLAG_COUNT (sizeof flags / sizeof *flags)

void bitcode_release(struct bitcode *bitcode)
{
    for (size_t i = 0; i < bitcode->count; i++)
        buf_release(&bitcode->unit[i]);
    free(bitcode->unit);
    *bitcode = (struct bitcode){0};
}

void compile_flags_text(struct buf *out)
{
    static const char *const who[] = {"both", "bot",     "c",
                                      "c++",  "library", "library c++"};

    for (size_t i = 0; i < FLAG_COUNT; i++)
        buf_add_format(out, "%s %s\n", who[flags[i].who], flags[i].text);
}

static bool ends_with_one(const char *path, const char *const *endings,
                          size_t count)
{
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && i < count; i++) {
        if (!strcmp(dot, endings[i]))
            return true;
    }
    return false;
}

static bool is_c(const char *path)
{
    static const char *const endings[] = {".c"};

    return ends_with_one(path, endings, 1);
}

static bool is_cxx(const char *path)
{
    static const char *const endings[] = {".cc", ".cpp", ".cxx", ".C"};

    return ends_with_one(path, endings, 4);
}

/* `precompiled` may be NULL. */
static void fill_arguments(const char **argv, const char *path,
                           const char *precompiled)
{
    enum flag_who language = is_cxx(path) ? FLAG_BOT_CXX : FLAG_BOT_C;
    size_t count = 0;

    argv[count++] = TOOLCHAIN_CLANG;
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        if (flags[i].who <= FLAG_BOT || flags[i].who == language)
            argv[count++] = flags[i].text;
    }
    if (precompiled) {
        argv[count++] = "-include-pch";
        argv[count++] = precompiled;
    }
    argv[count++] = "-o";
    argv[count++] = "../out/unit.bc";
    argv[count++] = "--";
    argv[count++] = path;
    argv[count] = NULL;
}
_Static_assert(FLAG_COUNT + 8 <= ARGUMENTS_MAX, "room for all arguments");

/* The upload's files and the overlay that limits the view to them. */
static struct workbox_input *make_inputs(const struct build_source *source)
{
    struct workbox_input *input = mem_calloc(source->count + 1, sizeof *input);

    for (size_t i = 0; i < source->count; i++) {
        input[i] = (struct workbox_input){
            .path = source->file[i].path,
            .bytes = source->file[i].bytes,
            .size = source->file[i].size,
        };
    }
    input[source->count] = (struct workbox_input){
        .path = VIEW_OVERLAY,
        .bytes = VIEW_OVERLAY_TEXT,
        .size = sizeof VIEW_OVERLAY_TEXT - 1,
    };
    return input;
}

/* Runs clang on a file. 1: it ended by itself, see box; 0: rejected; -1. */
static int run_clang(struct making *making, const char *path,
                     const struct workbox_input *input, const char *precompiled,
                     struct workbox *box, struct err *err)
{
    const char *argv[ARGUMENTS_MAX];
    auto_free char *at_path = mem_format("./%s", path);
    const struct workbox_mount mount = {"src/" VIEW_HEADERS,
                                        making->toolchain.headers};
    const struct step step = {
        .tool = "clang",
        .file = path,
        .argv = argv,
        .mount = &mount,
        .mount_count = 1,
        .input = input,
        .input_count = making->source->count + 1,
    };

    /* "@x.c" would be a file of arguments, even behind "--", and "-x.c" one
     * more argument where clang hands it on to itself. */
    fill_arguments(argv, path[0] == '@' || path[0] == '-' ? at_path : path,
                   precompiled);
    return step_run(making, &step, box, err);
}

/* With a precompiled header first, where one fits. What clang does not take so
 * is tried without: only that is what the file says. */
static int compile_one(struct making *making, const struct build_file *file,
                       const struct workbox_input *input, struct buf *unit,
                       struct err *err)
{
    const char *path = file->path;
    const char *precompiled =
        is_cxx(path)
            ? precompiled_find(&making->toolchain, making->source, file)
            : NULL;
    auto_workbox struct workbox box = {0};

    int result = run_clang(making, path, input, precompiled, &box, err);
    if (result == 1 && precompiled && box.code != 0) {
        workbox_release(&box);
        result = run_clang(making, path, input, NULL, &box, err);
    }
    if (result != 1)
        return result;
    size_t errors =
        diagnostics_add_clang(&making->diagnostics, box.log.data, box.log.size);
    if (box.code == 0)
        return step_read(&box, "unit.bc", unit, err) < 0 ? -1 : 1;
    if (errors == 0)
        diagnostics_add(&making->diagnostics, path, 0, "error",
                        "clang refuses this file and does not say why");
    return 0;
}

static bool is_unit(const char *path)
{
    return is_c(path) || is_cxx(path);
}

static size_t count_units(const struct build_source *source)
{
    size_t count = 0;

    for (size_t i = 0; i < source->count; i++)
        count += is_unit(source->file[i].path);
    return count;
}

int compile_all(struct making *making, struct bitcode *bitcode, struct err *err)
{
    const struct build_source *source = making->source;
    size_t count = count_units(source);
    bool rejected = false;

    if (count == 0) {
        diagnostics_add(&making->diagnostics, "", 0, "error",
                        "there is no source file: at least one must end in "
                        "\".c\", \".cc\" or \".cpp\"");
        return 0;
    }
    auto_free struct workbox_input *input = make_inputs(source);
    bitcode->unit = mem_calloc(count, sizeof *bitcode->unit);
    for (size_t i = 0; i < source->count; i++) {
        if (!is_unit(source->file[i].path))
            continue;
        int result = compile_one(making, &source->file[i], input,
                                 &bitcode->unit[bitcode->count++], err);
        if (result < 0)
            return -1;
        rejected = rejected || result == 0;
    }
    return rejected ? 0 : 1;
}
