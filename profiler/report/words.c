#include "profiler/report/words.h"

#include "runner/base/buf.h"

#include <stdbool.h>
#include <stdlib.h>

#define SYSTEM_WORDS 3

void words_release(struct words *words)
{
    free(words->derived);
    free(words->term);
    free(words->twin);
    *words = (struct words){0};
}

uint32_t words_find(const struct words *words, const struct words_function *of,
                    json_int_t number)
{
    uint64_t rest = (uint64_t)number;

    for (int i = 0; number >= 0 && i <= WORDS_GROUPS; i++) {
        if (rest < of->count[i]) {
            uint64_t word = of->at[i] + rest;
            bool is_read = i < WORDS_GROUPS;

            return is_read && word >= words->read - SYSTEM_WORDS
                       ? WORDS_NONE
                       : (uint32_t)word;
        }
        rest -= of->count[i];
    }
    return WORDS_NONE;
}

static void add_term(struct words *words, struct words_term term)
{
    if (words->term_count == words->term_capacity) {
        words->term_capacity = words->term_capacity * 2 + 256;
        words->term =
            mem_realloc(words->term, words->term_capacity * sizeof term);
    }
    words->term[words->term_count++] = term;
}

static struct words_derived *add_derived(struct words *words)
{
    if (words->derived_count == words->derived_capacity) {
        words->derived_capacity = words->derived_capacity * 2 + 256;
        words->derived = mem_realloc(
            words->derived, words->derived_capacity * sizeof *words->derived);
    }
    return &words->derived[words->derived_count++];
}

void words_add_twin(struct words *words, struct words_twin twin)
{
    if (words->twin_count == words->twin_capacity) {
        words->twin_capacity = words->twin_capacity * 2 + 64;
        words->twin =
            mem_realloc(words->twin, words->twin_capacity * sizeof twin);
    }
    words->twin[words->twin_count++] = twin;
}

/* One list of pairs: word, factor. */
static int derive_one(struct words *words, struct words_function *of,
                      const json_t *pairs)
{
    uint32_t first = (uint32_t)words->term_count;
    size_t count = json_array_size(pairs) / 2;

    for (size_t i = 0; i < count; i++) {
        json_int_t number = json_integer_value(json_array_get(pairs, 2 * i));
        struct words_term term = {
            .word = words_find(words, of, number),
            .factor = json_integer_value(json_array_get(pairs, 2 * i + 1)),
        };

        if (term.word == WORDS_NONE)
            return -1;
        add_term(words, term);
    }
    *add_derived(words) =
        (struct words_derived){.term = first, .term_count = (uint32_t)count};
    of->count[WORDS_GROUPS]++;
    return 0;
}

int words_open(struct words *words, const json_t *function,
               const json_t *linked, struct words_function *of)
{
    static const char *const groups[WORDS_GROUPS] = {"fuel", "counters",
                                                     "stops", "reference"};
    const json_t *at = json_object_get(linked, "words");
    const json_t *pairs;
    size_t i;

    *of = (struct words_function){0};
    for (i = 0; i < WORDS_GROUPS; i++) {
        of->at[i] = (uint64_t)json_integer_value(json_array_get(at, i));
        of->count[i] =
            (uint64_t)json_integer_value(json_object_get(function, groups[i]));
    }
    of->at[WORDS_GROUPS] = words->read + words->derived_count;
    json_array_foreach(json_object_get(function, "derived"), i, pairs) {
        if (derive_one(words, of, pairs) < 0)
            return -1;
    }
    return 0;
}

void words_derive(const struct words *words, uint64_t *moved)
{
    uint64_t *derived = moved + words->read;

    for (size_t i = 0; i < words->derived_count; i++) {
        const struct words_term *term = &words->term[words->derived[i].term];

        derived[i] = 0;
        for (uint32_t k = 0; k < words->derived[i].term_count; k++)
            derived[i] += (uint64_t)term[k].factor * moved[term[k].word];
    }
    /* Calls that were open at the last turn's end may have come back, so that
     * what is derived on the way may well be negative. */
    for (size_t i = 0; i < words->derived_count; i++)
        if ((int64_t)derived[i] < 0)
            derived[i] = 0;
}

const struct words_twin *words_compare(const struct words *words,
                                       const uint64_t *moved)
{
    for (size_t i = 0; i < words->twin_count; i++)
        if (moved[words->twin[i].word] != moved[words->twin[i].reference])
            return &words->twin[i];
    return NULL;
}
