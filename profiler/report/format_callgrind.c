/* callgrind: for callgrind_annotate and KCachegrind. One file holds one turn,
 * or the sum of several: readers do not take parts (percentages of 188 %).
 * Grammar: valgrind manual, "Callgrind Format Specification". A call's cost
 * line is inclusive; what that means in recursion is the writer's duty: see
 * calls_internal.h. */
#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>
#include <string.h>

/* "(number) name" at the first mention, "(number)" after: for files by place
 * in `file`, for functions by their number. */
struct names {
    json_t *file;  /* {path: number} */
    bool *is_said; /* by function */
};

static void add_file(struct buf *out, struct names *names, const char *key,
                     const char *file)
{
    json_t *known = json_object_get(names->file, file);

    if (known) {
        buf_add_format(out, "%s=(%" JSON_INTEGER_FORMAT ")\n", key,
                       json_integer_value(known));
        return;
    }
    json_int_t number = (json_int_t)json_object_size(names->file) + 1;
    json_object_set_new(names->file, file, json_integer(number));
    buf_add_format(out, "%s=(%" JSON_INTEGER_FORMAT ") ", key, number);
    report_add_plain(out, *file ? file : "???", "");
    buf_add_char(out, '\n');
}

static void add_function(struct buf *out, struct names *names, const char *key,
                         const struct profile *profile, uint32_t function)
{
    buf_add_format(out, "%s=(%u)", key, function + 1);
    if (!names->is_said[function]) {
        names->is_said[function] = true;
        buf_add_char(out, ' ');
        report_add_plain(out, profile->function[function].name, "");
    }
    buf_add_char(out, '\n');
}

static int by_owner(const void *left, const void *right, void *places)
{
    const struct place *place = places;
    const struct place *a = &place[((const struct place_cost *)left)->place];
    const struct place *b = &place[((const struct place_cost *)right)->place];

    if (a->owner != b->owner)
        return a->owner < b->owner ? -1 : 1;
    int order = strcmp(a->file, b->file);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

struct writer {
    const struct profile *profile;
    struct buf *out;
    struct names names;
    const char *file;              /* of the lines that follow */
    const struct place_cost *cost; /* not written yet, by function */
    const struct place_cost *cost_end;
};

static void enter_file(struct writer *writer, const struct place *place)
{
    const char *home = writer->profile->function[place->owner].file;

    if (!strcmp(writer->file, place->file))
        return;
    add_file(writer->out, &writer->names,
             strcmp(place->file, home) != 0 ? "fi" : "fe", place->file);
    writer->file = place->file;
}

static void write_call(struct writer *writer, const struct call_edge *edge)
{
    const struct profile *profile = writer->profile;
    const struct profile_function *callee = &profile->function[edge->callee];
    const struct place *place = &profile->place[edge->place];

    enter_file(writer, place);
    add_file(writer->out, &writer->names, "cfi", callee->file);
    add_function(writer->out, &writer->names, "cfn", profile, edge->callee);
    buf_add_format(writer->out, "calls=%" PRIu64 " %u\n%u %" PRIu64 "\n",
                   edge->count, callee->line, place->line, edge->inclusive);
}

/* The function's lines, behind its name; false if it cost nothing itself. */
static bool write_costs(struct writer *writer, uint32_t function)
{
    const struct profile *profile = writer->profile;
    const struct place_cost *cost = writer->cost;

    if (cost == writer->cost_end ||
        profile->place[cost->place].owner != function)
        return false;
    writer->file = profile->function[function].file;
    buf_add_char(writer->out, '\n');
    add_file(writer->out, &writer->names, "fl", writer->file);
    add_function(writer->out, &writer->names, "fn", profile, function);
    for (; cost < writer->cost_end; cost++) {
        const struct place *place = &profile->place[cost->place];
        if (place->owner != function)
            break;
        enter_file(writer, place);
        buf_add_format(writer->out, "%u %" PRIu64 "\n", place->line,
                       cost->instructions);
    }
    writer->cost = cost;
    return true;
}

static void write_functions(struct writer *writer,
                            const struct call_graph *graph)
{
    const struct profile *profile = writer->profile;
    size_t edge = 0;

    for (uint32_t f = 0; f < profile->function_count; f++) {
        bool has_costs = write_costs(writer, f);
        for (; edge < graph->edge_count &&
               profile->place[graph->edge[edge].place].owner == f;
             edge++)
            if (has_costs)
                write_call(writer, &graph->edge[edge]);
    }
}

int format_callgrind(const struct profile *profile, struct buf *out,
                     struct err *err)
{
    auto_free struct place_cost *costs = NULL;
    auto_call_graph struct call_graph graph = {0};
    auto_free bool *is_said = mem_calloc(profile->function_count + 1, 1);
    size_t count = profile_costs(profile, NULL, &costs);
    uint64_t total = profile_total(profile);
    struct writer writer = {
        .profile = profile,
        .out = out,
        .names = {.file = json_object(), .is_said = is_said},
    };

    (void)err;
    calls_graph(profile, NULL, &graph);
    qsort_r(costs, count, sizeof *costs, by_owner, profile->place);
    buf_add_str(out, "# callgrind format\nversion: 1\ncreator: bout\n"
                     "cmd: bot\npart: 1\ndesc: Trigger: ");
    report_add_turns(out, profile);
    buf_add_format(out, "\npositions: line\nevents: Ir\nsummary: %" PRIu64 "\n",
                   total);
    writer.cost = costs;
    writer.cost_end = costs + count;
    write_functions(&writer, &graph);
    buf_add_format(out, "\ntotals: %" PRIu64 "\n", total);
    json_decref(writer.names.file);
    return 0;
}
