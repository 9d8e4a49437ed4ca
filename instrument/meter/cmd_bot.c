/* bout-meter bot: a program's bitcode to its build. */
#include "instrument/meter/cmd.h"

#include "instrument/meter/adopt.h"
#include "instrument/meter/blockmap.h"
#include "instrument/meter/bulk.h"
#include "instrument/meter/canon.h"
#include "instrument/meter/json.h"
#include "instrument/meter/lower.h"
#include "instrument/meter/manifest.h"
#include "instrument/meter/module.h"
#include "instrument/meter/place.h"
#include "instrument/meter/pointer.h"
#include "instrument/meter/refuse.h"
#include "instrument/meter/verify.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: bout-meter bot --library DIR --out OUTDIR [--strict-nan]\n"
    "                      [--prefix NAME=PATH]... IN.bc...\n"
    "Refuses or charges the program linked from the files in this order;\n"
    "--strict-nan makes the bits of computed NaNs equal on every machine.\n"
    "Writes into OUTDIR: module.bc, module.hash, blocks.json. Prints one JSON\n"
    "document; exit code 1 is a refusal.\n";

struct bot {
    const char *library;
    const char *out;
    bool strict_nan;
    char **paths; /* of the bitcode files, in their order */
    size_t path_count;
    struct manifest manifest;
    struct blockmap map;
    struct refusals refusals;
};

static bool library_defines(void *context, const char *name)
{
    struct bot *bot = context;

    return manifest_find(&bot->manifest, name);
}

/* ---- what is printed ------------------------------------------------------
 */

static void print_refusals(const struct refusals *refusals)
{
    auto_buf struct buf out = {0};

    buf_add_str(&out, "{\"status\":\"rejected\",\"diagnostics\":[");
    for (size_t i = 0; i < refusals->count; i++) {
        const struct refusal *refusal = &refusals->at[i];

        buf_add_str(&out, i ? ",{\"file\":" : "{\"file\":");
        json_add_string(&out, refusal->file);
        buf_add_format(&out, ",\"line\":%u,\"severity\":\"error\",\"message\":",
                       refusal->line);
        json_add_string(&out, refusal->message);
        buf_add_char(&out, '}');
    }
    buf_add_str(&out, "]}\n");
    fwrite(out.data, 1, out.size, stdout);
}

/* ---- the steps ------------------------------------------------------------
 */

/* False if the function table is too small: refused. */
static bool define_pointers(struct bot *bot, LLVMModuleRef module)
{
    uint32_t first = bot->manifest.indices;

    pointer_define(module, &bot->manifest);
    if (bot->manifest.indices <= POINTER_TABLE_ENTRIES)
        return true;
    refuse_add(&bot->refusals, "", 0,
               "the addresses of %u functions are used, %u at most; call some "
               "of them directly",
               bot->manifest.indices - first, POINTER_TABLE_ENTRIES - first);
    return false;
}

/* 1: the program is the build now; 0: refused; -1: error. */
static int charge_bot(struct bot *bot, LLVMModuleRef module, struct err *err)
{
    bot->refusals.library_defines = library_defines;
    bot->refusals.context = bot;
    refuse_module(module, &bot->refusals);
    adopt_main(module, &bot->refusals);
    if (bot->refusals.count)
        return 0;

    adopt_nounwind(module, &bot->manifest);
    if (adopt_names(module, err) < 0 || lower_all(module, false, err) < 0 ||
        (bot->strict_nan && lower_nan(module, err) < 0) ||
        adopt_names(module, err) < 0)
        return -1;
    bulk_make_intrinsics(module);
    adopt_library(module, &bot->manifest);
    if (pointer_take(module, err) < 0 ||
        module_run(module, "simplifycfg", err) < 0)
        return -1;
    const struct place_spec spec = {
        .placement = bot->manifest.placement,
        .library = &bot->manifest,
        .map = &bot->map,
    };
    if (place_module(module, &spec, err) < 0)
        return -1;
    pointer_check(module, &bot->manifest);
    if (!define_pointers(bot, module))
        return 0;
    return verify_module(module, &bot->manifest, err) < 0 ? -1 : 1;
}

static int write_text(const struct bot *bot, const char *name, const char *text,
                      size_t size, struct err *err)
{
    auto_free char *path = mem_format("%s/%s", bot->out, name);

    return io_write_file(path, text, size, 0644, err);
}

