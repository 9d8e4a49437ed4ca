/* doctor: what this machine's kernel allows and what that means for the jail.
 */
#include "api/cli/cli.h"

#include "runner/base/buf.h"
#include "runner/jail/doctor.h"

int cmd_doctor(int argc, char **argv);

int cmd_doctor(int argc, char **argv)
{
    bool json = false;
    const struct cli_option options[] = {
        {"json", 0, CLI_FLAG, &json, NULL, "print one JSON document", false},
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
    auto_buf struct buf text = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    if (doctor_report(&report, &err) < 0)
        return cli_fail(command.name, &err);
    if (json) {
        code = cli_print_json(command.name, report);
    } else {
        doctor_text(report, &text);
        fputs(text.data, stdout);
        code = cli_finish(command.name);
    }
    json_decref(report);
    return code;
}
