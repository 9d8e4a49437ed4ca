/* fingerprint: what counts depend on besides build and input. */
#include "api/cli/cli.h"

#include "runner/build/build.h"
#include "runner/build/fingerprint.h"
#include "runner/build/toolchain.h"

int cmd_fingerprint(int argc, char **argv);

static int make(struct buf *facts, char hash[HASH_HEX_SIZE], struct err *err)
{
    auto_toolchain struct toolchain toolchain = {0};

    if (toolchain_find(&toolchain, err) < 0 ||
        fingerprint_text(&toolchain, facts, err) < 0)
        return -1;
    hash_bytes_hex(facts->data, facts->size, hash);
    return 0;
}

int cmd_fingerprint(int argc, char **argv)
{
    bool strict_nan = false;
    bool json = false;
    bool show_facts = false;
    const struct cli_option options[] = {
        {"facts", 0, CLI_FLAG, &show_facts, NULL, "print what is hashed",
         false},
        {"strict-nan", 0, CLI_FLAG, &strict_nan, NULL,
         "make the bits of computed NaNs equal on every machine", true},
        {"json", 0, CLI_FLAG, &json, NULL, "print one JSON document", false},
        {0},
    };
    const struct cli_command command = {
        .name = "fingerprint",
        .operands = "",
        .text = "Prints the toolchain's fingerprint: counts can be compared "
                "exactly where it is equal.",
        .option = options,
    };
    struct cli_operands operands;
    struct err err = {0};
    char hash[HASH_HEX_SIZE];
    auto_buf struct buf facts = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    if (strict_nan)
        toolchain_set_strict_nan();
    if (make(&facts, hash, &err) < 0)
        return cli_fail(command.name, &err);
    if (json) {
        json_t *document = json_pack("{s:s}", "fingerprint", hash);
        if (show_facts)
            json_object_set_new(document, "facts", json_string(facts.data));
        code = cli_print_json(command.name, document);
        json_decref(document);
        return code;
    }
    if (show_facts)
        fputs(facts.data, stdout);
    else
        puts(hash);
    return cli_finish(command.name);
}
