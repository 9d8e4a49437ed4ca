/* games: what can be played here, as the service knows it. Read once at start
 * (a game is a program of ours and changes only with the service), then read
 * only. */
#pragma once

#include "runner/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct request;

struct games_row {
    char *name;    /* "tron" */
    char *label;   /* "Tron" */
    char *version; /* hash of the referee's build */
    unsigned min_slots;
    unsigned max_slots;
    uint64_t turn_soft;  /* instructions; 0: the service's default */
    uint64_t turns;      /* most steps */
    uint64_t view_bytes; /* of its largest view */
    uint64_t turn_bank;  /* most instructions that are saved */
};

struct games {
    struct games_row *row; /* by name */
    size_t count;
};

void games_free(struct games *games);

/* NULL: there is no such game. */
const struct games_row *games_find(const struct games *games, const char *name);

/* Is it played here? Answers 404 otherwise. For what a path or query names. */
bool games_must_find(struct request *request, const char *name);
