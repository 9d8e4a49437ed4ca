#include "runner/match/limits.h"

#include "instrument/bot/page.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)

/* One row a limit, in the order of the match log. A limit with a multiple
 * follows turn_soft unless it is given itself. */
static const struct limit {
    const char *key;
    size_t offset;
    uint64_t start;    /* the default; 0 where `multiple` makes it */
    uint64_t multiple; /* of turn_soft; 0: none */
    uint64_t most;     /* what the memory map or a type can hold */
    uint64_t least;
} table[] = {
#define LIMIT_FROM(least, field, start, multiple, most)                      \
    {                                                                        \
#field, offsetof(struct limits, field), start, multiple, most, least \
    }
#define LIMIT(...) LIMIT_FROM(1, __VA_ARGS__)
    LIMIT(turn_soft, 10000000, 0, LIMITS_MAX_NUMBER),
    LIMIT(turn_hard, 0, 3, LIMITS_MAX_NUMBER),
    LIMIT_FROM(0, turn_bank, 0, 0, LIMITS_MAX_NUMBER),
    LIMIT(match_total, 0, 100, LIMITS_MAX_NUMBER),
    LIMIT(startup, 0, 10, LIMITS_MAX_NUMBER),
    LIMIT(memory_bytes, 64 * MIB, 0, PAGE_HEAP_MAX_BYTES),
    LIMIT(stack_bytes, 8 * MIB, 0, PAGE_STACK_MAX_BYTES),
    LIMIT(reply_bytes, 64 * KIB, 0, 4096 * MIB),
    LIMIT(view_bytes, 1 * MIB, 0, 4096 * MIB),
    LIMIT(log_bytes, 64 * KIB, 0, 4096 * MIB),
    LIMIT(log_match_bytes, 4 * MIB, 0, LIMITS_MAX_NUMBER),
    LIMIT(match_log_bytes, 8 * MIB, 0, LIMITS_MAX_NUMBER),
    LIMIT(turns, 0, 0, UINT32_MAX),
#undef LIMIT
#undef LIMIT_FROM
};
#define LIMIT_COUNT (sizeof table / sizeof *table)

static uint64_t *limit_of(struct limits *limits, const struct limit *row)
{
    return (uint64_t *)(void *)((char *)limits + row->offset);
}

static const struct limit *limit_find(const char *key)
{
    for (size_t i = 0; i < LIMIT_COUNT; i++)
        if (!strcmp(table[i].key, key))
            return &table[i];
    return NULL;
}

/* Sets what is a multiple of turn_soft; with only_lower never upwards. */
static void limits_follow(struct limits *limits, bool only_lower)
{
    for (size_t i = 0; i < LIMIT_COUNT; i++) {
        uint64_t *value = limit_of(limits, &table[i]);
        uint64_t multiple;

        if (!table[i].multiple)
            continue;
        if (__builtin_mul_overflow(limits->turn_soft, table[i].multiple,
                                   &multiple) ||
            multiple > LIMITS_MAX_NUMBER)
            multiple = LIMITS_MAX_NUMBER;
        if (!only_lower || multiple < *value)
            *value = multiple;
    }
}

void limits_init(struct limits *limits, uint64_t game_turn_soft,
                 uint64_t game_turn_bank, uint64_t game_turns)
{
    for (size_t i = 0; i < LIMIT_COUNT; i++)
        *limit_of(limits, &table[i]) = table[i].start;
    if (game_turn_soft)
        limits->turn_soft = game_turn_soft < LIMITS_MAX_NUMBER
                                ? game_turn_soft
                                : LIMITS_MAX_NUMBER;
    limits->turn_bank =
        game_turn_bank < LIMITS_MAX_NUMBER ? game_turn_bank : LIMITS_MAX_NUMBER;
    limits->turns = game_turns;
    limits_follow(limits, false);
}

static int limit_unknown(const char *key, struct err *err)
{
    char known[256] = "";

    for (size_t i = 0; i < LIMIT_COUNT; i++) {
        strncat(known, i ? ", " : "", sizeof known - strlen(known) - 1);
        strncat(known, table[i].key, sizeof known - strlen(known) - 1);
    }
    return err_set(err, ERR_INPUT, "limit '%.40s' is not known; there are %s",
                   key, known);
}

/* Sets one limit of *next; `before` is what only_lower compares with (NULL: any
 * value may be set). */
