/* text: for reading. The dearest functions, then the source, each line with its
 * executions and instructions, dearest file first. Control characters in the
 * source and in names are shown as '?', so that a terminal stays itself. */
#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>
#include <string.h>

#define TEXT_FUNCTIONS_MAX 25
#define TEXT_LINES_MAX 40
#define TEXT_TURNS_MAX 10

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
        if (place->line != line || strcmp(place->file, file) != 0)
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

struct turn_cost {
    uint32_t turn;
    uint64_t instructions;
};

static int turn_compare(const void *left, const void *right)
{
    const struct turn_cost *a = left;
    const struct turn_cost *b = right;

    if (a->instructions != b->instructions)
        return a->instructions < b->instructions ? 1 : -1;
    return (a->turn > b->turn) - (a->turn < b->turn);
}

static void text_overtime(const struct profile *profile,
                          const struct turn_cost *turns, size_t count,
                          struct buf *out)
{
    uint64_t over = 0;
    size_t found = 0;

    for (; found < count && turns[found].instructions > profile->turn_soft;
         found++)
        over += turns[found].instructions - profile->turn_soft;
    buf_add_format(out,
                   "over the turn's limit of %" PRIu64
                   ": %zu turn%s, by %" PRIu64 " in all\n",
                   profile->turn_soft, found, found == 1 ? "" : "s", over);
}

/* One slow turn and many look alike in a mean: the dearest are named. */
static void text_turns(const struct profile *profile, uint64_t total,
                       struct buf *out)
{
    size_t count = profile->turn_count;
    auto_free struct turn_cost *turns = mem_calloc(count + 1, sizeof *turns);

    for (size_t t = 0; t < count; t++)
        turns[t] = (struct turn_cost){
            .turn = profile->turn[t].turn,
            .instructions = profile_turn_total(profile, &profile->turn[t])};
    qsort(turns, count, sizeof *turns, turn_compare);
    if (profile->turn_soft)
        text_overtime(profile, turns, count, out);
    if (count < 3)
        return;
    buf_add_format(out,
                   "least %" PRIu64 ", median %" PRIu64 ", mean %" PRIu64
                   ", most %" PRIu64 " a turn\n"
                   "\n   instructions       %%  turn\n",
                   turns[count - 1].instructions, turns[count / 2].instructions,
                   total / count, turns[0].instructions);
    for (size_t t = 0; t < count && t < TEXT_TURNS_MAX; t++)
        buf_add_format(out, "%15" PRIu64 "  %6.2f  %u\n", turns[t].instructions,
                       text_percent(turns[t].instructions, total),
                       turns[t].turn);
}

struct text_named {
    struct buf *out;
    uint64_t total;
    uint64_t inside; /* of all outermost blocks */
};

static void text_block(void *user, const struct decode_node *node)
{
    struct text_named *named = user;

    if (node->depth == 0)
        named->inside += node->ticks;
    buf_add_format(
        named->out, "%15" PRIu64 "  %6.2f %15" PRIu64 " %12" PRIu64 "  %*s%s\n",
        node->ticks, text_percent(node->ticks, named->total), node->own,
        node->calls, 2 * (node->depth < 40 ? (int)node->depth : 40), "",
        node->name);
}

/* The blocks that the program named itself, and what is in none. */
static void text_named(const struct profile *profile, uint64_t total,
                       struct buf *out)
{
    struct decode_tree *tree;
    struct text_named named = {.out = out, .total = total};
    uint64_t lost = 0;

    if (!named_any(profile))
        return;
    tree = decode_tree_new();
    for (size_t t = 0; t < profile->turn_count; t++)
        lost += named_add(&profile->turn[t], tree);
    buf_add_str(out, "\n   instructions       %          itself        calls"
                     "  block\n");
    decode_tree_walk(tree, text_block, &named);
    decode_tree_free(tree);
    uint64_t rest = total > named.inside ? total - named.inside : 0;
    buf_add_format(out, "%15" PRIu64 "  %6.2f %15" PRIu64 "%15s[in no block]\n",
                   rest, text_percent(rest, total), rest, "");
    if (lost)
        buf_add_format(out,
                       "  ... and %" PRIu64 " blocks and messages for which "
                       "there was no room\n",
                       lost);
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
    text_turns(profile, total, out);
    text_named(profile, total, out);
    text_functions(profile, costs, count, total, out);
    text_lines(profile, costs, count, total, out);
    for (size_t i = 0; i < profile->source_count; i++)
        text_source(profile, &profile->source[i], costs, count, out);
    return 0;
}
