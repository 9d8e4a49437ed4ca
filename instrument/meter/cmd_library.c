/* bout-meter library: the metered C library, once for all bots. */
#include "instrument/meter/cmd.h"

#include "instrument/meter/blockmap.h"
#include "instrument/meter/bulk.h"
#include "instrument/meter/canon.h"
#include "instrument/meter/emit.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"
#include "instrument/meter/manifest.h"
#include "instrument/meter/module.h"
#include "instrument/meter/place.h"
#include "instrument/meter/pointer.h"
#include "instrument/meter/promote.h"
#include "instrument/meter/skeleton.h"
#include "instrument/meter/table.h"
#include "instrument/meter/verify.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <getopt.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

static const char usage[] =
    "usage: bout-meter library --out DIR --target x86_64|aarch64...\n"
    "                          [--placement NAME]\n"
    "                          [--prefix NAME=PATH]... IN.bc...\n"
    "Charges the linked bitcode as one module. Writes into DIR: lib.bc,\n"
    "lib.lazy.bc, lib.skeleton.bc, manifest.json, blocks.json, lib.TARGET.o.\n"
    "the last for each --target, of which there may be several. --prefix "
    "shows\n"
    "source files below PATH as <NAME>/...\n"
    "Placements, of the library and of all bots that are linked with it:\n"
#define PLACEMENT(NAME, name, text) "    " name ": " text "\n"
#include "instrument/placement.def"
    ;

#define TARGETS_MAX 4

struct library {
    const char *out;
    const char *target[TARGETS_MAX];
    size_t target_count;
    struct blockmap map;
    struct manifest manifest;
};

static char *out_path(const struct library *library, const char *name)
{
    return mem_format("%s/%s", library->out, name);
}

/* An `I.f` for each function that a bot can name; statics have theirs if the
 * library itself takes their address. */
static void declare_pointers(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        if (ir_is_body(f) &&
            strncmp(ir_name(f), PROMOTE_PREFIX, strlen(PROMOTE_PREFIX)) != 0)
            pointer_declare(module, f);
}

/* memcpy and its like are lib.memcpy to a pointer. */
static void declare_memory_pointers(LLVMModuleRef module)
{
    static const char *const names[] = {"lib.memcpy", "lib.memmove",
                                        "lib.memset"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        pointer_declare(module, LLVMGetNamedFunction(module, names[i]));
}

static int charge_library(struct library *library, LLVMModuleRef module,
                          struct err *err)
{
    if (promote_aliases(module, err) < 0 || lower_all(module, true, err) < 0 ||
        lower_nan(module, err) < 0 ||
        promote_names(module, &library->manifest, err) < 0)
        return -1;
    bulk_make_intrinsics(module);
    promote_memory(module, &library->manifest);
    if (pointer_take(module, err) < 0 ||
        module_run(module, "simplifycfg", err) < 0)
        return -1;
    const struct place_spec spec = {
        .placement = library->manifest.placement,
        .map = &library->map,
    };
    if (place_module(module, &spec, err) < 0)
        return -1;
    pointer_check(module, &library->manifest);
    declare_pointers(module);
    declare_memory_pointers(module);
    library->manifest.indices = 1; /* 0 is null */
    pointer_define(module, &library->manifest);
    if (library->manifest.indices > POINTER_TABLE_ENTRIES)
        return err_set(err, ERR_SYSTEM, "%u functions, a table of %u",
                       library->manifest.indices, POINTER_TABLE_ENTRIES);
    return verify_module(module, NULL, err);
}

/* The data of code that is linked later is laid out then. */
static void forget_data(LLVMModuleRef module)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g)) {
        if (LLVMIsDeclaration(g))
            continue;
        LLVMSetInitializer(g, NULL);
        LLVMSetLinkage(g, LLVMExternalLinkage);
    }
}

