/* calls: the edges of the call graph and their counts. What they cost is in
 * calls_cost.c. */
#include "profiler/report/calls_internal.h"

#include "profiler/report/calls_cost_internal.h"
#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

#include <string.h>

void calls_release(struct calls *calls)
{
    free(calls->site);
    free(calls->entry);
    *calls = (struct calls){0};
}

void calls_add_site(struct calls *calls, const struct call_site *site)
{
    if (calls->site_count == calls->site_capacity) {
        calls->site_capacity = calls->site_capacity * 2 + 256;
        calls->site = mem_realloc(calls->site,
                                  calls->site_capacity * sizeof *calls->site);
    }
    calls->site[calls->site_count] = *site;
    calls->site[calls->site_count++].callee = CALLS_NOBODY;
}

void calls_add_entry(struct calls *calls, const struct call_entry *entry)
{
    if (calls->entry_count == calls->entry_capacity) {
        calls->entry_capacity = calls->entry_capacity * 2 + 256;
        calls->entry = mem_realloc(calls->entry, calls->entry_capacity *
                                                     sizeof *calls->entry);
    }
    calls->entry[calls->entry_count++] = *entry;
}

void calls_resolve(struct calls *calls)
{
    json_t *module[2] = {json_object(), json_object()};

    for (size_t i = 0; i < calls->entry_count; i++) {
        const struct call_entry *entry = &calls->entry[i];
        json_object_set_new(module[entry->in_bot], entry->symbol,
                            json_integer(entry->function));
    }
    for (size_t i = 0; i < calls->site_count; i++) {
        struct call_site *site = &calls->site[i];
        const json_t *callee =
            json_object_get(module[site->from_bot], site->symbol);
        if (!callee)
            callee = json_object_get(module[!site->from_bot], site->symbol);
        if (callee && site->symbol[0])
            site->callee = (uint32_t)json_integer_value(callee);
    }
    json_decref(module[0]);
    json_decref(module[1]);
}

/* ---- counts -------------------------------------------------------------- */

static uint64_t *sum_words(const struct profile *profile,
                           const struct profile_turn *turn)
{
    size_t words = profile->words.read + profile->words.derived_count;
    uint64_t *sum = mem_calloc(words, sizeof *sum);

    for (size_t t = 0; t < profile->turn_count; t++) {
        if (turn && turn != &profile->turn[t])
            continue;
        for (size_t i = 0; i < words; i++)
            sum[i] += profile->turn[t].moved[i];
    }
    return sum;
}

static void edge_add(struct call_graph *graph, size_t *capacity, uint32_t place,
                     uint32_t callee, uint64_t count)
{
    if (!count)
        return;
    if (graph->edge_count == *capacity) {
        *capacity = *capacity * 2 + 256;
        graph->edge = mem_realloc(graph->edge, *capacity * sizeof *graph->edge);
    }
    graph->edge[graph->edge_count++] =
        (struct call_edge){.place = place, .callee = callee, .count = count};
}

/* ---- calls through pointers ---------------------------------------------- */

/* What was entered more often than it was called by name, by function type. */
struct entered {
    const char *type;
    uint32_t function;
    uint64_t count;
};

static int entered_compare(const void *left, const void *right)
{
    const struct entered *a = left;
    const struct entered *b = right;
    int order = strcmp(a->type, b->type);

    return order ? order
                 : (a->function > b->function) - (a->function < b->function);
}

static size_t entered_find(const struct profile *profile,
                           const struct call_graph *graph,
                           struct entered *entered)
{
    const struct calls *calls = &profile->calls;
    auto_free uint64_t *rest = mem_calloc(graph->functions, sizeof *rest);
    size_t count = 0;

    memcpy(rest, graph->entries, graph->functions * sizeof *rest);
    for (size_t i = 0; i < graph->edge_count; i++) {
        uint64_t *of = &rest[graph->edge[i].callee];
        *of -= graph->edge[i].count < *of ? graph->edge[i].count : *of;
    }
    for (size_t i = 0; i < calls->entry_count; i++) {
        uint32_t function = calls->entry[i].function;
        if (!rest[function])
            continue;
        entered[count] = (struct entered){.type = calls->entry[i].type,
                                          .function = function,
                                          .count = rest[function]};
        count++;
        rest[function] = 0;
    }
    qsort(entered, count, sizeof *entered, entered_compare);
    return count;
}

