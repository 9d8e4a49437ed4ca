/* profile: runs one program alone and says where its instructions went. */
#include "api/cli/cli.h"

#include "api/cli/alone.h"
#include "api/cli/profile_stream.h"
#include "profiler/report/report.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

int cmd_profile(int argc, char **argv);

#define BLOCKS_MAX_BYTES (256u << 20)

struct turns {
    uint64_t first;
    uint64_t last;
};

/* "A" or "A-B". */
static bool parse_turns(const char *text, struct turns *turns)
{
    auto_free char *first = mem_dup_str(text);
    char *dash = strchr(first, '-');

    if (dash)
        *dash = '\0';
    if (!cli_number(first, &turns->first) ||
        !cli_number(dash ? dash + 1 : first, &turns->last))
        return false;
    return turns->first <= turns->last;
}

static json_t *read_library_blocks(struct err *err)
{
    auto_free char *folder = build_library_folder(err);
    auto_buf struct buf text = {0};

    if (!folder)
        return NULL;
    auto_free char *path = mem_format("%s/blocks.json", folder);
    if (io_read_file(path, BLOCKS_MAX_BYTES, &text, err) < 0)
        return NULL;
    json_t *blocks = json_loadb(text.data ? text.data : "", text.size, 0, NULL);
    if (!blocks)
        err_set(err, ERR_SYSTEM, "%s is no JSON: run make library", path);
    return blocks;
}

/* Adds the turns asked for; -1 if a turn's charges do not add up to its count,
 * which would be a fault of ours. */
static int add_turns(struct profile *profile, const struct alone *alone,
                     const struct turns *turns, struct err *err)
{
    const uint64_t *before = NULL;
    size_t count = alone->turn_count;

    if (count && alone->turn[count - 1].turn < turns->first)
        return err_set(err, ERR_INPUT,
                       "--turn: there is no turn %" PRIu64
                       ", the program has turns 0 to %u",
                       turns->first, alone->turn[count - 1].turn);
    for (size_t i = 0; i < alone->turn_count; i++) {
        const struct match_turn *turn = &alone->turn[i];

        if (turn->turn >= turns->first && turn->turn <= turns->last) {
            uint64_t total = profile_add_turn(profile, turn->turn, 0, before,
                                              turn->counters);
            profile_add_blocks(profile, turn->blocks.data, turn->blocks.size);
            if (turn->counted && total != turn->instructions)
                return err_set(err, ERR_SYSTEM,
                               "turn %u: the profile has %" PRIu64
                               " instructions, the count is %" PRIu64,
                               turn->turn, total, turn->instructions);
        }
        before = turn->counters;
    }
    return profile_compare(profile, err);
}

static int write_out(const struct buf *text, const char *path, struct err *err)
{
    if (path)
        return io_write_file(path, text->data ? text->data : "", text->size,
                             0644, err);
    cli_print_foreign(stdout, text->data ? text->data : "", text->size);
    return 0;
}

struct request {
    struct cli_alone alone;
    enum profile_format format;
    struct turns turns;
    const char *out;
};

static int write_profile(const struct request *request,
                         const struct build *build, const struct alone *alone,
                         struct err *err)
{
    auto_buf struct buf text = {0};
    json_t *library = read_library_blocks(err);
    struct profile *profile =
        library ? profile_new(build->blocks, library, build->layout, err)
                : NULL;
    int result = -1;

    for (size_t i = 0; profile && i < build->source.count; i++) {
        const struct build_file *file = &build->source.file[i];
        profile_set_source(profile, file->path, file->bytes, file->size);
    }
    if (profile && add_turns(profile, alone, &request->turns, err) == 0 &&
        profile_write(profile, request->format, &text, err) == 0)
        result = write_out(&text, request->out, err);
    profile_free(profile);
    json_decref(library);
    return result;
}

