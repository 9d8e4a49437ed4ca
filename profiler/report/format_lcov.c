/* lcov: a tracefile for genhtml (geninfo(1), FILES). A line's count is its
 * instructions, so that a file's lines add up to the stored count, and lines
 * that were never run have 0; a function's count is how often it was entered.
 * The system's charges are lines of a file "[system]". */
#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>
#include <string.h>

#define SYSTEM_FILE "[system]"

struct line {
    const char *file;
    uint32_t line;
    uint64_t instructions;
};

static int line_compare(const void *left, const void *right)
{
    const struct line *a = left;
    const struct line *b = right;
    int order = strcmp(a->file, b->file);

    return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* All lines of all files, several functions' shares of one line added. */
static size_t collect_lines(const struct profile *profile, struct line *lines)
{
    auto_free struct place_cost *costs = NULL;
    size_t cost_count = profile_costs(profile, NULL, &costs);
    size_t kept = 0;

    for (size_t i = 0; i < profile->place_count; i++) {
        const struct place *place = &profile->place[i];
        lines[i] = (struct line){.file = place->file, .line = place->line};
        if (!place->file[0])
            lines[i] =
                (struct line){.file = SYSTEM_FILE, .line = place->owner + 1};
        if (!lines[i].line) /* lcov knows no line 0 */
            lines[i].line = 1;
    }
    for (size_t i = 0; i < cost_count; i++)
        lines[costs[i].place].instructions = costs[i].instructions;
    qsort(lines, profile->place_count, sizeof *lines, line_compare);
    for (size_t i = 1; i < profile->place_count; i++) {
        if (line_compare(&lines[kept], &lines[i]))
            lines[++kept] = lines[i];
        else
            lines[kept].instructions += lines[i].instructions;
    }
    return profile->place_count ? kept + 1 : 0;
}

static void add_functions(const struct profile *profile,
                          const struct call_graph *graph, const char *file,
                          struct buf *out)
{
    size_t found = 0;
    size_t hit = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < profile->function_count; i++) {
            const struct profile_function *function = &profile->function[i];
            bool is_system = !function->file[0];
            if (strcmp(is_system ? SYSTEM_FILE : function->file, file) != 0)
                continue;
            if (pass == 0)
                buf_add_format(out, "FN:%u,",
                               is_system        ? (uint32_t)i + 1
                               : function->line ? function->line
                                                : 1);
            else
                buf_add_format(out, "FNDA:%" PRIu64 ",", graph->entries[i]);
            report_add_plain(out, function->name, "");
            buf_add_char(out, '\n');
            found += pass == 0;
            hit += pass == 1 && graph->entries[i];
        }
    buf_add_format(out, "FNF:%zu\nFNH:%zu\n", found, hit);
}

int format_lcov(const struct profile *profile, struct buf *out, struct err *err)
{
    auto_free struct line *lines =
        mem_calloc(profile->place_count + 1, sizeof *lines);
    auto_call_graph struct call_graph graph = {0};
    size_t count = collect_lines(profile, lines);

    (void)err;
    calls_graph(profile, NULL, &graph);
    for (size_t i = 0; i < count;) {
        const char *file = lines[i].file;
        size_t hit = 0;
        size_t first = i;

        buf_add_str(out, "TN:\nSF:");
        report_add_plain(out, file, "");
        buf_add_char(out, '\n');
        add_functions(profile, &graph, file, out);
        for (; i < count && !strcmp(lines[i].file, file); i++) {
            buf_add_format(out, "DA:%u,%" PRIu64 "\n", lines[i].line,
                           lines[i].instructions);
            hit += lines[i].instructions > 0;
        }
        buf_add_format(out, "LF:%zu\nLH:%zu\nend_of_record\n", i - first, hit);
    }
    return 0;
}