static uint64_t calls_of_type(const struct profile *profile,
                              const uint64_t *words, const char *type)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < profile->calls.site_count; i++) {
        const struct call_site *site = &profile->calls.site[i];
        if (!site->symbol[0] && words[site->word] && !strcmp(site->type, type))
            sum += words[site->word];
    }
    return sum;
}

/* Shares the calls of one type among `count` functions of that type, each
 * getting no more than it was entered. */
static void share_calls(const struct profile *profile, const uint64_t *words,
                        const struct entered *entered, size_t count,
                        struct call_graph *graph, size_t *capacity)
{
    uint64_t whole = 0;
    uint64_t calls = calls_of_type(profile, words, entered->type);

    for (size_t i = 0; i < count; i++)
        whole += entered[i].count;
    if (calls > whole)
        whole = calls;
    for (size_t i = 0; i < count; i++) {
        uint64_t before = 0;
        for (size_t s = 0; s < profile->calls.site_count; s++) {
            const struct call_site *site = &profile->calls.site[s];
            uint64_t moved = words[site->word];
            if (site->symbol[0] || !moved ||
                strcmp(site->type, entered->type) != 0)
                continue;
            edge_add(graph, capacity, site->place, entered[i].function,
                     share_between(entered[i].count, before, moved, whole));
            before += moved;
        }
    }
}

static void add_pointer_calls(const struct profile *profile,
                              const uint64_t *words, struct call_graph *graph,
                              size_t *capacity)
{
    auto_free struct entered *entered =
        mem_calloc(profile->calls.entry_count + 1, sizeof *entered);
    size_t count = entered_find(profile, graph, entered);

    for (size_t i = 0; i < count;) {
        size_t next = i + 1;
        while (next < count && !strcmp(entered[next].type, entered[i].type))
            next++;
        share_calls(profile, words, &entered[i], next - i, graph, capacity);
        i = next;
    }
}

/* ---- the graph ----------------------------------------------------------- */

static int edge_compare(const void *left, const void *right, void *places)
{
    const struct call_edge *a = left;
    const struct call_edge *b = right;
    const struct place *place = places;
    uint32_t caller_a = place[a->place].owner;
    uint32_t caller_b = place[b->place].owner;

    if (caller_a != caller_b)
        return caller_a < caller_b ? -1 : 1;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return (a->callee > b->callee) - (a->callee < b->callee);
}

static void merge_edges(const struct profile *profile, struct call_graph *graph)
{
    size_t kept = 0;

    if (!graph->edge_count)
        return;
    qsort_r(graph->edge, graph->edge_count, sizeof *graph->edge, edge_compare,
            profile->place);
    for (size_t i = 1; i < graph->edge_count; i++) {
        if (edge_compare(&graph->edge[kept], &graph->edge[i], profile->place))
            graph->edge[++kept] = graph->edge[i];
        else
            graph->edge[kept].count += graph->edge[i].count;
    }
    graph->edge_count = kept + 1;
}

void calls_graph(const struct profile *profile, const struct profile_turn *turn,
                 struct call_graph *graph)
{
    const struct calls *calls = &profile->calls;
    auto_free uint64_t *words = sum_words(profile, turn);
    size_t capacity = 0;

    *graph = (struct call_graph){
        .functions = profile->function_count,
        .entries =
            mem_calloc(profile->function_count + 1, sizeof *graph->entries),
    };
    for (size_t i = 0; i < calls->entry_count; i++)
        graph->entries[calls->entry[i].function] += words[calls->entry[i].word];
    for (size_t i = 0; i < calls->site_count; i++)
        if (calls->site[i].callee != CALLS_NOBODY)
            edge_add(graph, &capacity, calls->site[i].place,
                     calls->site[i].callee, words[calls->site[i].word]);
    add_pointer_calls(profile, words, graph, &capacity);
    merge_edges(profile, graph);
    calls_cost(profile, words, graph);
}

void call_graph_release(struct call_graph *graph)
{
    free(graph->entries);
    free(graph->edge);
    *graph = (struct call_graph){0};
}
