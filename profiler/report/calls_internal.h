/* calls: who called whom, how often, and what the calls cost with all that they
 * called.
 *
 * How often is exact: a call's block counts its executions. The target of a
 * call through a pointer is known where one function alone of its type was
 * entered more often than it was called by name; else the calls are shared out
 * by those entries. A call's inclusive cost is its share (by calls) of what the
 * callee cost, as gprof does (Graham, Kessler, McKusick, 1982): exact where all
 * calls of a function cost alike. In a cycle every member has the cycle's cost,
 * and no function ever more than its callers paid.
 * A function that was entered in an earlier turn is nobody's callee in this
 * one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile;
struct profile_turn;

#define CALLS_NOBODY UINT32_MAX

/* A call in a block. Strings are borrowed from the block tables. */
struct call_site {
    uint32_t word; /* the block's executions */
    uint32_t place;
    const char *symbol; /* "" where through a pointer of `type` */
    const char *type;
    bool from_bot;
    uint32_t callee; /* function, or CALLS_NOBODY: a native or a pointer */
};

/* A function's first block. */
struct call_entry {
    uint32_t function;
    uint32_t word;
    const char *symbol;
    const char *type;
    bool in_bot;
};

struct calls {
    struct call_site *site;
    size_t site_count;
    size_t site_capacity;
    struct call_entry *entry;
    size_t entry_count;
    size_t entry_capacity;
};

void calls_release(struct calls *calls);
void calls_add_site(struct calls *calls, const struct call_site *site);
void calls_add_entry(struct calls *calls, const struct call_entry *entry);

/* Finds the callees, once all functions are known: a symbol is sought in the
 * caller's own module first. */
void calls_resolve(struct calls *calls);

/* Calls from one place to one function. */
struct call_edge {
    uint32_t place; /* its owner is the caller */
    uint32_t callee;
    uint64_t count;
    uint64_t inclusive;
};

struct call_graph {
    size_t functions;
    uint64_t *entries;      /* by function: how often it was entered */
    struct call_edge *edge; /* sorted by caller, place, callee */
    size_t edge_count;
};

/* `turn` NULL means all turns together. */
void calls_graph(const struct profile *profile, const struct profile_turn *turn,
                 struct call_graph *graph);
void call_graph_release(struct call_graph *graph);
#define auto_call_graph __attribute__((cleanup(call_graph_release)))
