/* option: one table of options becomes getopt_long's tables, the help text and
 * the look-up in environment and config file. */
#include "api/cli/cli.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 9007199254740991u /* 2^53 - 1, contract section 1 */
#define CONFIG_MAX_BYTES 1048576u

/* getopt_long gives a long option's number: its place in the table on top of
 * this, out of the way of every letter. */
#define LONG_BASE 1000

void cli_list_release(struct cli_list *list)
{
    free(list->item);
    *list = (struct cli_list){0};
}

static void list_add(struct cli_list *list, const char *item)
{
    list->item =
        mem_realloc(list->item, (list->count + 1) * sizeof *list->item);
    list->item[list->count++] = item;
}

static size_t option_count(const struct cli_option *option)
{
    size_t count = 0;

    while (option && option[count].name)
        count++;
    return count;
}

bool cli_number(const char *text, uint64_t *number)
{
    char *end = NULL;

    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || *end || value > NUMBER_MAX)
        return false;
    *number = value;
    return true;
}

/* ---- help ---------------------------------------------------------------- */

static void print_option(FILE *to, const struct cli_option *option)
{
    char left[64];

    snprintf(left, sizeof left, "%c%c%s --%s%s%s", option->letter ? '-' : ' ',
             option->letter ? option->letter : ' ', option->letter ? "," : " ",
             option->name, option->value ? " " : "",
             option->value ? option->value : "");
    fprintf(to, "  %-30s %s\n", left, option->text);
}

static void print_help(const struct cli_command *command)
{
    bool has_settings = false;

    printf("usage: bout %s [OPTION]...%s%s\n%s\n\n", command->name,
           *command->operands ? " " : "", command->operands, command->text);
    for (const struct cli_option *o = command->option; o && o->name; o++) {
        print_option(stdout, o);
        has_settings = has_settings || o->setting;
    }
    print_option(stdout, &(struct cli_option){.name = "help",
                                              .letter = 'h',
                                              .text = "print this"});
    if (has_settings)
        puts("\nSettings may also come from the environment (BOUT_NAME, '-' as "
             "'_') or a\nconfig file; a flag wins over both.");
}

int cli_usage(const char *name, const char *format, ...)
{
    auto_buf struct buf text = {0};
    va_list args;

    va_start(args, format);
    buf_add_vformat(&text, format, args);
    va_end(args);
    fprintf(stderr, "bout %s: ", name);
    cli_print_foreign(stderr, text.data, text.size);
    fprintf(stderr, "; try `bout %s --help`\n", name);
    return CLI_USAGE;
}

/* ---- one value ----------------------------------------------------------- */

/* CLI_GO_ON, or CLI_USAGE after a message that says where the value is from. */
static int set_value(const struct cli_command *command,
                     const struct cli_option *option, const char *value,
                     const char *from)
{
    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)option->to = true;
        break;
    case CLI_TEXT:
        *(const char **)option->to = value;
        break;
    case CLI_LIST:
        list_add(option->to, value);
        break;
    case CLI_NUMBER:
        if (!cli_number(value, option->to))
            return cli_usage(command->name,
                             "%s: \"%s\" is not a number of 0 to 2^53-1", from,
                             value);
        break;
    }
    return CLI_GO_ON;
}

static const char *from_environment(const struct cli_option *option)
{
    auto_free char *name = mem_format("BOUT_%s", option->name);

    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    return getenv(name);
}

/* Settings that are switched off explicitly. */
static bool is_off(const char *value)
{
    return !*value || !strcmp(value, "0") || !strcmp(value, "false");
}

static int set_from_environment(const struct cli_command *command,
                                const struct cli_option *option,
                                const char *value)
{
    auto_free char *from = mem_format("BOUT_... for --%s", option->name);

    if (option->kind == CLI_FLAG && is_off(value))
        return CLI_GO_ON;
    return set_value(command, option, value, from);
}

static int set_from_config(const struct cli_command *command,
                           const struct cli_option *option, const json_t *value)
{
    auto_free char *from = mem_format("config file, \"%s\"", option->name);

    if (json_is_string(value))
        return set_value(command, option, json_string_value(value), from);
    if (option->kind == CLI_FLAG && json_is_boolean(value)) {
        *(bool *)option->to = json_is_true(value);
        return CLI_GO_ON;
    }
    if (option->kind == CLI_NUMBER && json_is_integer(value) &&
        json_integer_value(value) >= 0 &&
        (uint64_t)json_integer_value(value) <= NUMBER_MAX) {
        *(uint64_t *)option->to = (uint64_t)json_integer_value(value);
        return CLI_GO_ON;
    }
    if (option->kind == CLI_LIST && json_is_array(value)) {
        size_t i;
        json_t *item;
        json_array_foreach(value, i, item) {
            if (!json_is_string(item))
                return cli_usage(command->name, "%s: not a list of strings",
                                 from);
            list_add(option->to, json_string_value(item));
        }
        return CLI_GO_ON;
    }
    return cli_usage(command->name, "%s: not of the type that the option takes",
                     from);
}

