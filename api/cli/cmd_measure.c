/* measure: runs a command and says what it took of the machine.
 *
 * This process adopts its descendants' orphans (prctl(2), subreaper) and waits
 * for whoever ends, so that the times of grandchildren count too. SIGCHLD and
 * what people send to end it are blocked and taken by sigwaitinfo(2): no
 * handler, nothing shared. */
#include "api/cli/cli.h"

#include "profiler/measure/measure.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int cmd_measure(int argc, char **argv);

extern char **environ;

#define SOURCES "git,system,energy,gpu,temperature,devcontainer"
#define EXIT_NOT_STARTED 126 /* as env(1) */
#define EXIT_NOT_FOUND 127

enum style { STYLE_SIMPLE, STYLE_JSON, STYLE_IRMETADATA, STYLES };

static const char *const style_names[STYLES] = {"simple", "json", "irmetadata"};

struct order {
    struct measure_want *want;
    size_t want_count;
    enum style style;
    enum measure_level shown; /* on stderr, this level and above */
    const char *out;
    char **command;
    atomic_bool was_aborted; /* --pedantic, and something was missing */
};

/* ---- what is wanted ------------------------------------------------------ */

/* A provider or a measure. A file is deleted with the result, so it is of no
 * use here. */
static bool want_add(struct order *order, const char *source)
{
    size_t before = order->want_count;
    struct measure_want *added =
        measure_want_provider(order->want, &order->want_count, NULL);
    size_t kept = before;

    order->want = added;
    for (size_t i = before; i < order->want_count; i++) {
        const struct measure_facts *facts = measure_facts(added[i].measure);
        if (facts->type != MEASURE_TYPE_FILE &&
            (!strcmp(facts->provider, source) || !strcmp(facts->name, source)))
            added[kept++] = added[i];
    }
    order->want_count = kept;
    return kept > before;
}

static int parse_sources(struct order *order, const char *sources)
{
    auto_free char *copy = mem_dup_str(sources);
    char *rest = NULL;

    for (char *source = strtok_r(copy, ",", &rest); source;
         source = strtok_r(NULL, ",", &rest))
        if (!want_add(order, source))
            return cli_usage("measure",
                             "--source: \"%s\" is neither a source (" SOURCES
                             ") nor a measure of `bout measure --list`",
                             source);
    return CLI_GO_ON;
}

static int parse_style(struct order *order, const char *format)
{
    for (int i = 0; i < STYLES; i++) {
        if (strcmp(format, style_names[i]) != 0)
            continue;
        order->style = (enum style)i;
        return CLI_GO_ON;
    }
    return cli_usage("measure",
                     "there is no format \"%s\"; there are simple, json, "
                     "irmetadata",
                     format);
}

/* ---- what is said -------------------------------------------------------- */

static void show(void *user, enum measure_level level, const char *component,
                 const char *message)
{
    const struct order *order = user;

    if (level >= order->shown)
        fprintf(stderr, "bout measure: %s: %s\n", component, message);
}

static void note_abort(void *user)
{
    struct order *order = user;

    atomic_store(&order->was_aborted, true);
}

/* ---- the command --------------------------------------------------------- */

static void wanted_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGHUP);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGQUIT);
}

/* Reaps whoever ended; true once `pid` did, with its status. */
static bool reap(pid_t pid, int *status)
{
    bool found = false;
    int ended;

    for (pid_t who; (who = waitpid(-1, &ended, WNOHANG)) > 0;) {
        if (who != pid)
            continue;
        *status = ended;
        found = true;
    }
    return found;
}

/* Passes on what is sent to us alone; the terminal sends its signals to the
 * command too. */
static int wait_for(pid_t pid)
{
    sigset_t set;
    int status = 0;

    wanted_signals(&set);
    while (!reap(pid, &status)) {
        siginfo_t got;
        if (sigwaitinfo(&set, &got) < 0)
            continue;
        if (got.si_signo != SIGCHLD && got.si_code == SI_USER)
            kill(pid, got.si_signo);
    }
    return status;
}