/* Two libraries number their functions differently. */
static int check_fingerprint(const struct build *build, struct err *err)
{
    char now[HASH_HEX_SIZE];

    if (build_fingerprint(now, err) < 0)
        return -1;
    if (strcmp(now, build->fingerprint) != 0)
        return err_set(err, ERR_INPUT,
                       "the build was made by another toolchain (fingerprint "
                       "%.12s, here %.12s): build its source again",
                       build->fingerprint, now);
    return 0;
}

static int run(struct zygote *zygote, struct request *request, struct err *err)
{
    struct alone alone = {0};
    struct build *build = NULL;

    request->alone.profile = true;
    int result = cli_alone_run(zygote, &request->alone, &build, &alone, err);
    if (result == 0)
        result = check_fingerprint(build, err);
    if (result == 0)
        result = write_profile(request, build, &alone, err);
    if (result == 0 && alone.verdict != VERDICT_OK)
        fprintf(stderr, "verdict %s: %s\n", verdict_text(alone.verdict),
                verdict_sentence(alone.verdict));
    alone_release(&alone);
    build_free(build);
    return result;
}

static int usage_format(const char *given)
{
    auto_buf struct buf names = {0};

    for (int i = 0; i < PROFILE_FORMAT_COUNT; i++)
        buf_add_format(&names, "%s%s", i ? ", " : "",
                       profile_format_name((enum profile_format)i));
    return cli_usage("profile", "there is no format \"%s\"; there are %s",
                     given, names.data);
}

/* With all that is asked for known. The exit code. */
static int run_request(struct request *request)
{
    const char *name = request->alone.name;
    struct err err = {0};
    int code = cli_check_output(name, request->out, request->alone.path);

    if (code == CLI_GO_ON)
        code = cli_check_output(name, request->out, request->alone.input);
    if (code != CLI_GO_ON)
        return code;
    auto_zygote struct zygote *zygote = zygote_start(-1, &err);
    if (!zygote)
        return cli_fail(name, &err);
    code = run(zygote, request, &err);
    if (code < 0)
        return cli_fail(name, &err);
    return code ? code : cli_finish(name);
}

int cmd_profile(int argc, char **argv)
{
    auto_cli_list struct cli_list limits = {0};
    struct request request = {.alone = {.name = "profile"},
                              .turns = {0, UINT64_MAX}};
    const char *format = "text";
    const char *turns = NULL;
    const char *stream = NULL;
    const struct cli_option options[] = {
        {"input", 0, CLI_TEXT, &request.alone.input, "FILE",
         "what it reads (- is standard input); default nothing", false},
        {"turn", 0, CLI_TEXT, &turns, "A[-B]",
         "these turns alone: 0 is start-up, 1 the rest", false},
        {"format", 0, CLI_TEXT, &format, "NAME",
         "text, json, csv, callgrind, pprof, folded, speedscope, trace, lcov",
         false},
        {"output", 'o', CLI_TEXT, &request.out, "FILE",
         "where it goes; default standard output", false},
        {"limit", 0, CLI_LIST, &limits, "N|KEY=VALUE",
         "instructions in all, or a limit of `bout limits`", false},
        {"stream", 0, CLI_TEXT, &stream, "FILE",
         "no program, but the stream that a profiled one wrote (- is standard "
         "input): its tree",
         false},
        {0},
    };
    const struct cli_command command = {
        .name = "profile",
        .operands = "BOT|SRC",
        .text = "Runs a program alone and prints how often each line was "
                "executed and what it cost.\nThe sum is exactly the count.",
        .option = options,
        .operands_min = 0,
        .operands_max = 1,
    };
    struct cli_operands operands;
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    if (stream && operands.count)
        return cli_usage(command.name, "--stream takes no BOT|SRC");
    if (stream)
        return cli_profile_stream(stream, request.out);
    if (!operands.count)
        return cli_usage(command.name, "no BOT|SRC is given");
    int found = profile_format_find(format);
    if (found < 0)
        return usage_format(format);
    if (turns && !parse_turns(turns, &request.turns))
        return cli_usage(command.name, "--turn: \"%s\" is not A or A-B", turns);
    request.format = (enum profile_format)found;
    request.alone.path = operands.item[0];
    request.alone.limits = &limits;
    return run_request(&request);
}
