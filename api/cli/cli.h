/* cli: what every command of `bout` shares: options, messages, JSON, exit
 * codes.
 *
 * A command is `int cmd_NAME(int argc, char **argv)` in cmd_NAME.c, where
 * argv[0] is the command's own name, and a line in commands.def. It starts like
 * this:
 *
 *     const char *out = NULL;
 *     bool json = false;
 *     auto_cli_list struct cli_list limits = {0};
 *     const struct cli_option options[] = {
 *         {"output", 'o', CLI_TEXT, &out, "FILE", "where it goes", false},
 *         {"limit", 0, CLI_LIST, &limits, "KEY=VALUE", "a limit", false},
 *         {"json", 0, CLI_FLAG, &json, NULL, "print JSON", false},
 *         {0},
 *     };
 *     const struct cli_command command = {
 *         .name = "build", .operands = "SRC...", .text = "Makes a build.",
 *         .option = options, .operands_min = 1, .operands_max = SIZE_MAX,
 *     };
 *     struct cli_operands operands;
 *     int code = cli_parse(&command, argc, argv, &operands);
 *     if (code != CLI_GO_ON)
 *         return code;
 *
 * `--help` (also -h) is there for every command and comes from the same table.
 * A value is taken from the first of: the flag, the environment (BOUT_NAME with
 * '-' as '_'), the config file, what the variable held before. The last three
 * are for options marked `.setting`. Nothing here is kept between calls, except
 * that getopt_long(3) has its usual globals: one thread parses options.
 */
#pragma once

#include "runner/base/err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CLI_VERSION "0.9"

/* Exit codes of contract section 6. */
enum cli_exit {
    CLI_GO_ON = -1, /* no exit: the command goes on */
    CLI_DONE = 0,
    CLI_REFUSED = 1, /* the input was refused */
    CLI_USAGE = 2,
    CLI_FAILED = 3, /* the machine or the service failed */
};

enum cli_kind {
    CLI_FLAG,   /* bool *: set to true; no value */
    CLI_TEXT,   /* const char **: borrowed from argv, environment or config */
    CLI_NUMBER, /* uint64_t *: decimal, at most 2^53-1 */
    CLI_LIST,   /* struct cli_list *: may be given again; cli_list_release */
};

struct cli_list {
    const char **item;
    size_t count;
};

void cli_list_release(struct cli_list *list);
#define auto_cli_list __attribute__((cleanup(cli_list_release)))

struct cli_option {
    const char *name; /* long name without dashes */
    char letter;      /* short name, or 0 */
    enum cli_kind kind;
    void *to;          /* of the type that `kind` says */
    const char *value; /* "FILE" in the help; NULL for a flag */
    const char *text;  /* one line, lower case, no full stop */
    bool setting;      /* environment and config file count too */
};

struct cli_command {
    const char *name;     /* "build" */
    const char *operands; /* "SRC...", or "" */
    const char *text;     /* sentences for --help; may hold newlines */
    const struct cli_option *option; /* ends with {0} */
    size_t operands_min;
    size_t operands_max;
    bool passes_on;       /* options end at the first operand: what follows is a
                             command line that is passed on */
    const json_t *config; /* settings of a config file, or NULL: borrowed, and
                             texts point into it */
};

struct cli_operands {
    char **item; /* inside argv */
    size_t count;
};

/* CLI_GO_ON with the variables and *operands filled; or the exit code after
 * help (CLI_DONE) or a usage error (CLI_USAGE) was printed. */
int cli_parse(const struct cli_command *command, int argc, char **argv,
              struct cli_operands *operands);

/* Reads a config file: one JSON object whose names are long option names. New
 * reference; NULL with *err. For commands that have --config: parse once, read
 * the file, parse again with .config. */
json_t *cli_config_read(const char *path, struct err *err);

/* "bout NAME: message" and how to get help, on stderr. Returns CLI_USAGE. */
int cli_usage(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "bout NAME: err->msg" on stderr. Returns the exit code of its kind. */
int cli_fail(const char *name, const struct err *err);

/* CLI_GO_ON, or CLI_USAGE with a message if the output file is the input file,
 * which would be lost. Either may be NULL; a device may be both. */
int cli_check_output(const char *name, const char *output, const char *input);

/* A decimal number of 0 to 2^53-1 and nothing else: true and *number. */
bool cli_number(const char *text, uint64_t *number);

/* One JSON document and a newline; CLI_FAILED with a message if it cannot be
 * written (a full disk is not success), else CLI_DONE. */
int cli_print_json(const char *name, const json_t *document);

/* Flushes stdout; CLI_FAILED with a message if anything was lost. Commands
 * that print text end with it. */
int cli_finish(const char *name);

/* Writes bytes that strangers chose (names, replies, logs, diagnostics): on a
 * terminal control characters other than newline and tab come as \xNN, so
 * that no text can move the cursor or recolour the screen; elsewhere as is. */
void cli_print_foreign(FILE *to, const char *bytes, size_t size);
/* The same of a line that holds such text. */
void cli_print_format(FILE *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* [{file, line, severity, message}] on stderr, a line each, as compilers write
 * them. NULL: nothing. */
void cli_print_diagnostics(const json_t *diagnostics);

/* The table of commands: NULL after the last. Used by main and `--help`. */
struct cli_entry {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text; /* NULL: not shown */
};

extern const struct cli_entry cli_entries[];
