/* doctor: what this machine's kernel allows and what that means for the jail;
 * asked for, whether counts here are those of a service.
 */
#include "api/cli/client.h"

#include "runner/base/buf.h"
#include "runner/build/fingerprint.h"
#include "runner/jail/doctor.h"

#include <string.h>

int cmd_doctor(int argc, char **argv);

/* {"here", "service", "equal"} of the toolchains' fingerprints. */
static json_t *compare_toolchains(const struct client_options *o,
                                  struct err *err)
{
    auto_toolchain struct toolchain toolchain = {0};
    auto_client struct client *client = client_open(o, err);
    char here[HASH_HEX_SIZE];

    if (!client || toolchain_find(&toolchain, err) < 0 ||
        fingerprint_make(&toolchain, here, err) < 0)
        return NULL;
    json_t *document = client_get(client, "/v1/fingerprint", err);
    if (!document)
        return NULL;
    const char *there =
        json_string_value(json_object_get(document, "fingerprint"));
    bool equal = there && strcmp(here, there) == 0;
    json_t *compared = json_pack("{s:s, s:s?, s:b}", "here", here, "service",
                                 there, "equal", equal);
    json_decref(document);
    return compared;
}

static void print_toolchains(const json_t *compared)
{
    bool equal = json_is_true(json_object_get(compared, "equal"));

    printf("\n%-4s %-22s %s\n", equal ? "ok" : "no", "toolchain",
           equal ? "the service's own: counts are the same there"
                 : "not the service's: counts may differ; `bout fingerprint "
                   "--facts` says of what they\ndepend here, and the same bout "
                   "and LLVM packages make them equal");
}

int cmd_doctor(int argc, char **argv)
{
    struct client_options o = {0};
    const struct cli_option options[] = {
        {"server", 0, CLI_TEXT, &o.server, "URL",
         "say too if that service has the same toolchain", false},
        {"json", 0, CLI_FLAG, &o.json, NULL, "print one JSON document", false},
        {0},
    };
    const struct cli_command command = {
        .name = "doctor",
        .operands = "",
        .text = "Tries what the jail needs on this machine and says how strong "
                "the jail is here,\nwhat that means and how to strengthen it.",
        .option = options,
    };
    struct cli_operands operands;
    struct err err = {0};
    json_t *report;
    json_t *compared = NULL;
    auto_buf struct buf text = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    if (doctor_report(&report, &err) < 0)
        return cli_fail(command.name, &err);
    if (o.server && !(compared = compare_toolchains(&o, &err))) {
        json_decref(report);
        return cli_fail(command.name, &err);
    }
    if (o.json) {
        if (compared)
            json_object_set(report, "toolchain", compared);
        code = cli_print_json(command.name, report);
    } else {
        doctor_text(report, &text);
        fputs(text.data, stdout);
        if (compared)
            print_toolchains(compared);
        code = cli_finish(command.name);
    }
    json_decref(compared);
    json_decref(report);
    return code;
}
