/* calls_cost: fills in what each edge of a call graph cost, callees included.
 */
#pragma once

#include "profiler/report/calls_internal.h"

/* Edges sorted by caller, counts known. `words`: how far each counter moved. */
void calls_cost(const struct profile *profile, const uint64_t *words,
                struct call_graph *graph);

/* The part of `amount` that falls to the units from `before` to `before + n` of
 * `whole`; parts that follow each other add up without a remainder. */
static inline uint64_t share_between(uint64_t amount, uint64_t before,
                                     uint64_t n, uint64_t whole)
{
    __extension__ typedef unsigned __int128 wide;

    if (!whole)
        return 0;
    return (uint64_t)((wide)amount * (before + n) / whole -
                      (wide)amount * before / whole);
}