static int limit_set(struct limits *next, const struct limits *before,
                     const char *key, const json_t *to, struct err *err)
{
    const struct limit *row = limit_find(key);

    if (!row)
        return limit_unknown(key, err);
    json_int_t number = json_integer_value(to);
    if (!json_is_integer(to) || number < (json_int_t)row->least ||
        (uint64_t)number > row->most)
        return err_set(err, ERR_INPUT,
                       "limit %s must be an integer from %" PRIu64
                       " to %" PRIu64,
                       key, row->least, row->most);

    struct limits old = before ? *before : (struct limits){0};
    uint64_t most = *limit_of(&old, row);
    /* turns 0 stands for "the game's": any number is at most that. */
    bool is_open = !before || (!most && row->least > 0);
    if (!is_open && (uint64_t)number > most)
        return err_set(err, ERR_INPUT,
                       "limit %s can only be lowered: it is %" PRIu64, key,
                       most);
    *limit_of(next, row) = (uint64_t)number;
    return 0;
}

int limits_apply(struct limits *limits, const json_t *object, bool only_lower,
                 struct err *err)
{
    struct limits next = *limits;
    const struct limits *before = only_lower ? limits : NULL;
    const json_t *soft = json_object_get(object, "turn_soft");
    const char *key;
    json_t *value;

    if (!json_is_object(object))
        return err_set(err, ERR_INPUT, "limits must be a JSON object");
    if (soft) {
        if (limit_set(&next, before, "turn_soft", soft, err) < 0)
            return -1;
        limits_follow(&next, only_lower);
    }
    /* The macro wants an object that it could change; it changes nothing. */
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        if (limit_set(&next, before, key, value, err) < 0)
            return -1;
    }
    if (next.stack_bytes >= next.memory_bytes)
        return err_set(err, ERR_INPUT,
                       "limit memory_bytes (%" PRIu64 ") must be more than "
                       "stack_bytes (%" PRIu64 "), which is part of it: give "
                       "a smaller stack_bytes too",
                       next.memory_bytes, next.stack_bytes);
    *limits = next;
    return 0;
}

int limits_check_views(const struct limits *limits, const char *game,
                       uint64_t most_bytes, struct err *err)
{
    if (limits->view_bytes >= most_bytes)
        return 0;
    return err_set(err, ERR_INPUT,
                   "limit view_bytes must be at least %" PRIu64
                   ", the most that a view of %s may have",
                   most_bytes, game);
}

int limits_parse(json_t *object, const char *text, struct err *err)
{
    const char *equals = strchr(text, '=');
    uint64_t number = 0;

    if (!equals || equals == text || !equals[1])
        return err_set(err, ERR_INPUT,
                       "'%.60s' is not KEY=VALUE, as in turn_soft=1000000",
                       text);
    for (const char *at = equals + 1; *at; at++) {
        if (*at < '0' || *at > '9' || number > LIMITS_MAX_NUMBER)
            return err_set(err, ERR_INPUT,
                           "limit '%.60s': the value must be a number of at "
                           "most 2^53-1",
                           text);
        number = number * 10 + (uint64_t)(*at - '0');
    }
    if (number > LIMITS_MAX_NUMBER)
        return err_set(err, ERR_INPUT, "limit '%.60s' is over 2^53-1", text);

    char key[64] = "";
    if ((size_t)(equals - text) < sizeof key)
        memcpy(key, text, (size_t)(equals - text));
    if (!limit_find(key))
        return limit_unknown(key, err);
    json_object_set_new(object, key, json_integer((json_int_t)number));
    return 0;
}

json_t *limits_json(const struct limits *limits)
{
    struct limits copy = *limits;
    json_t *object = json_object();

    for (size_t i = 0; i < LIMIT_COUNT; i++) {
        uint64_t value = *limit_of(&copy, &table[i]);
        if (!value)
            continue; /* turns: left to the game; turn_bank: none */
        json_object_set_new(object, table[i].key,
                            json_integer((json_int_t)value));
    }
    return object;
}

uint64_t limits_multiple(const char *key)
{
    const struct limit *row = limit_find(key);

    return row ? row->multiple : 0;
}

uint64_t limits_cpu_ns(uint64_t budget)
{
    uint64_t most = (UINT64_MAX - 1000000000u) / 500;

    return 1000000000u + 500 * (budget < most ? budget : most);
}

uint64_t limits_cpu_s(const struct limits *limits)
{
    const uint64_t most = UINT64_MAX / 4;
    uint64_t startup = limits_cpu_ns(limits->startup);
    uint64_t total = limits_cpu_ns(limits->match_total);
    uint64_t ns = startup < most && total < most ? startup + total : most;

    /* Each turn's net has its own second. */
    return ns / 1000000000u + 1 + (limits->turns ? limits->turns : 10000u);
}
