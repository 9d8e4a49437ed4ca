#include "runner/build/charge.h"

#include "instrument/bot/page.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/base/log.h"

#include <stdlib.h>
#include <string.h>

#define UNIT_NAME_SIZE 24
#define HASH_TEXT_SIZE (HASH_HEX_SIZE - 1)

/* ---- outputs ------------------------------------------------------------- */

static json_t *read_json(const struct workbox *box, const char *name,
                         struct err *err)
{
    auto_buf struct buf text = {0};
    json_error_t why;

    if (step_read(box, name, &text, err) < 0)
        return NULL;
    json_t *document =
        json_loadb(text.data ? text.data : "", text.size, 0, &why);
    if (!document)
        err_set(err, ERR_SYSTEM, "%s:%d: %s", name, why.line, why.text);
    return document;
}

/* bout-meter's refusal is on its standard output. */
static int reject(struct making *making, const struct workbox *box)
{
    if (!diagnostics_add_meter(&making->diagnostics, box->out.data,
                               box->out.size))
        diagnostics_add(&making->diagnostics, "", 0, "error",
                        "bout-meter refuses this program and does not say "
                        "why");
    return 0;
}

/* One call of bout-meter, which sees itself and the library. */
static int run_meter(struct making *making, const char *const *argv,
                     const struct workbox_input *input, size_t input_count,
                     struct workbox *box, struct err *err)
{
    const struct workbox_mount mounts[] = {
        {"meter", making->toolchain.meter},
        {"library", making->toolchain.library},
    };
    const struct step step = {
        .tool = "bout-meter",
        .file = "",
        .argv = argv,
        .mount = mounts,
        .mount_count = 2,
        .input = input,
        .input_count = input_count,
    };

    return step_run(making, &step, box, err);
}

/* ---- charge -------------------------------------------------------------- */

static int read_hash(const struct workbox *box, struct build *build,
                     struct err *err)
{
    auto_buf struct buf text = {0};

    if (step_read(box, "module.hash", &text, err) < 0)
        return -1;
    if (text.size < HASH_TEXT_SIZE ||
        strspn(text.data, "0123456789abcdef") < HASH_TEXT_SIZE)
        return err_set(err, ERR_SYSTEM, "module.hash holds no hash");
    memcpy(build->hash, text.data, HASH_TEXT_SIZE);
    build->hash[HASH_TEXT_SIZE] = '\0';
    return 0;
}

static int keep_module(const struct workbox *box, struct build *build,
                       struct err *err)
{
    auto_buf struct buf module = {0};

    if (read_hash(box, build, err) < 0 ||
        step_read(box, "module.bc", &module, err) < 0)
        return -1;
    build->blocks = read_json(box, "blocks.json", err);
    if (!build->blocks)
        return -1;
    if (!json_is_array(json_object_get(build->blocks, "functions")) ||
        !json_is_array(json_object_get(build->blocks, "files")))
        return err_set(err, ERR_SYSTEM, "blocks.json is no block table");
    build->module_size = module.size;
    build->module = buf_take(&module);
    return 0;
}

/* The units as 0000.bc, 0001.bc, ... and the command line that names them. */
struct charge_call {
    struct workbox_input *input;
    char (*name)[UNIT_NAME_SIZE];
    const char **argv;
};

static void call_release(struct charge_call *call)
{
    free(call->input);
    free(call->name);
    free(call->argv);
}

static void fill_call(struct charge_call *call, const struct bitcode *bitcode,
                      bool strict_nan)
{
    const char *const head[] = {"../meter",    "bot",   "--library",
                                "../library",  "--out", "../out",
                                "--strict-nan"};
    size_t count = sizeof head / sizeof *head - (strict_nan ? 0 : 1);

    call->input = mem_calloc(bitcode->count, sizeof *call->input);
    call->name = mem_calloc(bitcode->count, sizeof *call->name);
    call->argv = mem_calloc(count + bitcode->count + 1, sizeof *call->argv);
    memcpy(call->argv, head, count * sizeof *head);
    for (size_t i = 0; i < bitcode->count; i++) {
        snprintf(call->name[i], UNIT_NAME_SIZE, "%04zu.bc", i);
        call->argv[count + i] = call->name[i];
        call->input[i] = (struct workbox_input){
            .path = call->name[i],
            .bytes = bitcode->unit[i].data,
            .size = bitcode->unit[i].size,
        };
    }
}

int charge_module(struct making *making, const struct bitcode *bitcode,
                  struct build *build, struct err *err)
{
    __attribute__((cleanup(call_release))) struct charge_call call = {0};
    auto_workbox struct workbox box = {0};

    fill_call(&call, bitcode, making->toolchain.strict_nan);
    int result =
        run_meter(making, call.argv, call.input, bitcode->count, &box, err);
    if (result != 1)
        return result;
    if (box.code != 0)
        return reject(making, &box);
    return keep_module(&box, build, err) < 0 ? -1 : 1;
}

/* ---- link ---------------------------------------------------------------- */

/* The bot's own code and the addresses of everything. */
struct linkage {
    struct buf object;
    struct buf symbols;
};

