/* bout-meter: from optimised bitcode to a charged build and its machine code.
 *
 * Theory of operation. A front end for a virtual machine has made one bitcode
 * file a source. `library` charges the C library once; `bot` refuses, lowers
 * and charges a program alone, which makes the build; `link` closes it with the
 * library's bitcode, decides every address and number, and generates the code
 * of the program's part for one target; `scan` looks through the linked
 * executable. The order inside `bot` and `library` is fixed:
 *
 *     read, link     module.c
 *     refuse         refuse.c (bots)
 *     own names      adopt.c (bots), promote.c (library)
 *     lower          lower.c and lower_*.c
 *     addresses      pointer.c: function addresses to symbols
 *     simplifycfg    the last pass of LLVM's that may run
 *     charge         charge.c, bulk.c, place.c; blockmap.c describes it
 *     check          pointer.c: indirect calls
 *     verify, write  verify.c, canon.c (the hash)
 *
 * Everything written is equal on repeated runs and on every host.
 */
#include "instrument/meter/cmd.h"

#include <llvm-c/Core.h>
#include <llvm-c/ErrorHandling.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"library", cmd_library},
    {"bot", cmd_bot},
    {"link", cmd_link},
    {"scan", cmd_scan},
};

/* LLVM met something that it cannot do; it would abort. */
static void leave_on_fatal_error(const char *reason)
{
    fprintf(stderr, "bout-meter: LLVM ERROR: %s\n", reason);
    exit(3); /* One thread. NOLINT(concurrency-mt-unsafe) */
}

/* LLVM's reader aborts on invalid IR before refuse.c can look at it. A front
 * end makes that of an asm label that is a name of LLVM's own. */
static void refuse_broken_module(const char *reason)
{
    if (strncmp(reason, "Broken module found", 19) != 0)
        leave_on_fatal_error(reason);
    puts("{\"status\":\"rejected\",\"diagnostics\":[{\"file\":\"\",\"line\":0,"
         "\"severity\":\"error\",\"message\":\"the compiler's output is not "
         "valid: drop asm labels that begin with llvm.\"}]}");
    exit(1); /* NOLINT(concurrency-mt-unsafe) */
}

int cmd_fail(const char *command, const struct err *err)
{
    fprintf(stderr, "bout-meter %s: %s\n", command, err->msg);
    return err_exit_code(err);
}

int cmd_usage(const char *text)
{
    fputs(text, stderr);
    return 2;
}

int main(int argc, char **argv)
{
    bool is_bot = argc > 1 && !strcmp(argv[1], "bot");

    LLVMInstallFatalErrorHandler(is_bot ? refuse_broken_module
                                        : leave_on_fatal_error);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (argc > 1 && !strcmp(argv[1], commands[i].name))
            return commands[i].run(argc - 1, argv + 1);
    return cmd_usage("usage: bout-meter library|bot|link|scan ...\n");
}
