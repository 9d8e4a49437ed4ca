/* tron: two to four riders on a grid, each leaving a wall behind.
 *
 * rules.md is what players read. The board is symmetric under both mirrors, so
 * every start is as good as the others: for each obstacle and each start there
 * is one in all four quarters. Two riders start in opposite quarters.
 */
#include "runner/game.h"

#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 30,
    HEIGHT = 20,
    MOST_RIDERS = 4,
    MOST_TURNS = WIDTH * HEIGHT / 2,
    OBSTACLES = 4, /* in each quarter */
};

enum { UP, RIGHT, DOWN, LEFT };
static const char letters[] = "URDL";
static const int step_x[] = {0, 1, 0, -1};
static const int step_y[] = {-1, 0, 1, 0};

struct rider {
    int x, y;
    int direction;
    int alive;
    int survived; /* steps */
};

struct tron {
    uint64_t random;
    unsigned riders;
    unsigned turn;            /* the coming step, from 1 */
    char cell[HEIGHT][WIDTH]; /* '.', '#', or the rider's digit */
    struct rider rider[MOST_RIDERS];
};

/* SplitMix64: small, and good enough to scatter a few walls. Source: Steele,
 * Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
static unsigned random_below(struct tron *tron, unsigned bound)
{
    uint64_t z = tron->random += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) % bound);
}

/* The cell that mirrors (x, y) of the upper left quarter into `quarter`: 0 is
 * itself, 1 is opposite, 2 upper right, 3 lower left. */
static void mirror(int quarter, int *x, int *y)
{
    if (quarter == 1 || quarter == 2)
        *x = WIDTH - 1 - *x;
    if (quarter == 1 || quarter == 3)
        *y = HEIGHT - 1 - *y;
}

static int mirror_direction(int quarter, int direction)
{
    int flips_x = quarter == 1 || quarter == 2;
    int flips_y = quarter == 1 || quarter == 3;

    if (direction == UP || direction == DOWN)
        return flips_y ? UP + DOWN - direction : direction;
    return flips_x ? RIGHT + LEFT - direction : direction;
}

static void place_rider(struct tron *tron, unsigned slot, int x, int y,
                        int direction)
{
    mirror((int)slot, &x, &y);
    tron->rider[slot] = (struct rider){
        .x = x,
        .y = y,
        .direction = mirror_direction((int)slot, direction),
        .alive = 1,
    };
    tron->cell[y][x] = (char)('0' + slot);
}

/* Not where a rider starts, nor on the three cells before it. */
static int is_clear_of(int x, int y, int start_x, int start_y, int direction)
{
    for (int i = 0; i <= 3; i++)
        if (x == start_x + i * step_x[direction] &&
            y == start_y + i * step_y[direction])
            return 0;
    return 1;
}

static void *tron_create(uint64_t seed, unsigned slots)
{
    struct tron *tron = calloc(1, sizeof *tron);

    if (!tron)
        return NULL;
    tron->random = seed;
    tron->riders = slots;
    tron->turn = 1;
    memset(tron->cell, '.', sizeof tron->cell);
    int x = 2 + (int)random_below(tron, WIDTH / 2 - 6);
    int y = 2 + (int)random_below(tron, HEIGHT / 2 - 5);
    int direction = random_below(tron, 2) ? RIGHT : DOWN;

    for (int i = 0; i < OBSTACLES; i++) {
        int at_x = (int)random_below(tron, WIDTH / 2);
        int at_y = (int)random_below(tron, HEIGHT / 2);
        if (!is_clear_of(at_x, at_y, x, y, direction))
            continue;
        for (int quarter = 0; quarter < 4; quarter++) {
            int wall_x = at_x;
            int wall_y = at_y;
            mirror(quarter, &wall_x, &wall_y);
            tron->cell[wall_y][wall_x] = '#';
        }
    }
    for (unsigned slot = 0; slot < slots; slot++)
        place_rider(tron, slot, x, y, direction);
    return tron;
}

static int tron_asked(const void *state, unsigned slot)
{
    const struct tron *tron = state;

    return tron->rider[slot].alive;
}

static void tron_view(const void *state, unsigned slot, struct game_text *out)
{
    const struct tron *tron = state;

    game_print(out, "%u %u %d %d %u\n", tron->turn, slot, WIDTH, HEIGHT,
               tron->riders);
    for (unsigned i = 0; i < tron->riders; i++)
        game_print(out, "%d %d %c %d\n", tron->rider[i].x, tron->rider[i].y,
                   letters[tron->rider[i].direction], tron->rider[i].alive);
    for (int y = 0; y < HEIGHT; y++)
        game_print(out, "%.*s\n", WIDTH, tron->cell[y]);
}

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The only thing in the reply but white space, or 0. */
static char only_letter(const char *reply, size_t size)
{
    char letter = 0;

    for (size_t i = 0; i < size; i++) {
        if (is_space(reply[i]))
            continue;
        if (letter || !reply[i])
            return 0;
        letter = reply[i];
    }
    return letter;
}

