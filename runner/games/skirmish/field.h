/* field: the state of one round of skirmish and how it is made.
 *
 * Coordinates here are slot 0's; slot 1 sees everything turned by 180 degrees
 * (field_turn_x, field_turn_y), so that each bot finds itself on the left. */
#pragma once

#include <stdint.h>

enum {
    TURN_BANK = 20000000, /* instructions: two turns' worth */
    WIDTH = 24,
    HEIGHT = 16,
    SIDES = 2,
    MOST_UNITS = 32, /* of a side */
    MOST_MINES = 8,
    ROUNDS = 3,
    ROUND_STEPS = 150,
    BASE_HP = 60,
    START_GOLD = 100,
    MINE_GOLD = 150,
    INCOME = 2, /* of a worker on a mine, a step */
    SIGHT = 6,  /* steps across and down together */
};

enum { UP, RIGHT, DOWN, LEFT };
static const char direction_letters[] = "URDL";
static const int step_x[] = {0, 1, 0, -1};
static const int step_y[] = {-1, 0, 1, 0};

enum { WORKER, SOLDIER, ARCHER, KINDS };

struct kind {
    char letter;
    int cost, hp, damage, range;
};

static const struct kind kinds[KINDS] = {
    {'W', 20, 6, 1, 1},
    {'S', 35, 14, 3, 1},
    {'A', 45, 8, 3, 3},
};

enum order { STAY, MOVE, HIT };

struct unit {
    int id; /* of its side, from 1 in each round */
    int kind;
    int x, y;
    int hp; /* 0 and less: dead, taken away at the end of the step */
    enum order order;
    int to_x, to_y; /* of MOVE and HIT */
};

struct mine {
    int x, y, gold;
};

struct side {
    struct unit unit[MOST_UNITS]; /* by id */
    int units;
    int next_id;
    int gold;
    int base_x, base_y, base_hp;
    int train; /* a kind, or -1 */
};

struct field {
    char terrain[HEIGHT][WIDTH]; /* '.', '#', 'f' */
    struct mine mine[MOST_MINES];
    int mines;
    struct side side[SIDES];
    int step; /* played in this round */
};

static inline int field_turn_x(int slot, int x)
{
    return slot ? WIDTH - 1 - x : x;
}

static inline int field_turn_y(int slot, int y)
{
    return slot ? HEIGHT - 1 - y : y;
}

static inline int distance(int ax, int ay, int bx, int by)
{
    int dx = ax < bx ? bx - ax : ax - bx;
    int dy = ay < by ? by - ay : ay - by;

    return dx + dy;
}

/* Are all maps as maps.h says? A hidden one is nobody's but its organiser's. */
int field_maps_are_sound(void);

/* Sets up map `map` (0 to MAP_COUNT - 1); *random moves on. */
void field_init(struct field *field, int map, uint64_t *random);

/* A number below `bound` from a SplitMix64 stream. */
unsigned field_random(uint64_t *random, unsigned bound);

/* The living unit with this id, or NULL. */
struct unit *field_find(struct side *side, int id);

/* Is the cell in sight of the side? */
int field_sees(const struct field *field, int slot, int x, int y);

/* All orders of a step at once: moves, hits, deaths, income, training. */
void field_step(struct field *field);

int field_is_over(const struct field *field);

/* Who won the round: 0, 1, or -1 for a tie. Asked when it is over. */
int field_winner(const struct field *field);