static int write_bot(const struct bot *bot, LLVMModuleRef module,
                     struct err *err)
{
    auto_free char *path = mem_format("%s/module.bc", bot->out);
    auto_buf struct buf blocks = {0};
    char own[HASH_HEX_SIZE];
    char build[HASH_HEX_SIZE];

    canon_hash(module, own);
    canon_build_hash(own, bot->manifest.module_hash, build);
    blockmap_format(&bot->map, &blocks);
    if (module_write(module, path, err) < 0 ||
        write_text(bot, "blocks.json", blocks.data, blocks.size, err) < 0 ||
        write_text(bot, "module.hash", build, strlen(build), err) < 0)
        return -1;
    printf("{\"status\":\"ready\",\"build\":\"%s\"}\n", build);
    return 0;
}

/* The files could not be linked, as `err` says: 0 if the program is at fault.
 */
static int explain_link(struct bot *bot, LLVMContextRef context,
                        struct err *err)
{
    size_t count = bot->path_count;
    auto_free struct refuse_unit *unit = mem_calloc(count, sizeof *unit);
    struct err linking = *err;
    size_t size;
    int result = 0;

    for (size_t i = 0; i < count && result == 0; i++) {
        unit[i].module = module_read(context, bot->paths[i], err);
        if (unit[i].module)
            unit[i].file = LLVMGetSourceFileName(unit[i].module, &size);
        else
            result = -1;
    }
    if (result == 0) {
        refuse_twice(unit, count, &bot->refusals);
        if (!bot->refusals.count)
            refuse_add(&bot->refusals, "", 0,
                       "the files do not fit together: %s", linking.msg);
    }
    for (size_t i = 0; i < count; i++)
        module_release(&unit[i].module);
    return result;
}

/* The files as one module; *module stays NULL if they are refused. */
static int link_bot(struct bot *bot, LLVMContextRef context,
                    LLVMModuleRef *module, struct err *err)
{
    *module = module_read_all(context, bot->paths, bot->path_count, err);
    if (*module)
        return 0;
    return err->kind == ERR_INPUT ? explain_link(bot, context, err) : -1;
}

/* Returns the exit code, or -1. */
static int run(struct bot *bot, struct err *err)
{
    auto_module_context LLVMContextRef context = module_context_new();
    auto_free char *manifest = mem_format("%s/manifest.json", bot->library);

    if (io_make_folders(bot->out, 0755, err) < 0 ||
        manifest_read(&bot->manifest, manifest, err) < 0)
        return -1;
    auto_module LLVMModuleRef module = NULL;
    if (link_bot(bot, context, &module, err) < 0)
        return -1;
    int charged = module ? charge_bot(bot, module, err) : 0;
    if (charged < 0)
        return -1;
    if (!charged) {
        print_refusals(&bot->refusals);
        return 1;
    }
    return write_bot(bot, module, err);
}

static int add_prefix(struct bot *bot, const char *text)
{
    const char *equal = strchr(text, '=');

    if (!equal || equal == text)
        return -1;
    auto_free char *name = mem_dup(text, (size_t)(equal - text));
    blockmap_add_prefix(&bot->map, name, equal + 1);
    return 0;
}

int cmd_bot(int argc, char **argv)
{
    static const struct option options[] = {
        {"library", required_argument, NULL, 'l'},
        {"out", required_argument, NULL, 'o'},
        {"prefix", required_argument, NULL, 'p'},
        {"strict-nan", no_argument, NULL, 's'},
        {0},
    };
    struct bot bot = {0};
    struct err err;
    int option;

    blockmap_init(&bot.map);
    /* One thread. NOLINTNEXTLINE(concurrency-mt-unsafe) */
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'l')
            bot.library = optarg;
        else if (option == 'o')
            bot.out = optarg;
        else if (option == 's')
            bot.strict_nan = true;
        else if (option != 'p' || add_prefix(&bot, optarg) < 0)
            return cmd_usage(usage);
    }
    if (!bot.library || !bot.out || optind == argc)
        return cmd_usage(usage);
    bot.paths = argv + optind;
    bot.path_count = (size_t)(argc - optind);
    int code = run(&bot, &err);
    blockmap_release(&bot.map);
    manifest_release(&bot.manifest);
    refusals_release(&bot.refusals);
    if (code < 0) {
        cmd_fail("bot", &err);
        return 3;
    }
    return code;
}
