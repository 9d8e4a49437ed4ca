/* skirmish: two armies on a grid, orders at once, hidden information; a match
 * is the best of three rounds on different maps. rules.md is what players read;
 * field.c has the rules of a step.
 */
#include "runner/game.h"

#include "field.h"
#include "maps.h"

#include <stdlib.h>
#include <string.h>

struct skirmish {
    uint64_t random;
    unsigned turn; /* the coming step of the match, from 1 */
    int round;     /* from 0 */
    int map[MAP_COUNT];
    int won[SIDES];
    int tied;
    int out[SIDES];
    struct field field;
};

static void *skirmish_create(uint64_t seed, unsigned slots)
{
    struct skirmish *match = calloc(1, sizeof *match);

    (void)slots; /* always two */
    if (!match || !field_maps_are_sound()) {
        free(match);
        return NULL;
    }
    match->random = seed;
    match->turn = 1;
    for (int i = 0; i < MAP_COUNT; i++)
        match->map[i] = i;
    for (int i = MAP_COUNT - 1; i > 0; i--) { /* Fisher, Yates */
        int other = (int)field_random(&match->random, (unsigned)i + 1);
        int held = match->map[i];
        match->map[i] = match->map[other];
        match->map[other] = held;
    }
    field_init(&match->field, match->map[0], &match->random);
    return match;
}

static int skirmish_over(const void *state)
{
    const struct skirmish *match = state;

    return match->out[0] || match->out[1] || match->round == ROUNDS ||
           match->won[0] > ROUNDS / 2 || match->won[1] > ROUNDS / 2;
}

static int skirmish_asked(const void *state, unsigned slot)
{
    (void)state;
    (void)slot;
    return 1;
}

/* ---- the view ---------------------------------------------------------------
 */

static void print_units(const struct field *field, int slot, int whose,
                        struct game_text *out)
{
    const struct side *side = &field->side[whose];
    int shown = 0;

    for (int i = 0; i < side->units; i++)
        shown += field_sees(field, slot, side->unit[i].x, side->unit[i].y);
    game_print(out, "%d\n", shown);
    for (int i = 0; i < side->units; i++) {
        const struct unit *unit = &side->unit[i];
        if (field_sees(field, slot, unit->x, unit->y))
            game_print(out, "%d %c %d %d %d\n", unit->id,
                       kinds[unit->kind].letter, field_turn_x(slot, unit->x),
                       field_turn_y(slot, unit->y), unit->hp);
    }
}

static void print_terrain(const struct field *field, int slot,
                          struct game_text *out)
{
    for (int y = 0; y < HEIGHT; y++) {
        char row[WIDTH + 1] = {0};
        for (int x = 0; x < WIDTH; x++)
            row[x] =
                field->terrain[field_turn_y(slot, y)][field_turn_x(slot, x)];
        game_print(out, "%s\n", row);
    }
}

/* Mines in the viewer's own order, the nearer half first for each side. */
static void print_mines(const struct field *field, int slot,
                        struct game_text *out)
{
    game_print(out, "%d\n", field->mines);
    for (int i = 0; i < field->mines; i++) {
        const struct mine *mine = &field->mine[i ^ slot];
        game_print(out, "%d %d %d\n", field_turn_x(slot, mine->x),
                   field_turn_y(slot, mine->y),
                   field_sees(field, slot, mine->x, mine->y) ? mine->gold : -1);
    }
}

static void skirmish_view(const void *state, unsigned slot,
                          struct game_text *out)
{
    const struct skirmish *match = state;
    const struct field *field = &match->field;
    int me = (int)slot;

    game_print(out, "%u %d %d %d %d\n", match->turn, match->round + 1,
               field->step + 1, match->won[me], match->won[1 - me]);
    game_print(out, "%d %d\n", WIDTH, HEIGHT);
    print_terrain(field, me, out);
    for (int i = 0; i < SIDES; i++) {
        int whose = i ? 1 - me : me;
        const struct side *side = &field->side[whose];
        int seen = field_sees(field, me, side->base_x, side->base_y);
        game_print(out, "%d %d %d\n", field_turn_x(me, side->base_x),
                   field_turn_y(me, side->base_y), seen ? side->base_hp : -1);
    }
    game_print(out, "%d\n", field->side[me].gold);
    print_mines(field, me, out);
    print_units(field, me, me, out);
    print_units(field, me, 1 - me, out);
}

/* ---- the orders -------------------------------------------------------------
 */

