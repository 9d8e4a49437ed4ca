/* game: what a referee written in C must provide.
 *
 * A referee is a program built by bout's own toolchain and jailed like a bot,
 * so it is deterministic by that alone: no clock, no randomness but `seed`. Its
 * file defines `const struct game game` and nothing else global;
 * runner/games/referee.c, built with it, does the framing over stdin/stdout.
 *
 * Calling order: create; then for each step: over? (stop) ; asked and view for
 * every slot; parse for each reply that arrived; pass for each that did not (or
 * is not legal); apply. out(slot) comes at most once a slot, between steps or
 * before apply: the bot is gone and the game goes on without it if it can.
 * A referee's crash or overrun is a failure of the service, never of a bot.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct game_text {
    char *bytes; /* grows; the runtime owns it */
    size_t size;
    size_t capacity;
};

/* Appends; for view and describe. Provided by the referee runtime. */
void game_print(struct game_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

struct game_limits {
    uint64_t turn_soft;  /* instructions; 0 means the service's default */
    uint64_t turn_bank;  /* a time bank: what a turn leaves of its turn_soft
                            may be used by later turns, up to this many
                            instructions together; 0: nothing is saved */
    uint32_t turns;      /* most steps of a match; must not be 0 */
    uint64_t view_bytes; /* of its largest view; 0 means 1 MiB. The limit of
                            that name cannot be lowered below it */
};

struct game {
    const char *name;  /* "tron": lower case, digits, '-' */
    const char *label; /* "Tron": for people */
    unsigned min_slots;
    unsigned max_slots;
    struct game_limits limits;

    /* The state belongs to the runtime until free. `seed` is this game's own
     * stream, unrelated to those of the slots. */
    void *(*create)(uint64_t seed, unsigned slots);
    /* Does this slot move in the coming step? */
    int (*asked)(const void *state, unsigned slot);
    /* What the slot sees. Ends with a newline, counts before lists. */
    void (*view)(const void *state, unsigned slot, struct game_text *out);
    /* Is `reply` a legal move? 1: remembered as the slot's move of this step;
     * 0: nothing remembered, *reason is a sentence. Changes nothing else. */
    int (*parse)(void *state, unsigned slot, const char *reply, size_t size,
                 const char **reason);
    /* The slot's move of this step is the pass move: always legal. */
    void (*pass)(void *state, unsigned slot);
    /* The slot's bot is out of the match. */
    void (*out)(void *state, unsigned slot);
    /* All moves of the step at once. */
    void (*apply)(void *state);
    int (*over)(const void *state);
    /* Higher is better; equal scores tie. Asked at any time. */
    int64_t (*score)(const void *state, unsigned slot);
    /* The public state for viewers: one JSON object on one line. A member
     * "grid", equally long strings, top row first, is what `bout watch` draws;
     * "line", a string, goes below it. viewer.js draws the rest. */
    void (*describe)(const void *state, struct game_text *out);
    void (*free)(void *state);
};

extern const struct game game;
