/* main: finds the command and lets it run. */
#include "api/cli/cli.h"

#include "runner/base/cleanup.h"
#include "runner/build/build.h"

#include <string.h>

#define COMMAND(name, function, text) int function(int argc, char **argv);
#include "api/cli/commands.def"

const struct cli_entry cli_entries[] = {
#define COMMAND(name, function, text) {name, function, text},
#include "api/cli/commands.def"
    {NULL, NULL, NULL},
};

static void print_help(FILE *to)
{
    fputs("usage: bout COMMAND [ARGUMENT]...\n"
          "Plays matches of programs within exact instruction budgets.\n\n",
          to);
    for (const struct cli_entry *entry = cli_entries; entry->name; entry++) {
        if (entry->text)
            fprintf(to, "  %-13s %s\n", entry->name, entry->text);
    }
    fputs("\n`bout COMMAND --help` tells more, `bout --version` which bout it "
          "is.\n"
          "Exit codes: 0 done, 1 the input was refused, 2 usage, "
          "3 the machine or service failed.\n",
          to);
}

static bool is_help(const char *word)
{
    return !strcmp(word, "--help") || !strcmp(word, "-h") ||
           !strcmp(word, "help");
}

/* Counts are comparable where fingerprints are equal: that is the version that
 * matters to people. */
static int print_version(void)
{
    char fingerprint[HASH_HEX_SIZE];
    struct err err;

    if (build_fingerprint(fingerprint, &err) < 0)
        printf("bout %s, fingerprint unknown: %s\n", CLI_VERSION, err.msg);
    else
        printf("bout %s, fingerprint %s\n", CLI_VERSION, fingerprint);
    return cli_finish("version");
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    for (const struct cli_entry *entry = cli_entries; entry->name; entry++) {
        if (!strcmp(argv[1], entry->name))
            return entry->run(argc - 1, argv + 1);
    }
    if (is_help(argv[1])) {
        print_help(stdout);
        return cli_finish("help");
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
        return print_version();
    fprintf(stderr, "bout: there is no command \"");
    cli_print_foreign(stderr, argv[1], strlen(argv[1]));
    fprintf(stderr, "\"; `bout --help` lists them\n");
    return CLI_USAGE;
}
