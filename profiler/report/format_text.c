/* text: for reading. The dearest functions, then the source, each line with its
 * executions and instructions, dearest file first. Control characters in the
 * source and in names are shown as '?', so that a terminal stays itself. */
#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>
#include <string.h>

#define TEXT_FUNCTIONS_MAX 25
#define TEXT_LINES_MAX 40

struct function_cost {
    const struct profile_function *function;
    uint64_t instructions;
};

static void text_add_clean(struct buf *out, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)bytes[i];
        bool plain = (c >= ' ' && c != 0x7f) || c == '\t';
        buf_add_char(out, plain ? bytes[i] : '?');
    }
}

static double text_percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static int function_compare(const void *left, const void *right)
{
    const struct function_cost *a = left;
    const struct function_cost *b = right;

    if (a->instructions != b->instructions)
        return a->instructions < b->instructions ? 1 : -1;
    return strcmp(a->function->name, b->function->name);
}

/* Sums the costs of each function's places; those without a cost are left out.
 */
static size_t function_costs(const struct profile *profile,
                             const struct place_cost *costs, size_t count,
                             struct function_cost *out)
{
    size_t used = 0;

    for (size_t f = 0; f < profile->function_count; f++)
        out[f] = (struct function_cost){.function = &profile->function[f]};
    for (size_t i = 0; i < count; i++)
        out[profile->place[costs[i].place].owner].instructions +=
            costs[i].instructions;
    for (size_t f = 0; f < profile->function_count; f++)
        if (out[f].instructions)
            out[used++] = out[f];
    qsort(out, used, sizeof *out, function_compare);
    return used;
}

static void text_functions(const struct profile *profile,
                           const struct place_cost *costs, size_t count,
                           uint64_t total, struct buf *out)
{
    auto_free struct function_cost *functions =
        mem_calloc(profile->function_count + 1, sizeof *functions);
    size_t used = function_costs(profile, costs, count, functions);

    buf_add_str(out, "\n   instructions       %  function\n");
    for (size_t i = 0; i < used && i < TEXT_FUNCTIONS_MAX; i++) {
        buf_add_format(out, "%15" PRIu64 "  %6.2f  ", functions[i].instructions,
                       text_percent(functions[i].instructions, total));
        text_add_clean(out, functions[i].function->name,
                       strlen(functions[i].function->name));
        if (functions[i].function->file[0]) {
            buf_add_str(out, "  ");
            text_add_clean(out, functions[i].function->file,
                           strlen(functions[i].function->file));
        }
        buf_add_char(out, '\n');
    }
    if (used > TEXT_FUNCTIONS_MAX)
        buf_add_format(out, "  ... and %zu more functions\n",
                       used - TEXT_FUNCTIONS_MAX);
}

/* All places of one line of one file, whatever function they are in. */
static bool line_cost(const struct profile *profile,
                      const struct place_cost *costs, size_t count,
                      const char *file, uint32_t line, struct place_cost *sum)
{
    bool found = false;

    *sum = (struct place_cost){0};
    for (size_t i = 0; i < count; i++) {
        const struct place *place = &profile->place[costs[i].place];
        if (place->line != line || strcmp(place->file, file))
            continue;
        found = true;
        sum->instructions += costs[i].instructions;
        sum->executions += costs[i].executions;
    }
    return found;
}

static void text_source(const struct profile *profile,
                        const struct source_text *source,
                        const struct place_cost *costs, size_t count,
                        struct buf *out)
{
    const char *next = source->bytes;
    const char *end = source->bytes + source->size;

    buf_add_str(out, "\n");
    text_add_clean(out, source->path, strlen(source->path));
    buf_add_str(out, "\n     executions    instructions   line\n");
    for (uint32_t line = 1; next < end; line++) {
        const char *newline = memchr(next, '\n', (size_t)(end - next));
        const char *stop = newline ? newline : end;
        struct place_cost sum;

        if (line_cost(profile, costs, count, source->path, line, &sum))
            buf_add_format(out, "%15" PRIu64 " %15" PRIu64, sum.executions,
                           sum.instructions);
        else
            buf_add_format(out, "%15s %15s", ".", ".");
        buf_add_format(out, " %6u  ", line);
        text_add_clean(out, next, (size_t)(stop - next));
        buf_add_char(out, '\n');
        next = stop + 1;
    }
}

static void text_lines(const struct profile *profile,
                       const struct place_cost *costs, size_t count,
                       uint64_t total, struct buf *out)
{
    buf_add_str(out, "\n   instructions       %      executions  line\n");
    for (size_t i = 0; i < count && i < TEXT_LINES_MAX; i++) {
        const struct place *place = &profile->place[costs[i].place];
        if (!place->file[0])
            continue;
        buf_add_format(
            out, "%15" PRIu64 "  %6.2f %15" PRIu64 "  ", costs[i].instructions,
            text_percent(costs[i].instructions, total), costs[i].executions);
        text_add_clean(out, place->file, strlen(place->file));
        buf_add_format(out, ":%u ", place->line);
        const char *function = place_function(profile, place);
        text_add_clean(out, function, strlen(function));
        buf_add_char(out, '\n');
    }
}

int format_text(const struct profile *profile, struct buf *out, struct err *err)
{
    auto_free struct place_cost *costs = NULL;
    size_t count = profile_costs(profile, NULL, &costs);
    uint64_t total = profile_total(profile);

    (void)err;
    buf_add_format(out, "%" PRIu64 " instructions in %zu turn%s", total,
                   profile->turn_count, profile->turn_count == 1 ? "" : "s");
    if (profile->turn_count)
        buf_add_format(out, " (%u to %u)", profile->turn[0].turn,
                       profile->turn[profile->turn_count - 1].turn);
    buf_add_char(out, '\n');
    text_functions(profile, costs, count, total, out);
    text_lines(profile, costs, count, total, out);
    for (size_t i = 0; i < profile->source_count; i++)
        text_source(profile, &profile->source[i], costs, count, out);
    return 0;
}
