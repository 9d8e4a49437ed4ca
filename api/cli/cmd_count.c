/* count: runs one program alone and says what it cost. */
#include "api/cli/cli.h"

#include "api/cli/alone.h"
#include "runner/base/cleanup.h"
#include "runner/build/diagnostics.h"

#include <inttypes.h>
#include <sodium.h>
#include <string.h>

int cmd_count(int argc, char **argv);

static json_t *count_json(uint64_t count)
{
    return json_integer(count > LIMITS_MAX_NUMBER
                            ? (json_int_t)LIMITS_MAX_NUMBER
                            : (json_int_t)count);
}

/* Text as it is, or with U+FFFD for what is not UTF-8 and the bytes under
 * NAME_base64. */
static void set_text(json_t *document, const char *name, const struct buf *text)
{
    size_t size = text->size;
    auto_free char *clean = diagnostics_utf8(text->data, size);

    json_object_set_new(document, name, json_string(clean));
    if (strlen(clean) == size && (!size || !memcmp(clean, text->data, size)))
        return;

    auto_free char *key = mem_format("%s_base64", name);
    size_t room =
        sodium_base64_encoded_len(size, sodium_base64_VARIANT_ORIGINAL);
    auto_free char *base64 = mem_alloc(room);
    sodium_bin2base64(base64, room, (const unsigned char *)text->data, size,
                      sodium_base64_VARIANT_ORIGINAL);
    json_object_set_new(document, key, json_string(base64));
}

static json_t *turns_json(const struct alone *alone)
{
    json_t *turns = json_array();

    for (size_t i = 0; i < alone->turn_count; i++) {
        const struct match_turn *turn = &alone->turn[i];
        json_array_append_new(
            turns,
            json_pack("{s:i, s:o}", "turn", (int)turn->turn, "instructions",
                      turn->counted ? count_json(turn->instructions)
                                    : json_null()));
    }
    return turns;
}

static int print_json(const struct alone *alone, const struct build *build)
{
    json_t *document = json_object();

    json_object_set_new(document, "verdict",
                        json_string(verdict_text(alone->verdict)));
    json_object_set_new(document, "detail", json_string(alone->detail));
    json_object_set_new(document, "instructions",
                        count_json(alone->instructions));
    json_object_set_new(document, "turns", turns_json(alone));
    json_object_set_new(document, "exit_code",
                        alone->exit_code < 0 ? json_null()
                                             : json_integer(alone->exit_code));
    set_text(document, "stdout", &alone->out);
    set_text(document, "stderr", &alone->log);
    json_object_set_new(document, "build", json_string(build->hash));
    json_object_set_new(document, "fingerprint",
                        json_string(build->fingerprint));
    int code = cli_print_json("count", document);
    json_decref(document);
    return code;
}

static int print_text(const struct alone *alone)
{
    cli_print_foreign(stdout, alone->out.data, alone->out.size);
    int code = cli_finish("count");

    cli_print_foreign(stderr, alone->log.data, alone->log.size);
    if (alone->log.size && alone->log.data[alone->log.size - 1] != '\n')
        fputc('\n', stderr);
    if (alone->verdict != VERDICT_OK)
        fprintf(stderr, "verdict %s%s%s: %s\n", verdict_text(alone->verdict),
                *alone->detail ? ", " : "", alone->detail,
                verdict_sentence(alone->verdict));
    if (alone->exit_code > 0)
        fprintf(stderr, "exit code %d\n", alone->exit_code);
    fprintf(stderr, "instructions %" PRIu64 "\n",
            alone->instructions > LIMITS_MAX_NUMBER ? LIMITS_MAX_NUMBER
                                                    : alone->instructions);
    return code;
}

static int run(struct zygote *zygote, const struct cli_alone *what, bool json,
               struct err *err)
{
    struct alone alone = {0};
    struct build *build = NULL;
    int code = cli_alone_run(zygote, what, &build, &alone, err);

    if (code == 0)
        code = json ? print_json(&alone, build) : print_text(&alone);
    alone_release(&alone);
    build_free(build);
    return code;
}

int cmd_count(int argc, char **argv)
{
    auto_cli_list struct cli_list limits = {0};
    struct cli_alone what = {.name = "count", .limits = &limits};
    bool json = false;
    const struct cli_option options[] = {
        {"input", 0, CLI_TEXT, &what.input, "FILE",
         "what it reads (- is standard input); default nothing", false},
        {"limit", 0, CLI_LIST, &limits, "N|KEY=VALUE",
         "instructions in all, or a limit of `bout limits`", false},
        {"json", 0, CLI_FLAG, &json, NULL, "print one JSON document", false},
        {0},
    };
    const struct cli_command command = {
        .name = "count",
        .operands = "BOT|SRC",
        .text = "Runs a program alone, all input at once, and counts its "
                "instructions. Prints what\nit prints, and the count as the "
                "last line of standard error.\nIts exit code is 0 whatever the "
                "verdict and the program's own exit code are.",
        .option = options,
        .operands_min = 1,
        .operands_max = 1,
    };
    struct cli_operands operands;
    struct err err = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    what.path = operands.item[0];
    auto_zygote struct zygote *zygote = zygote_start(-1, &err);
    if (!zygote)
        return cli_fail(command.name, &err);
    code = run(zygote, &what, json, &err);
    return code < 0 ? cli_fail(command.name, &err) : code;
}
