/* build: a submission's files to a .bot file. */
#include "api/cli/build_ir.h"
#include "api/cli/cli.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/build/build.h"
#include "runner/build/source.h"
#include "runner/build/toolchain.h"

#include <string.h>

int cmd_build(int argc, char **argv);

static const char *const endings[] = {
    ".tar.gz", ".tar.zst", ".tar", ".tgz", ".zip", ".bot", ".c",
};

/* "dir/a.c" makes "a.bot". */
static char *default_out(const char *source)
{
    auto_free char *name = source_base_name(source);
    size_t size = strlen(name);

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t end = strlen(endings[i]);
        if (size <= end || strcmp(name + size - end, endings[i]) != 0)
            continue;
        name[size - end] = '\0';
        break;
    }
    return mem_format("%s.bot", name);
}

/* What is told of a build. */
struct shape {
    bool json;
    bool ir; /* the charge of each block, beside the source */
};

static int report(const struct build *build, const char *out,
                  const struct shape *shape)
{
    const char *file = build->ready ? out : NULL;

    if (shape->json) {
        json_t *document = build_report(build, file);
        int code = cli_print_json("build", document);
        json_decref(document);
        return code != CLI_DONE ? code : build->ready ? CLI_DONE : CLI_REFUSED;
    }
    cli_print_diagnostics(build->diagnostics);
    if (!build->ready) {
        fputs("rejected\n", stderr);
        return CLI_REFUSED;
    }
    printf("%s: build %s\n", out, build->hash);
    if (shape->ir)
        build_ir_print(build, stdout);
    return cli_finish("build");
}

/* A .bot is linked anew for the target. */
static struct build *retarget(const char *path, const char *target,
                              struct err *err)
{
    struct build *old = build_open(path, err);
    struct build *build = old ? build_retarget(old, target, err) : NULL;

    if (old && !build)
        err_wrap(err, "%s", path);
    build_free(old);
    return build;
}

static struct build *make(const struct cli_operands *operands,
                          const char *target, struct err *err)
{
    if (operands->count == 1 && build_is_bot(operands->item[0]))
        return retarget(operands->item[0], target, err);

    struct build_source source = {0};
    struct build *build = NULL;

    if (build_source_read(&source, operands->item, operands->count, err) == 0)
        build = build_make(&source, target, err);
    build_source_release(&source);
    return build;
}

/* A file of the submission, or one in a folder of it. */
static int check_output(const struct cli_operands *operands,
                        const struct build *build, const char *out)
{
    int code = CLI_GO_ON;

    for (size_t i = 0; i < operands->count && code == CLI_GO_ON; i++) {
        code = cli_check_output("build", out, operands->item[i]);
        for (size_t j = 0; j < build->source.count && code == CLI_GO_ON; j++) {
            auto_free char *inside = mem_format("%s/%s", operands->item[i],
                                                build->source.file[j].path);
            code = cli_check_output("build", out, inside);
        }
    }
    return code;
}

/* The cache makes later replays find the build; without it there still is the
 * file that was asked for. It holds builds for this machine. */
static void keep(const struct build *build)
{
    const char *host = toolchain_host_target();
    struct err err = {0};

    if (!host || strcmp(build->target, host) != 0)
        return;
    if (build_cache_put(build, &err) < 0)
        fprintf(stderr, "bout build: not kept for replays: %s\n", err.msg);
}

/* CLI_GO_ON, or CLI_USAGE. */
static int set_seconds(const char *text)
{
    uint64_t seconds;

    if (!text)
        return CLI_GO_ON;
    if (!cli_number(text, &seconds) || seconds < 1 ||
        seconds > TOOLCHAIN_BUILD_SECONDS_MAX)
        return cli_usage("build", "--build-seconds takes 1 to %d",
                         TOOLCHAIN_BUILD_SECONDS_MAX);
    toolchain_set_build_seconds(text);
    return CLI_GO_ON;
}

/* What becomes of a build that was made: the exit code. */
static int settle(const struct cli_operands *operands,
                  const struct build *build, const char *path,
                  const struct shape *shape)
{
    struct err err = {0};
    int code = check_output(operands, build, path);

    if (code != CLI_GO_ON)
        return code;
    if (build->ready && build_save(build, path, &err) < 0)
        return cli_fail("build", &err);
    if (build->ready)
        keep(build);
    return report(build, path, shape);
}

/* A source that cannot be read, an archive that is refused: rejected before
 * anything was made of it. */
static int refuse(const struct err *err, bool json)
{
    int code = cli_fail("build", err);
    struct err lost;

    if (!json || code != CLI_REFUSED)
        return code;
    struct build build = {
        .diagnostics = json_pack("[{s:s, s:n, s:s, s:s}]", "file", "", "line",
                                 "severity", "error", "message", err->msg),
    };
    if (build_fingerprint(build.fingerprint, &lost) < 0)
        build.fingerprint[0] = '\0';
    json_t *document = build_report(&build, NULL);
    if (cli_print_json("build", document) != CLI_DONE)
        code = CLI_FAILED;
    json_decref(document);
    json_decref(build.diagnostics);
    return code;
}

int cmd_build(int argc, char **argv)
{
    const char *out = NULL;
    const char *target = NULL;
    const char *seconds = NULL;
    bool strict_nan = false;
    struct shape shape = {0};
    const struct cli_option options[] = {
        {"output", 'o', CLI_TEXT, &out, "FILE", "where the build goes", false},
        {"target", 0, CLI_TEXT, &target, "NAME", "x86_64 or aarch64", false},
        {"strict-nan", 0, CLI_FLAG, &strict_nan, NULL,
         "make the bits of computed NaNs equal on every machine", true},
        {"build-seconds", 0, CLI_TEXT, &seconds, "N",
         "processor time that the tools may take, by default 20", true},
        {"ir", 0, CLI_FLAG, &shape.ir, NULL,
         "print what each block is charged, beside the source", false},
        {"json", 0, CLI_FLAG, &shape.json, NULL, "print one JSON document",
         false},
        {0},
    };
    const struct cli_command command = {
        .name = "build",
        .operands = "SRC...",
        .text =
            "Makes a build of C and C++ files, a folder or one archive "
            "(.zip, .tar.gz,\n.tar.zst): SRC.bot here, or FILE. Diagnostics "
            "go to standard error; a rejected program is exit "
            "code 1.\nSRC may be a .bot, to be linked anew for another "
            "machine.",
        .option = options,
        .operands_min = 1,
        .operands_max = SIZE_MAX,
    };
    struct cli_operands operands;
    struct err err = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code == CLI_GO_ON && shape.ir && shape.json)
        return cli_usage(command.name, "--ir is text: leave --json out");
    if (code == CLI_GO_ON)
        code = set_seconds(seconds);
    if (code != CLI_GO_ON)
        return code;
    if (strict_nan)
        toolchain_set_strict_nan();
    auto_free char *path =
        out ? mem_dup_str(out) : default_out(operands.item[0]);
    struct build *build = make(&operands, target, &err);
    if (!build)
        return refuse(&err, shape.json);
    code = settle(&operands, build, path, &shape);
    build_free(build);
    return code;
}