/* Fills what no flag gave. A config file's name that no option has is a
 * mistake worth telling. */
static int set_the_rest(const struct cli_command *command, const bool *given)
{
    size_t count = option_count(command->option);
    const char *name;
    json_t *value;

    for (size_t i = 0; i < count; i++) {
        const struct cli_option *option = &command->option[i];
        const char *text = option->setting ? from_environment(option) : NULL;
        const json_t *config =
            option->setting && command->config
                ? json_object_get(command->config, option->name)
                : NULL;
        int code = CLI_GO_ON;

        if (given[i])
            continue;
        if (text)
            code = set_from_environment(command, option, text);
        else if (config)
            code = set_from_config(command, option, config);
        if (code != CLI_GO_ON)
            return code;
    }
    json_t *all = command->config ? json_deep_copy(command->config) : NULL;
    for (size_t i = 0; i < count; i++)
        json_object_del(all, command->option[i].name);
    json_object_foreach(all, name, value) {
        int code = cli_usage(command->name,
                             "config file: there is no setting \"%s\"", name);
        json_decref(all);
        return code;
    }
    json_decref(all);
    return CLI_GO_ON;
}

json_t *cli_config_read(const char *path, struct err *err)
{
    auto_buf struct buf text = {0};
    json_error_t why;

    if (io_read_file(path, CONFIG_MAX_BYTES, &text, err) < 0)
        return NULL;
    json_t *config = json_loadb(text.data ? text.data : "", text.size,
                                JSON_REJECT_DUPLICATES, &why);
    if (!config) {
        err_set(err, ERR_INPUT, "%s:%d: %s", path, why.line, why.text);
        return NULL;
    }
    if (!json_is_object(config)) {
        err_set(err, ERR_INPUT, "%s: must be one JSON object", path);
        json_decref(config);
        return NULL;
    }
    return config;
}

/* ---- the command line ---------------------------------------------------- */

static void fill_tables(const struct cli_command *command, struct option *table,
                        struct buf *letters)
{
    size_t count = option_count(command->option);

    buf_add_str(letters, command->passes_on ? "+:h" : ":h");
    for (size_t i = 0; i < count; i++) {
        const struct cli_option *option = &command->option[i];
        bool has_value = option->kind != CLI_FLAG;

        table[i] = (struct option){
            .name = option->name,
            .has_arg = has_value ? required_argument : no_argument,
            .val = LONG_BASE + (int)i,
        };
        if (option->letter)
            buf_add_char(letters, option->letter);
        if (option->letter && has_value)
            buf_add_char(letters, ':');
    }
    table[count] = (struct option){.name = "help", .val = 'h'};
}

/* The option's place in the table, or -1. */
static int option_index(const struct cli_command *command, int got)
{
    size_t count = option_count(command->option);

    if (got >= LONG_BASE)
        return got - LONG_BASE;
    for (size_t i = 0; i < count; i++) {
        if (command->option[i].letter && command->option[i].letter == got)
            return (int)i;
    }
    return -1;
}

static int report_bad_option(const struct cli_command *command, int got,
                             const char *word)
{
    if (got == ':')
        return cli_usage(command->name, "%s needs a value", word);
    return cli_usage(command->name,
                     "there is no option %s, or it takes no "
                     "value",
                     word);
}

static int parse_flags(const struct cli_command *command, int argc, char **argv,
                       bool *given)
{
    size_t count = option_count(command->option);
    auto_free struct option *table = mem_calloc(count + 2, sizeof *table);
    auto_buf struct buf letters = {0};

    fill_tables(command, table, &letters);
    optind = 0; /* glibc: start afresh, with the new ordering mode */
    opterr = 0;
    for (;;) {
        // NOLINTNEXTLINE(concurrency-mt-unsafe): first of all, by one thread
        int got = getopt_long(argc, argv, letters.data, table, NULL);
        if (got == -1)
            return CLI_GO_ON;
        if (got == 'h') {
            print_help(command);
            return cli_finish(command->name);
        }
        int index = option_index(command, got);
        if (index < 0)
            return report_bad_option(command, got, argv[optind - 1]);

        const struct cli_option *option = &command->option[index];
        auto_free char *from = mem_format("--%s", option->name);
        int code = set_value(command, option, optarg, from);
        if (code != CLI_GO_ON)
            return code;
        given[index] = true;
    }
}

int cli_parse(const struct cli_command *command, int argc, char **argv,
              struct cli_operands *operands)
{
    auto_free bool *given =
        mem_calloc(option_count(command->option) + 1, sizeof *given);
    int code = parse_flags(command, argc, argv, given);

    if (code == CLI_GO_ON)
        code = set_the_rest(command, given);
    if (code != CLI_GO_ON)
        return code;
    *operands = (struct cli_operands){
        .item = argv + optind,
        .count = (size_t)(argc - optind),
    };
    if (operands->count < command->operands_min)
        return cli_usage(command->name, "needs %s", command->operands);
    if (operands->count > command->operands_max)
        return cli_usage(command->name, "\"%s\" is one argument too many",
                         operands->item[command->operands_max]);
    return CLI_GO_ON;
}
