/* print: what commands put on a terminal or into a pipe. */
#include "api/cli/cli.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void cli_print_foreign(FILE *to, const char *bytes, size_t size)
{
    if (!isatty(fileno(to))) {
        fwrite(bytes, 1, size, to);
        return;
    }
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            fprintf(to, "\\x%02x", c);
        else if (c == 0xc2 && i + 1 < size &&
                 ((unsigned char)bytes[i + 1] & 0xe0) == 0x80)
            fprintf(to, "\\x%02x", (unsigned char)bytes[++i]); /* C1, UTF-8 */
        else
            fputc(c, to);
    }
}

void cli_print_format(FILE *to, const char *format, ...)
{
    auto_buf struct buf text = {0};
    va_list args;

    va_start(args, format);
    buf_add_vformat(&text, format, args);
    va_end(args);
    cli_print_foreign(to, text.data ? text.data : "", text.size);
}

void cli_print_diagnostics(const json_t *diagnostics)
{
    const json_t *entry;
    size_t i;

    json_array_foreach(diagnostics, i, entry) {
        auto_buf struct buf line = {0};
        const char *file = json_string_value(json_object_get(entry, "file"));
        json_int_t number = json_integer_value(json_object_get(entry, "line"));

        if (file && *file)
            buf_add_format(&line, "%s:", file);
        if (number)
            buf_add_format(&line, "%lld:", (long long)number);
        buf_add_format(&line, "%s%s: %s\n", line.size ? " " : "",
                       json_string_value(json_object_get(entry, "severity")),
                       json_string_value(json_object_get(entry, "message")));
        cli_print_foreign(stderr, line.data, line.size);
    }
}

int cli_fail(const char *name, const struct err *err)
{
    fflush(stdout);
    fprintf(stderr, "bout %s: ", name);
    cli_print_foreign(stderr, err->msg, strlen(err->msg));
    fputc('\n', stderr);
    return err_exit_code(err);
}

int cli_check_output(const char *name, const char *output, const char *input)
{
    struct stat found;

    if (!output || !input || !io_same_file(output, input) ||
        stat(output, &found) < 0 || !S_ISREG(found.st_mode))
        return CLI_GO_ON;
    return cli_usage(name, "%s is the input, which would be lost", output);
}

int cli_finish(const char *name)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return CLI_DONE;
    fprintf(stderr, "bout %s: standard output: %s\n", name,
            strerrordesc_np(errno));
    return CLI_FAILED;
}

int cli_print_json(const char *name, const json_t *document)
{
    auto_free char *text = json_dumps(document, JSON_COMPACT);

    if (!text) {
        fprintf(stderr, "bout %s: the result cannot be written as JSON\n",
                name);
        return CLI_FAILED;
    }
    puts(text);
    return cli_finish(name);
}