static void linkage_release(struct linkage *linkage)
{
    buf_release(&linkage->object);
    buf_release(&linkage->symbols);
}

static int keep_layout(struct build *build, const struct workbox *box,
                       struct err *err)
{
    build->layout = read_json(box, "layout.json", err);
    if (!build->layout)
        return -1;
    json_t *counters = json_object_get(build->layout, "counters");
    json_t *data = json_object_get(build->layout, "data_bytes");
    if (!json_is_integer(counters) || !json_is_integer(data) ||
        json_integer_value(counters) < 0 || json_integer_value(data) < 0)
        return err_set(err, ERR_SYSTEM, "layout.json: a number is missing");
    build->counters_count = (uint64_t)json_integer_value(counters);
    build->data_bytes = (uint64_t)json_integer_value(data);
    return 0;
}

static int generate(struct making *making, struct build *build,
                    struct linkage *linkage, struct err *err)
{
    const char *const argv[] = {
        "../meter",     "link",  "--library", "../library", "--target",
        making->target, "--out", "../out",    "module.bc",  NULL,
    };
    const struct workbox_input input = {"module.bc", build->module,
                                        build->module_size};
    auto_free char *object = mem_format("bot.%s.o", making->target);
    auto_free char *symbols = mem_format("syms.%s.ld", making->target);
    auto_workbox struct workbox box = {0};
    int result = run_meter(making, argv, &input, 1, &box, err);

    if (result != 1)
        return result;
    if (box.code != 0)
        return reject(making, &box);
    if (step_read(&box, object, &linkage->object, err) < 0 ||
        step_read(&box, symbols, &linkage->symbols, err) < 0 ||
        keep_layout(build, &box, err) < 0)
        return -1;
    return 1;
}

static int join(struct making *making, const struct linkage *linkage,
                struct buf *elf, struct err *err)
{
    auto_free char *library = mem_format("../library/lib.%s.o", making->target);
    auto_free char *runtime =
        mem_format("../library/runtime.%s.o", making->target);
    auto_free char *base = mem_format("--image-base=%#x", PAGE_TEXT_ADDRESS);
    const char *const argv[] = {
        TOOLCHAIN_LLD, // NOLINT(bugprone-suspicious-missing-comma): one path
        "-static",       "-nostdlib",
        "--no-relax", /* would rewrite the runtime, which the scan knows */
        "--no-pie",      "-e",
        "__bout_start",  base,
        "--gc-sections", "--build-id=none",
        "--threads=1",   "-z",
        "noexecstack",   "-o",
        "../out/bot",    "bot.o",
        library,         runtime,
        "symbols.ld",    NULL,
    };
    const struct workbox_mount mount = {"library", making->toolchain.library};
    const struct workbox_input inputs[] = {
        {"bot.o", linkage->object.data, linkage->object.size},
        {"symbols.ld", linkage->symbols.data, linkage->symbols.size},
    };
    const struct step step = {
        .tool = "ld.lld",
        .file = "",
        .argv = argv,
        .mount = &mount,
        .mount_count = 1,
        .input = inputs,
        .input_count = 2,
    };
    auto_workbox struct workbox box = {0};

    int result = step_run(making, &step, &box, err);
    if (result != 1)
        return result;
    if (box.code != 0)
        return err_set(err, ERR_SYSTEM, "ld.lld: %.*s", 300,
                       box.log.data ? box.log.data : "");
    return step_read(&box, "bot", elf, err) < 0 ? -1 : 1;
}

/* The scan's reason is for us: honest code never gets here. */
static int reject_code(struct making *making, const struct workbox *box)
{
    const char *said = box->log.data ? box->log.data : "";

    log_line(LOG_ALARM, "build", "scan: %.*s", (int)strcspn(said, "\n"), said);
    diagnostics_add(&making->diagnostics, "", 0, "error",
                    "the finished program holds machine code that no bot may "
                    "hold; this has been logged");
    return 0;
}

/* The last look at the bytes that will run (design.md 2, step 5). */
static int scan(struct making *making, const struct buf *elf, struct err *err)
{
    auto_free char *runtime =
        mem_format("../library/runtime.%s.o", making->target);
    auto_free char *base = mem_format("--image-base=%#x", PAGE_TEXT_ADDRESS);
    const char *const argv[] = {"../meter", "scan", "--runtime",
                                runtime,    "bot",  NULL};
    const struct workbox_input input = {"bot", elf->data, elf->size};
    auto_workbox struct workbox box = {0};
    int result = run_meter(making, argv, &input, 1, &box, err);

    if (result != 1 || box.code == 0)
        return result;
    return reject_code(making, &box);
}

int charge_link(struct making *making, struct build *build, struct err *err)
{
    __attribute__((cleanup(linkage_release))) struct linkage linkage = {0};
    auto_buf struct buf elf = {0};

    int result = generate(making, build, &linkage, err);
    if (result == 1)
        result = join(making, &linkage, &elf, err);
    if (result == 1)
        result = scan(making, &elf, err);
    if (result != 1)
        return result;
    build->elf_size = elf.size;
    build->elf = buf_take(&elf);
    return 1;
}