static int emit_code(const struct library *library, const char *target,
                     LLVMModuleRef module, struct err *err)
{
    const struct emit_spec spec = {.target = target};
    auto_module LLVMModuleRef code = LLVMCloneModule(module);
    auto_free char *path = mem_format("%s/lib.%s.o", library->out, target);

    table_number(code);
    forget_data(code);
    emit_separate_functions(code);
    LLVMStripModuleDebugInfo(code); /* a bot's line tables are enough */
    return emit_object(code, &spec, path, err);
}

static int write_blocks(const struct library *library, struct err *err)
{
    auto_free char *path = out_path(library, "blocks.json");
    auto_buf struct buf text = {0};

    blockmap_format(&library->map, &text);
    return io_write_file(path, text.data, text.size, 0644, err);
}

static int write_library(struct library *library, LLVMModuleRef module,
                         struct err *err)
{
    auto_free char *whole = out_path(library, "lib.bc");
    auto_free char *lazy = out_path(library, "lib.lazy.bc");
    auto_free char *skeleton = out_path(library, "lib.skeleton.bc");
    auto_free char *manifest = out_path(library, "manifest.json");

    promote_describe(module, &library->manifest);
    canon_hash(module, library->manifest.module_hash);
    if (module_write(module, whole, err) < 0 ||
        write_blocks(library, err) < 0 ||
        manifest_write(&library->manifest, manifest, err) < 0)
        return -1;
    for (size_t i = 0; i < library->target_count; i++)
        if (emit_code(library, library->target[i], module, err) < 0)
            return -1;
    promote_lazy(module);
    LLVMStripModuleDebugInfo(module); /* read at every link, used at none */
    if (module_write(module, lazy, err) < 0)
        return -1;
    skeleton_make(module);
    return module_write(module, skeleton, err);
}

static int run(struct library *library, char **paths, size_t count,
               struct err *err)
{
    auto_module_context LLVMContextRef context = module_context_new();

    if (io_make_folders(library->out, 0755, err) < 0)
        return -1;
    auto_module LLVMModuleRef module =
        module_read_all(context, paths, count, err);
    if (!module || charge_library(library, module, err) < 0)
        return -1;
    return write_library(library, module, err);
}

static int add_prefix(struct library *library, const char *text)
{
    const char *equal = strchr(text, '=');

    if (!equal || equal == text)
        return -1;
    auto_free char *name = mem_dup(text, (size_t)(equal - text));
    blockmap_add_prefix(&library->map, name, equal + 1);
    return 0;
}

static int add_target(struct library *library, const char *target,
                      struct err *err)
{
    if (library->target_count == TARGETS_MAX)
        return err_set(err, ERR_INPUT, "%d targets at most", TARGETS_MAX);
    library->target[library->target_count++] = target;
    if (emit_check_target(target, err) < 0)
        return -1;
    return emit_has_script(target)
               ? 0
               : err_set(err, ERR_INPUT, "%s has no precompiled code", target);
}

int cmd_library(int argc, char **argv)
{
    static const struct option options[] = {
        {"out", required_argument, NULL, 'o'},
        {"target", required_argument, NULL, 't'},
        {"placement", required_argument, NULL, 'k'},
        {"prefix", required_argument, NULL, 'p'},
        {0},
    };
    struct library library = {0};
    struct err err;
    int option;
    int done = 0;

    blockmap_init(&library.map);
    library.manifest.placement = PLACEMENT_CHORDS;
    /* One thread. NOLINTNEXTLINE(concurrency-mt-unsafe) */
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'o')
            library.out = optarg;
        else if (option == 't')
            done = done < 0 ? -1 : add_target(&library, optarg, &err);
        else if (option == 'k')
            done = done < 0 ? -1
                            : placement_parse(
                                  optarg, &library.manifest.placement, &err);
        else if (option != 'p' || add_prefix(&library, optarg) < 0)
            return cmd_usage(usage);
    }
    if (!library.out || !library.target_count || optind == argc)
        return cmd_usage(usage);
    if (done == 0)
        done = run(&library, argv + optind, (size_t)(argc - optind), &err);
    blockmap_release(&library.map);
    manifest_release(&library.manifest);
    return done < 0 ? cmd_fail("library", &err) : 0;
}
