/* hundred: a game for the benchmarks: 100 steps, both slots asked in each, 64
 * bytes of view, any number is a move and adds to the score. */
#include "runner/game.h"

#include <stdlib.h>

#define STEPS 100

struct hundred {
    int step;
    long move[2];
    long score[2];
};

static void *create(uint64_t seed, unsigned slots)
{
    (void)seed;
    (void)slots;
    return calloc(1, sizeof(struct hundred));
}

static int asked(const void *state, unsigned slot)
{
    (void)state;
    (void)slot;
    return 1;
}

static void view(const void *state, unsigned slot, struct game_text *out)
{
    const struct hundred *hundred = state;

    game_print(out, "%3d %u %10ld %10ld .................................\n",
               hundred->step, slot, hundred->score[0], hundred->score[1]);
}

static int parse(void *state, unsigned slot, const char *reply, size_t size,
                 const char **reason)
{
    struct hundred *hundred = state;
    char *end;

    (void)size;
    hundred->move[slot] = strtol(reply, &end, 10);
    *reason = "not a number";
    return end != reply;
}

static void pass(void *state, unsigned slot)
{
    struct hundred *hundred = state;

    hundred->move[slot] = 0;
}

static void out(void *state, unsigned slot)
{
    pass(state, slot);
}

static void apply(void *state)
{
    struct hundred *hundred = state;

    for (int slot = 0; slot < 2; slot++)
        hundred->score[slot] += hundred->move[slot];
    hundred->step++;
}

static int over(const void *state)
{
    const struct hundred *hundred = state;

    return hundred->step == STEPS;
}

static int64_t score(const void *state, unsigned slot)
{
    const struct hundred *hundred = state;

    return hundred->score[slot];
}

static void describe(const void *state, struct game_text *text)
{
    const struct hundred *hundred = state;

    game_print(text, "{\"step\":%d}", hundred->step);
}

const struct game game = {
    .name = "hundred",
    .label = "A hundred steps",
    .min_slots = 2,
    .max_slots = 2,
    .limits = {.turns = STEPS},
    .create = create,
    .asked = asked,
    .view = view,
    .parse = parse,
    .pass = pass,
    .out = out,
    .apply = apply,
    .over = over,
    .score = score,
    .describe = describe,
    .free = free,
};