struct words {
    const char *at, *end;
};

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The next word; its size, 0 at the end. */
static size_t next_word(struct words *words, const char **word)
{
    while (words->at < words->end && is_space(*words->at))
        words->at++;
    *word = words->at;
    while (words->at < words->end && !is_space(*words->at))
        words->at++;
    return (size_t)(words->at - *word);
}

static int word_is(const char *word, size_t size, const char *text)
{
    return size == strlen(text) && !memcmp(word, text, size);
}

/* A number of 0 to 9999, or -1. */
static int next_number(struct words *words)
{
    const char *word;
    size_t size = next_word(words, &word);
    int number = 0;

    if (size < 1 || size > 4)
        return -1;
    for (size_t i = 0; i < size; i++) {
        if (word[i] < '0' || word[i] > '9')
            return -1;
        number = number * 10 + word[i] - '0';
    }
    return number;
}

/* Which of `letters` the next word is, or -1. */
static int next_letter(struct words *words, const char *letters)
{
    const char *word;
    size_t size = next_word(words, &word);
    const char *found = size == 1 && *word ? strchr(letters, *word) : NULL;

    return found ? (int)(found - letters) : -1;
}

/* The unit that an order is for; NULL with a reason. */
static struct unit *next_unit(struct words *words, struct side *side,
                              const char **reason)
{
    struct unit *unit = field_find(side, next_number(words));

    if (!unit)
        *reason = "an order names a unit that is not yours (or no number)";
    else if (unit->order != STAY)
        *reason = "a unit has two orders";
    return unit && unit->order == STAY ? unit : NULL;
}

static int parse_move(struct words *words, struct side *side, int slot,
                      const char **reason)
{
    struct unit *unit = next_unit(words, side, reason);

    if (!unit)
        return 0;
    int way = next_letter(words, direction_letters);
    if (way < 0) {
        *reason = "MOVE wants a unit and one of U, R, D, L";
        return 0;
    }
    if (slot)
        way = (way + 2) % 4; /* turned by 180 degrees */
    unit->order = MOVE;
    unit->to_x = unit->x + step_x[way];
    unit->to_y = unit->y + step_y[way];
    return 1;
}

static int parse_hit(struct words *words, struct side *side, int slot,
                     const char **reason)
{
    struct unit *unit = next_unit(words, side, reason);

    if (!unit)
        return 0;
    int x = next_number(words);
    int y = next_number(words);
    if (x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT) {
        *reason = "HIT wants a unit and a cell of the map";
        return 0;
    }
    unit->order = HIT;
    unit->to_x = field_turn_x(slot, x);
    unit->to_y = field_turn_y(slot, y);
    return 1;
}

static int parse_train(struct words *words, struct side *side,
                       const char **reason)
{
    int kind = next_letter(words, "WSA");

    if (kind < 0 || side->train >= 0) {
        *reason =
            kind < 0 ? "TRAIN wants one of W, S, A" : "two TRAIN in one turn";
        return 0;
    }
    side->train = kind;
    return 1;
}

static int parse_orders(struct words *words, struct side *side, int slot,
                        const char **reason)
{
    const char *word;
    int orders = 0;

    for (size_t size; (size = next_word(words, &word)) > 0; orders++) {
        int fine = word_is(word, size, "WAIT");
        if (word_is(word, size, "MOVE"))
            fine = parse_move(words, side, slot, reason);
        else if (word_is(word, size, "HIT"))
            fine = parse_hit(words, side, slot, reason);
        else if (word_is(word, size, "TRAIN"))
            fine = parse_train(words, side, reason);
        else if (!fine)
            *reason = "an order begins with MOVE, HIT, TRAIN or WAIT";
        if (!fine)
            return 0;
    }
    if (!orders)
        *reason = "no order: print WAIT to do nothing";
    return orders > 0;
}

static int skirmish_parse(void *state, unsigned slot, const char *reply,
                          size_t size, const char **reason)
{
    struct skirmish *match = state;
    struct side side = match->field.side[slot]; /* kept if all is well */
    struct words words = {reply, reply + size};

    *reason = NULL;
    if (!parse_orders(&words, &side, (int)slot, reason))
        return 0;
    match->field.side[slot] = side;
    return 1;
}

/* Nobody does anything. */
static void skirmish_pass(void *state, unsigned slot)
{
    struct skirmish *match = state;
    struct side *side = &match->field.side[slot];

    side->train = -1;
    for (int i = 0; i < side->units; i++)
        side->unit[i].order = STAY;
}