static int tron_parse(void *state, unsigned slot, const char *reply,
                      size_t size, const char **reason)
{
    struct tron *tron = state;
    char letter = only_letter(reply, size);
    const char *at = letter ? strchr(letters, letter) : NULL;

    if (!at) {
        *reason = "a move is one of U, R, D, L and nothing else";
        return 0;
    }
    tron->rider[slot].direction = (int)(at - letters);
    return 1;
}

/* Straight on. */
static void tron_pass(void *state, unsigned slot)
{
    (void)state;
    (void)slot;
}

/* The rider stops where it is; its wall stays. */
static void tron_out(void *state, unsigned slot)
{
    struct tron *tron = state;

    tron->rider[slot].alive = 0;
}

static int is_free(const struct tron *tron, int x, int y)
{
    return x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT &&
           tron->cell[y][x] == '.';
}

/* All heads move; who meets a wall, a trail or another head there crashes. */
static void tron_apply(void *state)
{
    struct tron *tron = state;
    int crashes[MOST_RIDERS] = {0};

    for (unsigned i = 0; i < tron->riders; i++) {
        struct rider *rider = &tron->rider[i];
        if (!rider->alive)
            continue;
        rider->x += step_x[rider->direction];
        rider->y += step_y[rider->direction];
        crashes[i] = !is_free(tron, rider->x, rider->y);
    }
    for (unsigned i = 0; i < tron->riders; i++)
        for (unsigned j = 0; j < tron->riders; j++)
            if (i != j && tron->rider[i].alive && tron->rider[j].alive &&
                tron->rider[i].x == tron->rider[j].x &&
                tron->rider[i].y == tron->rider[j].y)
                crashes[i] = 1;
    for (unsigned i = 0; i < tron->riders; i++) {
        struct rider *rider = &tron->rider[i];
        if (!rider->alive)
            continue;
        if (crashes[i]) {
            rider->alive = 0; /* the head stays where the last trail is */
            rider->x -= step_x[rider->direction];
            rider->y -= step_y[rider->direction];
            continue;
        }
        tron->cell[rider->y][rider->x] = (char)('0' + i);
        rider->survived++;
    }
    tron->turn++;
}

static int tron_over(const void *state)
{
    const struct tron *tron = state;
    unsigned alive = 0;

    for (unsigned i = 0; i < tron->riders; i++)
        alive += tron->rider[i].alive != 0;
    return alive <= 1;
}

/* Steps survived; who is still riding has one more than any who crashed. */
static int64_t tron_score(const void *state, unsigned slot)
{
    const struct tron *tron = state;

    if (tron->rider[slot].alive)
        return tron->turn;
    return tron->rider[slot].survived;
}

static void tron_describe(const void *state, struct game_text *out)
{
    const struct tron *tron = state;

    game_print(out, "{\"turn\":%u,\"width\":%d,\"height\":%d,\"riders\":[",
               tron->turn, WIDTH, HEIGHT);
    for (unsigned i = 0; i < tron->riders; i++) {
        const struct rider *rider = &tron->rider[i];
        game_print(out,
                   "%s{\"x\":%d,\"y\":%d,\"direction\":\"%c\",\"alive\":%s,"
                   "\"survived\":%d}",
                   i ? "," : "", rider->x, rider->y, letters[rider->direction],
                   rider->alive ? "true" : "false", rider->survived);
    }
    game_print(out, "],\"grid\":[");
    for (int y = 0; y < HEIGHT; y++)
        game_print(out, "%s\"%.*s\"", y ? "," : "", WIDTH, tron->cell[y]);
    game_print(out, "]}");
}

static void tron_free(void *state)
{
    free(state);
}

const struct game game = {
    .name = "tron",
    .label = "Tron",
    .min_slots = 2,
    .max_slots = MOST_RIDERS,
    .limits = {.turns = MOST_TURNS, .view_bytes = 1024},
    .create = tron_create,
    .asked = tron_asked,
    .view = tron_view,
    .parse = tron_parse,
    .pass = tron_pass,
    .out = tron_out,
    .apply = tron_apply,
    .over = tron_over,
    .score = tron_score,
    .describe = tron_describe,
    .free = tron_free,
};
