#include "api/cli/build_ir.h"

#include "api/cli/cli.h"
#include "runner/base/buf.h"

#include <inttypes.h>
#include <string.h>

#define COLUMN_BYTES 30 /* of the blocks, before the source */

/* blocks.json: a block's `lines` are [file, line, instructions, ...]. */
static json_int_t line_number(const json_t *line, size_t at)
{
    return json_integer_value(json_array_get(line, at));
}

static size_t file_at(const json_t *files, const char *path)
{
    size_t i = 0;

    while (i < json_array_size(files) &&
           strcmp(json_string_value(json_array_get(files, i)), path) != 0)
        i++;
    return i;
}

/* A line of a file. */
struct place {
    size_t file;
    size_t number;
};

static void add_block(struct buf *out, const char *name, size_t block,
                      const json_t *lines, struct place place)
{
    json_t *line;
    size_t i;

    json_array_foreach(lines, i, line) {
        if ((size_t)line_number(line, 0) == place.file &&
            (size_t)line_number(line, 1) == place.number)
            buf_add_format(out, "%s%s#%zu %" JSON_INTEGER_FORMAT,
                           out->size ? ", " : "", name, block,
                           line_number(line, 2));
    }
}

/* "main#3 12, main#4 1": what of which block lies on this line. */
static void add_parts(struct buf *out, const json_t *functions,
                      struct place place)
{
    json_t *function;
    json_t *block;
    size_t f;
    size_t b;

    json_array_foreach((json_t *)(uintptr_t)functions, f, function) {
        const json_t *blocks = json_object_get(function, "blocks");
        const char *name = json_string_value(json_object_get(function, "name"));
        json_array_foreach((json_t *)(uintptr_t)blocks, b, block)
            add_block(out, name, b, json_object_get(block, "lines"), place);
    }
}

static void print_function(const json_t *function, FILE *to)
{
    const json_t *blocks = json_object_get(function, "blocks");
    json_int_t total = 0;
    json_t *block;
    size_t i;

    cli_print_foreign(to, json_string_value(json_object_get(function, "name")),
                      json_string_length(json_object_get(function, "name")));
    fprintf(to, ", line %" JSON_INTEGER_FORMAT ": ",
            json_integer_value(json_object_get(function, "line")));
    json_array_foreach((json_t *)(uintptr_t)blocks, i, block) {
        json_int_t charge =
            json_integer_value(json_object_get(block, "charge"));
        total += charge;
        fprintf(to, "%s#%zu %" JSON_INTEGER_FORMAT, i ? ", " : "", i, charge);
    }
    fprintf(to, " (all %" JSON_INTEGER_FORMAT ")\n", total);
}

static void print_line(const struct buf *parts, size_t number, const char *text,
                       size_t size, FILE *to)
{
    fprintf(to, "%5zu  %-*s  ", number, COLUMN_BYTES,
            parts->data ? parts->data : "");
    cli_print_foreign(to, text, size);
    putc('\n', to);
}

static void print_file(const struct build *build,
                       const struct build_file *source, size_t file, FILE *to)
{
    const json_t *functions = json_object_get(build->blocks, "functions");
    const char *at = source->bytes;
    const char *end = at + source->size;
    json_t *function;
    size_t i;

    fprintf(to, "%s\n", source->path);
    json_array_foreach((json_t *)(uintptr_t)functions, i, function) {
        if ((size_t)json_integer_value(json_object_get(function, "file")) ==
            file)
            print_function(function, to);
    }
    for (size_t number = 1; at < end; number++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        auto_buf struct buf parts = {0};
        add_parts(&parts, functions,
                  (struct place){.file = file, .number = number});
        print_line(&parts, number, at, (size_t)((next ? next : end) - at), to);
        at = next ? next + 1 : end;
    }
    putc('\n', to);
}

void build_ir_print(const struct build *build, FILE *to)
{
    const json_t *files = json_object_get(build->blocks, "files");

    for (size_t i = 0; i < build->source.count; i++) {
        size_t file = file_at(files, build->source.file[i].path);
        if (file < json_array_size(files))
            print_file(build, &build->source.file[i], file, to);
    }
}
