/* model_internal: what the writers of this folder read. */
#pragma once

#include "profiler/decode.h"
#include "profiler/report/calls_internal.h"
#include "profiler/report/report.h"
#include "profiler/report/words.h"

#include <stdbool.h>

/* A function as the source names it. Strings live in the profile. */
struct profile_function {
    char *name;
    char *file; /* "" for the system's charges */
    uint32_t line;
};

/* A place that instructions are counted at. Code that was inlined into `owner`
 * keeps the file and line where it was written. */
struct place {
    uint32_t owner; /* function */
    char *file;
    uint32_t line;
};

/* One share of a counter: each step of `word` is `instructions` at `place`. */
struct share {
    uint32_t word;
    uint32_t place;
    uint64_t instructions;
    bool is_block; /* steps are executions; else they are a price */
};

struct profile_turn {
    uint32_t turn;
    unsigned slot;
    uint64_t *moved;   /* words, and the derived ones */
    struct buf blocks; /* the program's own, a stream; empty: none */
};

struct source_text {
    char *path;
    const char *bytes;
    size_t size;
};

struct profile {
    struct words words;
    struct profile_function *function;
    size_t function_count;
    size_t function_capacity;
    struct calls calls;
    struct place *place;
    size_t place_count;
    size_t place_capacity;
    uint32_t *order; /* of the places: by file, line, function */
    struct share *share;
    size_t share_count;
    size_t share_capacity;
    struct profile_turn *turn;
    size_t turn_count;
    uint64_t turn_soft; /* 0: not told */
    struct source_text *source;
    size_t source_count;
    json_t *function_index; /* "name\nfile\nline" -> function */
    json_t *place_index;    /* "function\nfile\nline" -> place */
};

/* What one place cost, in one turn or over all of them. */
struct place_cost {
    uint32_t place;
    uint64_t executions; /* of its most executed block */
    uint64_t instructions;
};

/* Costs of the places that were reached, dearest first (ties: by file, line,
 * function). `turn` NULL means all turns. The caller frees *out. */
size_t profile_costs(const struct profile *profile,
                     const struct profile_turn *turn, struct place_cost **out);

uint64_t profile_turn_total(const struct profile *profile,
                            const struct profile_turn *turn);

/* ---- the program's own blocks (named.c) ------------------------------------
 */

/* Adds what a turn's stream holds to the tree. Returns what it says was lost.
 */
uint64_t named_add(const struct profile_turn *turn, struct decode_tree *tree);

/* Each block, frame and message of the turn's stream. */
void named_read(const struct profile_turn *turn,
                void (*take)(void *user, const struct decode_item *item),
                void *user);

bool named_any(const struct profile *profile);

static inline const char *place_function(const struct profile *profile,
                                         const struct place *place)
{
    return profile->function[place->owner].name;
}

/* ---- what writers share (format.c) ----------------------------------------
 */

/* A JSON string with its quotes. */
void report_add_json(struct buf *out, const char *text);

/* A decimal number: formats of a million rows spend their time here. */
void report_add_number(struct buf *out, uint64_t number);
#define REPORT_NUMBER_BYTES 20                      /* at most */
char *report_put_number(char *to, uint64_t number); /* returns its end */

/* Control characters and those of `forbidden` become '_'. */
void report_add_plain(struct buf *out, const char *text, const char *forbidden);

/* "turn 7", or "turns 3 to 9, summed". */
void report_add_turns(struct buf *out, const struct profile *profile);

#define FORMAT(NAME, name, ending, media_type, function)         \
    int function(const struct profile *profile, struct buf *out, \
                 struct err *err);
#include "profiler/report/format.def"
