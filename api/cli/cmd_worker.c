/* bout worker: started by `bout serve`, one a core; by people only with
 * --database, on another machine. */
#include "api/cli/cli.h"
#include "runner/work/play.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

int cmd_worker(int argc, char **argv);

static bool parse_small(const char *text, int *number)
{
    char *end = NULL;
    long value = text ? strtol(text, &end, 10) : -2;

    if (!text || end == text || *end || value < -1 || value > 65535)
        return false;
    *number = (int)value;
    return true;
}

static int worker_serve(int fd, int cpu, bool profile)
{
    struct err err = {0};

    /* The server's kill -9 reaches us too, and through us the jail. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
        return cli_usage("worker", "--lease-fd %d is not open", fd);
    const struct play_spec spec = {
        .lease_fd = fd, .cpu = cpu, .profile = profile};
    return play_run(&spec, &err) < 0 ? cli_fail("worker", &err) : CLI_DONE;
}

int cmd_worker(int argc, char **argv)
{
    const char *database = NULL;
    const char *lease_fd = NULL;
    const char *core = "-1";
    bool profile = false;
    const struct cli_option options[] = {
        {"database", 0, CLI_TEXT, &database, "URL",
         "the service's PostgreSQL database", true},
        {"lease-fd", 0, CLI_TEXT, &lease_fd, "N",
         "a socket to the server (serve gives this)", false},
        {"cpu", 0, CLI_TEXT, &core, "N", "the core to stay on", false},
        {"profile", 0, CLI_FLAG, &profile, NULL,
         "tell the server what it does itself (serve gives this)", false},
        {0},
    };
    const struct cli_command command = {
        .name = "worker",
        .operands = "",
        .text = "Plays matches for a service.\n"
                "`bout serve` starts its own workers, one a core.",
        .option = options,
    };
    struct cli_operands operands;
    int fd = -1;
    int cpu = -1;
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    if (lease_fd) {
        if (!parse_small(lease_fd, &fd) || fd < 0)
            return cli_usage("worker", "--lease-fd: not a descriptor");
        if (!parse_small(core, &cpu))
            return cli_usage("worker", "--cpu: not a core");
        return worker_serve(fd, cpu, profile);
    }
    if (!database)
        return cli_usage("worker", "name the service's database: "
                                   "bout worker --database URL");
    struct err err;
    err_set(&err, ERR_SYSTEM,
            "workers on other machines come with scale-out, which is not there "
            "yet; `bout serve` starts the workers of its own machine");
    return cli_fail("worker", &err);
}
