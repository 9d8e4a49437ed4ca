/* limits: the numbers of contract section 3, their defaults and how a user may
 * lower them. All counts are instructions, all sizes bytes. */
#pragma once

#include "runner/base/err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define LIMITS_MAX_NUMBER 9007199254740991u /* 2^53 - 1 */

struct limits {
    uint64_t turn_soft;
    uint64_t turn_hard;
    uint64_t turn_bank; /* the most that is saved for later turns; 0: nothing */
    uint64_t match_total;
    uint64_t startup;
    uint64_t memory_bytes;
    uint64_t stack_bytes;
    uint64_t reply_bytes;
    uint64_t view_bytes;
    uint64_t log_bytes;       /* a turn */
    uint64_t log_match_bytes; /* a match */
    uint64_t match_log_bytes;
    uint64_t turns; /* 0: the game's */
};

/* The defaults, with a game's own turn_soft, turn_bank and turns (0: none). */
void limits_init(struct limits *limits, uint64_t game_turn_soft,
                 uint64_t game_turn_bank, uint64_t game_turns);

/* Processor seconds that all turns of a match may take together by their nets,
 * for box_spec.cpu_s. */
uint64_t limits_cpu_s(const struct limits *limits);

/* Applies {"turn_soft": N, ...}. Values are integers of 1 to 2^53-1; multiples
 * of turn_soft that are not given follow the new turn_soft; turn_bank may be 0.
 * With `only_lower` a value above the present one is ERR_INPUT naming the key.
 */
int limits_apply(struct limits *limits, const json_t *object, bool only_lower,
                 struct err *err);

/* ERR_INPUT where view_bytes is less than the `most_bytes` that a view of this
 * game may have: such a match could not be played. */
int limits_check_views(const struct limits *limits, const char *game,
                       uint64_t most_bytes, struct err *err);

/* One KEY=VALUE of the command line into `object` (a JSON object). */
int limits_parse(json_t *object, const char *text, struct err *err);

/* All of them, in the fixed order of the match log; `turns` is left out while
 * it is the game's, turn_bank while there is none. limits_apply reads it back.
 * New reference. */
json_t *limits_json(const struct limits *limits);

/* Of which multiple of turn_soft the limit is by default; 0: of none. */
uint64_t limits_multiple(const char *key);

/* cpu_ns of a turn: 1 s + 500 ns for each instruction of its budget. */
uint64_t limits_cpu_ns(uint64_t budget);