static void skirmish_out(void *state, unsigned slot)
{
    ((struct skirmish *)state)->out[slot] = 1;
}

static void skirmish_apply(void *state)
{
    struct skirmish *match = state;

    field_step(&match->field);
    match->turn++;
    if (!field_is_over(&match->field))
        return;
    int winner = field_winner(&match->field);
    if (winner < 0)
        match->tied++;
    else
        match->won[winner]++;
    match->round++;
    if (!skirmish_over(match))
        field_init(&match->field, match->map[match->round], &match->random);
}

/* Two for a round won, one for a tie; -1 for a bot that is out. */
static int64_t skirmish_score(const void *state, unsigned slot)
{
    const struct skirmish *match = state;

    if (match->out[slot])
        return -1;
    return 2 * match->won[slot] + match->tied;
}

/* ---- for viewers ------------------------------------------------------------
 */

static void draw(const struct field *field, char grid[HEIGHT][WIDTH])
{
    memcpy(grid, field->terrain, sizeof field->terrain);
    for (int i = 0; i < field->mines; i++)
        if (field->mine[i].gold)
            grid[field->mine[i].y][field->mine[i].x] = '$';
    for (int slot = 0; slot < SIDES; slot++) {
        const struct side *side = &field->side[slot];
        grid[side->base_y][side->base_x] = slot ? 'b' : 'B';
        for (int i = 0; i < side->units; i++) {
            char letter = kinds[side->unit[i].kind].letter;
            grid[side->unit[i].y][side->unit[i].x] =
                (char)(slot ? letter - 'A' + 'a' : letter);
        }
    }
}

static void describe_side(const struct side *side, struct game_text *out)
{
    game_print(out,
               "{\"gold\":%d,\"base\":{\"x\":%d,\"y\":%d,\"hp\":%d},"
               "\"units\":[",
               side->gold, side->base_x, side->base_y, side->base_hp);
    for (int i = 0; i < side->units; i++) {
        const struct unit *unit = &side->unit[i];
        game_print(out,
                   "%s{\"id\":%d,\"kind\":\"%c\",\"x\":%d,\"y\":%d,\"hp\":%d}",
                   i ? "," : "", unit->id, kinds[unit->kind].letter, unit->x,
                   unit->y, unit->hp);
    }
    game_print(out, "]}");
}

static void skirmish_describe(const void *state, struct game_text *out)
{
    const struct skirmish *match = state;
    const struct field *field = &match->field;
    char grid[HEIGHT][WIDTH];

    draw(field, grid);
    game_print(out, "{\"turn\":%u,\"round\":%d,\"step\":%d,\"won\":[%d,%d],",
               match->turn, match->round + 1, field->step, match->won[0],
               match->won[1]);
    game_print(out, "\"sides\":[");
    describe_side(&field->side[0], out);
    game_print(out, ",");
    describe_side(&field->side[1], out);
    game_print(out, "],\"mines\":[");
    for (int i = 0; i < field->mines; i++)
        game_print(out, "%s{\"x\":%d,\"y\":%d,\"gold\":%d}", i ? "," : "",
                   field->mine[i].x, field->mine[i].y, field->mine[i].gold);
    game_print(out, "],\"grid\":[");
    for (int y = 0; y < HEIGHT; y++)
        game_print(out, "%s\"%.*s\"", y ? "," : "", WIDTH, grid[y]);
    game_print(out,
               "],\"line\":\"round %d, rounds won %d:%d, bases %d:%d, gold "
               "%d:%d, units %d:%d\"}",
               match->round + 1, match->won[0], match->won[1],
               field->side[0].base_hp, field->side[1].base_hp,
               field->side[0].gold, field->side[1].gold, field->side[0].units,
               field->side[1].units);
}

static void skirmish_free(void *state)
{
    free(state);
}

const struct game game = {
    .name = "skirmish",
    .label = "Skirmish",
    .min_slots = SIDES,
    .max_slots = SIDES,
    .limits = {.turn_bank = TURN_BANK, .turns = ROUNDS * ROUND_STEPS},
    .create = skirmish_create,
    .asked = skirmish_asked,
    .view = skirmish_view,
    .parse = skirmish_parse,
    .pass = skirmish_pass,
    .out = skirmish_out,
    .apply = skirmish_apply,
    .over = skirmish_over,
    .score = skirmish_score,
    .describe = skirmish_describe,
    .free = skirmish_free,
};