/* posix_spawnp's error, or 0. */
static int spawn(char **command, pid_t *pid)
{
    posix_spawnattr_t attributes;
    sigset_t none;

    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int failed =
        posix_spawnp(pid, command[0], NULL, &attributes, command, environ);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

static void set_outcome(struct measure_result *result, char **command,
                        int status)
{
    json_t *words = json_array();

    for (char **word = command; *word; word++)
        json_array_append_new(words, json_string(*word));
    if (measure_result_get(result, MEASURE_COMMAND))
        measure_result_set(result, MEASURE_COMMAND, words);
    else
        json_decref(words);
    if (WIFEXITED(status) && measure_result_get(result, MEASURE_EXIT_CODE))
        measure_result_set(result, MEASURE_EXIT_CODE,
                           json_integer(WEXITSTATUS(status)));
    if (WIFSIGNALED(status) && measure_result_get(result, MEASURE_EXIT_SIGNAL))
        measure_result_set(result, MEASURE_EXIT_SIGNAL,
                           json_integer(WTERMSIG(status)));
}

/* ---- the result ---------------------------------------------------------- */

static int format_result(const struct order *order,
                         const struct measure_result *result, struct buf *out,
                         struct err *err)
{
    if (order->style == STYLE_SIMPLE) {
        measure_export_simple(NULL, result, out);
        return 0;
    }
    if (order->style == STYLE_IRMETADATA)
        return measure_export_irmetadata(NULL, result, out, err);
    json_t *document = measure_export_json(NULL, result);
    auto_free char *text =
        json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(document);
    if (!text)
        return err_set(err, ERR_SYSTEM, "a value is not UTF-8");
    buf_add_str(out, text);
    buf_add_char(out, '\n');
    return 0;
}

static int write_result(const struct order *order,
                        const struct measure_result *result, struct err *err)
{
    auto_buf struct buf out = {0};

    if (format_result(order, result, &out, err) < 0)
        return -1;
    if (order->out)
        return io_write_file(order->out, out.data ? out.data : "", out.size,
                             0644, err);
    cli_print_foreign(stdout, out.data ? out.data : "", out.size);
    return 0;
}

/* The exit code, or -1 with *err. */
static int run(struct order *order, const struct measure_spec *spec,
               struct err *err)
{
    struct measure_tracking *tracking = measure_start(spec, err);
    pid_t pid = -1;

    if (!tracking)
        return -1;
    int failed =
        atomic_load(&order->was_aborted) ? 0 : spawn(order->command, &pid);
    bool is_running = !failed && !atomic_load(&order->was_aborted);
    int status = is_running ? wait_for(pid) : 0;
    struct measure_result *result = measure_stop(tracking, err);
    int code =
        WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (failed) {
        fprintf(stderr, "bout measure: %s: %s\n", order->command[0],
                strerrordesc_np(failed));
        code = failed == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_STARTED;
    } else if (atomic_load(&order->was_aborted)) {
        fprintf(stderr, "bout measure: --pedantic: something is missing, see "
                        "above\n");
        code = CLI_FAILED;
    } else {
        set_outcome(result, order->command, status);
        if (write_result(order, result, err) < 0)
            code = -1;
    }
    measure_result_free(result);
    return code;
}

static int run_order(struct order *order, uint64_t poll_ms, bool pedantic)
{
    struct err err = {0};
    sigset_t set;
    struct measure_spec spec = {
        .want = order->want,
        .want_count = order->want_count,
        .poll_ms = (unsigned)poll_ms,
        .whose = MEASURE_CHILDREN,
        .log = show,
        .abort = note_abort,
        .abort_level = pedantic ? MEASURE_WARN : MEASURE_CRITICAL,
        .user = order,
    };

    wanted_signals(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    fflush(stdout);
    int code = run(order, &spec, &err);
    if (code < 0)
        return cli_fail("measure", &err);
    int finished = cli_finish("measure");
    return finished == CLI_DONE ? code : finished;
}

static int list(void)
{
    auto_buf struct buf table = {0};

    measure_table(&table);
    fputs(table.data, stdout);
    return cli_finish("measure");
}

int cmd_measure(int argc, char **argv)
{
    struct order order = {.shown = MEASURE_WARN};
    const char *sources = SOURCES;
    const char *format = "simple";
    uint64_t poll_ms = MEASURE_POLL_MS;
    bool wants_list = false, pedantic = false, verbose = false, quiet = false;
    const struct cli_option options[] = {
        {"source", 0, CLI_TEXT, &sources, "LIST",
         "sources or measures, parted by commas; default all", false},
        {"list", 0, CLI_FLAG, &wants_list, NULL, "every measure, and no run",
         false},
        {"poll-interval", 0, CLI_NUMBER, &poll_ms, "MS",
         "time between two looks; default 100", false},
        {"pedantic", 0, CLI_FLAG, &pedantic, NULL,
         "a warning ends it with exit code 3", false},
        {"format", 'f', CLI_TEXT, &format, "NAME", "simple, json, irmetadata",
         false},
        {"output", 'o', CLI_TEXT, &order.out, "FILE",
         "where it goes; default standard output, after the command's", false},
        {"verbose", 'v', CLI_FLAG, &verbose, NULL,
         "say also what a machine has not", false},
        {"quiet", 'q', CLI_FLAG, &quiet, NULL, "say nothing", false},
        {0},
    };
    const struct cli_command command = {
        .name = "measure",
        .operands = "COMMAND...",
        .text = "Runs a command and says what it and all its descendants took "
                "of the machine.\nIts exit code is the command's, 128 + the "
                "signal that ended it, 127 where there is no such command.",
        .option = options,
        .operands_min = 0,
        .operands_max = SIZE_MAX,
        .passes_on = true,
    };
    struct cli_operands operands;
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    if (wants_list)
        return list();
    if (!operands.count)
        return cli_usage(command.name, "no COMMAND is given");
    if (poll_ms < 1 || poll_ms > 3600000)
        return cli_usage(command.name,
                         "--poll-interval: 1 to 3600000 milliseconds");
    if (verbose)
        order.shown = MEASURE_INFO;
    if (quiet)
        order.shown = MEASURE_CRITICAL;
    order.command = operands.item;
    code = parse_sources(&order, sources);
    if (code == CLI_GO_ON)
        code = parse_style(&order, format);
    if (code == CLI_GO_ON)
        code = run_order(&order, poll_ms, pedantic);
    free(order.want);
    return code;
}
