/* bout-meter link: a build to the machine code of its own part, and the linker
 * script that joins it with the library's (research: llvmc.md 4). */
#include "instrument/meter/cmd.h"

#include "instrument/meter/adopt.h"
#include "instrument/meter/emit.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/json.h"
#include "instrument/meter/layout.h"
#include "instrument/meter/manifest.h"
#include "instrument/meter/module.h"
#include "instrument/meter/table.h"
#include "instrument/meter/verify.h"
#include "instrument/meter/windows.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: bout-meter link --library DIR --target x86_64|aarch64\n"
    "                       --out OUTDIR [--whole] [--plain] MODULE.bc\n"
    "Writes into OUTDIR: bot.TARGET.o, syms.TARGET.ld, layout.json. --whole\n"
    "generates the library's code anew instead of leaving it to lib.TARGET.o;\n"
    "--plain, for tests, does not optimise the code that it generates. The "
    "target\n" WINDOWS_TARGET ", for tests too, is linked with --whole alone.\n"
    "A program that is too large is a JSON document and exit code 1.\n";

struct link {
    const char *library;
    const char *target;
    const char *out;
    bool is_whole;
    bool is_plain;
    enum placement placement;
    struct layout layout;
};

static char *library_path(const struct link *link, const char *name)
{
    return mem_format("%s/%s", link->library, name);
}

/* What the runtime calls. */
static void declare_root(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);

    ir_declare(
        module, "__bout_main",
        LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false));
}

static bool is_bots(LLVMValueRef function)
{
    const char *name = ir_name(function);

    return !strncmp(name, ADOPT_PREFIX, strlen(ADOPT_PREFIX)) ||
           !strcmp(name, "main") || !strcmp(name, "__bot_ctors");
}

/* Every name is defined now, or a native's. */
static int check_closed(LLVMModuleRef module, struct err *err)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f) &&
            LLVMGetFirstUse(f) && !verify_is_native(ir_name(f)))
            return err_set(err, ERR_SYSTEM, "nobody defines %s", ir_name(f));
    return 0;
}

static LLVMModuleRef close_module(const struct link *link,
                                  LLVMContextRef context, const char *path,
                                  struct err *err)
{
    auto_free char *lazy =
        library_path(link, link->is_whole ? "lib.lazy.bc" : "lib.skeleton.bc");
    auto_module LLVMModuleRef module = module_read(context, path, err);
    auto_module LLVMModuleRef library = NULL;

    if (!module || !(library = module_open(context, lazy, err)))
        return NULL;
    declare_root(module);
    if (module_link(module, &library, err) < 0 || check_closed(module, err) < 0)
        return NULL;
    return take_ptr(module);
}

/* The library's code is there already, or is generated anew. */
static int settle_library_code(const struct link *link, LLVMModuleRef module,
                               struct err *err)
{
    LLVMLinkage linkage =
        link->is_whole ? LLVMExternalLinkage : LLVMAvailableExternallyLinkage;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        if (ir_is_body(f) && !is_bots(f))
            LLVMSetLinkage(f, linkage);
    return link->is_whole ? 0 : module_run(module, "elim-avail-extern", err);
}

static int write_files(const struct link *link, LLVMModuleRef module,
                       struct err *err)
{
    auto_free char *object = mem_format("%s/bot.%s.o", link->out, link->target);
    auto_free char *script =
        mem_format("%s/syms.%s.ld", link->out, link->target);
    auto_free char *layout = mem_format("%s/layout.json", link->out);
    auto_buf struct buf script_text = {0};
    auto_buf struct buf layout_text = {0};

    layout_format_script(&link->layout, &script_text);
    layout_format(&link->layout, &layout_text);
    if (io_write_file(script, script_text.data, script_text.size, 0644, err) <
            0 ||
        io_write_file(layout, layout_text.data, layout_text.size, 0644, err) <
            0)
        return -1;
    const struct emit_spec spec = {.target = link->target,
                                   .is_plain = link->is_plain};
    return emit_object(module, &spec, object, err);
}

static int read_placement(struct link *link, struct err *err)
{
    auto_free char *path = library_path(link, "manifest.json");
    auto_manifest struct manifest manifest = {0};

    if (manifest_read(&manifest, path, err) < 0)
        return -1;
    link->placement = manifest.placement;
    return 0;
}

static int run(struct link *link, const char *path, struct err *err)
{
    auto_module_context LLVMContextRef context = module_context_new();

    if (read_placement(link, err) < 0 ||
        io_make_folders(link->out, 0755, err) < 0)
        return -1;
    auto_module LLVMModuleRef module = close_module(link, context, path, err);
    if (!module || table_fill(module, err) < 0 ||
        layout_data(&link->layout, module, err) < 0)
        return -1;
    layout_counters(&link->layout, module, link->placement);
    if (!emit_has_script(link->target))
        layout_pin_hidden(&link->layout, module);
    if (settle_library_code(link, module, err) < 0)
        return -1;
    return write_files(link, module, err);
}

/* Limits that a program can break are the contestant's. */
static int fail(const struct err *err)
{
    if (err->kind != ERR_INPUT)
        return cmd_fail("link", err);
    auto_buf struct buf out = {0};
    buf_add_str(&out, "{\"status\":\"rejected\",\"diagnostics\":[{\"file\":"
                      "\"\",\"line\":0,\"severity\":\"error\",\"message\":");
    json_add_string(&out, err->msg);
    buf_add_str(&out, "}]}\n");
    fwrite(out.data, 1, out.size, stdout);
    return 1;
}

int cmd_link(int argc, char **argv)
{
    static const struct option options[] = {
        {"library", required_argument, NULL, 'l'},
        {"target", required_argument, NULL, 't'},
        {"out", required_argument, NULL, 'o'},
        {"whole", no_argument, NULL, 'w'},
        {"plain", no_argument, NULL, 'p'},
        {0},
    };
    struct link link = {0};
    struct err err;
    int option;

    /* One thread. NOLINTNEXTLINE(concurrency-mt-unsafe) */
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'l')
            link.library = optarg;
        else if (option == 't')
            link.target = optarg;
        else if (option == 'o')
            link.out = optarg;
        else if (option == 'w')
            link.is_whole = true;
        else if (option == 'p')
            link.is_plain = true;
        else
            return cmd_usage(usage);
    }
    if (!link.library || !link.target || !link.out || optind + 1 != argc)
        return cmd_usage(usage);
    int done = emit_check_target(link.target, &err);
    if (done == 0 && !link.is_whole && !emit_has_script(link.target))
        return cmd_usage(usage);
    if (done == 0)
        done = run(&link, argv[optind], &err);
    layout_release(&link.layout);
    return done < 0 ? fail(&err) : 0;
}
