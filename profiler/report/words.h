/* words: what the counters of a build say of each block (blocks.json).
 *
 * Not every block has a counter of its own: the tables say how the executions
 * of the others follow, as words that are derived from words before them. A
 * function's words are numbered from 0 in the tables; the layout says where
 * each group of them begins. In a profile the derived words come behind all
 * those that are read.
 */
#pragma once

#include "runner/base/err.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#define WORDS_GROUPS 4
#define WORDS_NONE UINT32_MAX

struct words_term {
    uint32_t word;
    int64_t factor;
};

struct words_derived {
    uint32_t term, term_count;
};

/* A block that two placements count: their words have to be equal. */
struct words_twin {
    uint32_t word, reference, place;
};

struct words {
    size_t read; /* words that come from outside, the system's 3 the last */
    struct words_derived *derived;
    size_t derived_count, derived_capacity;
    struct words_term *term;
    size_t term_count, term_capacity;
    struct words_twin *twin;
    size_t twin_count, twin_capacity;
};

void words_release(struct words *words);

/* Where the words of one function are: its groups, then its derived ones. */
struct words_function {
    uint64_t at[WORDS_GROUPS + 1];
    uint64_t count[WORDS_GROUPS + 1];
};

/* Takes in a function's derived words; `linked` is its entry in the layout. -1
 * if they name a word that is not there. */
int words_open(struct words *words, const json_t *function,
               const json_t *linked, struct words_function *of);
/* The word of that number, WORDS_NONE if there is none. */
uint32_t words_find(const struct words *words, const struct words_function *of,
                    json_int_t number);
void words_add_twin(struct words *words, struct words_twin twin);

/* Fills in the derived words behind those that were read. Where a bad address
 * ended a turn between an edge and its block, a block may seem to have run
 * less than never: that is never. */
void words_derive(const struct words *words, uint64_t *moved);

/* The first twin that disagrees, or NULL. */
const struct words_twin *words_compare(const struct words *words,
                                       const uint64_t *moved);
