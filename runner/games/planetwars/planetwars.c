/* planetwars: Planet Wars of the Google AI Challenge of 2010, in the protocol
 * of that contest, so that its bots play here as they are. rules.md is what
 * players read. Written from the contest's published specification; maps are
 * drawn here, in the form of the contest's: point-symmetric, a neutral planet
 * in the middle.
 */
#include "runner/game.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAIRS = 11, /* the first is the homes */
    PLANETS = 1 + 2 * PAIRS,
    MOST_TURNS = 200,
    SIZE = 24000,  /* of the square map, in thousandths */
    APART = 2000,  /* planets, at least */
    HOMES = 10000, /* apart, at least */
    GRID_WIDTH = 48,
    GRID_HEIGHT = 24,
    NEUTRAL = 2, /* beside slots 0 and 1 */
    SIDES = 3,
};

struct planet {
    int x, y; /* thousandths */
    int owner;
    int ships;
    int growth;
};

struct fleet {
    int owner;
    int ships;
    int from, to;
    int total, left; /* steps of its way */
};

struct wars {
    uint64_t random;
    int turn; /* the coming step, from 1 */
    int out[2];
    struct planet planet[PLANETS];
    struct fleet *fleet;
    size_t fleets, room;
    int order[2][PLANETS][PLANETS]; /* ships of the step, from, to */
};

/* ---- the map ---------------------------------------------------------------
 */

/* SplitMix64. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", 2014. */
static int random_below(struct wars *wars, int bound)
{
    uint64_t z = wars->random += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (int)((z ^ z >> 31) % (unsigned)bound);
}

static int64_t distance_squared(const struct planet *a, const struct planet *b)
{
    int64_t dx = a->x - b->x;
    int64_t dy = a->y - b->y;

    return dx * dx + dy * dy;
}

/* Steps of the way: the distance, rounded up. */
static int way(const struct planet *a, const struct planet *b)
{
    int64_t squared = distance_squared(a, b);
    int64_t steps = 0;

    while (steps * steps * 1000000 < squared)
        steps++;
    return (int)steps;
}

static int is_free(const struct wars *wars, int count,
                   const struct planet *planet)
{
    for (int i = 0; i < count; i++)
        if (distance_squared(&wars->planet[i], planet) < (int64_t)APART * APART)
            return 0;
    return 1;
}

/* A place for planet `at` and its opposite, far enough from all others. */
static void place_pair(struct wars *wars, int at)
{
    int64_t apart = at == 1 ? HOMES : APART;
    struct planet here;
    struct planet there;

    do {
        here = (struct planet){random_below(wars, SIZE + 1),
                               random_below(wars, SIZE + 1), NEUTRAL, 0, 0};
        there = here;
        there.x = SIZE - here.x;
        there.y = SIZE - here.y;
    } while (!is_free(wars, at, &here) ||
             distance_squared(&here, &there) < apart * apart);
    here.ships = 1 + random_below(wars, 99);
    here.growth = 1 + random_below(wars, 5);
    there.ships = here.ships;
    there.growth = here.growth;
    wars->planet[at] = here;
    wars->planet[at + 1] = there;
}

static void *wars_create(uint64_t seed, unsigned slots)
{
    struct wars *wars = calloc(1, sizeof *wars);

    (void)slots;
    if (!wars)
        return NULL;
    wars->random = seed;
    wars->turn = 1;
    wars->planet[0] =
        (struct planet){SIZE / 2, SIZE / 2, NEUTRAL, random_below(wars, 100),
                        random_below(wars, 6)};
    for (int pair = 0; pair < PAIRS; pair++)
        place_pair(wars, 1 + 2 * pair);
    for (int slot = 0; slot < 2; slot++) {
        wars->planet[1 + slot].owner = slot;
        wars->planet[1 + slot].ships = 100;
        wars->planet[1 + slot].growth = 5;
    }
    return wars;
}

/* ---- what a bot sees and says ----------------------------------------------
 */

static int wars_asked(const void *state, unsigned slot)
{
    (void)state;
    (void)slot;
    return 1;
}

/* Every player is 1 to itself, its opponent 2, and nobody 0. */
static int seen(int owner, unsigned slot)
{
    if (owner == NEUTRAL)
        return 0;
    return owner == (int)slot ? 1 : 2;
}

static void wars_view(const void *state, unsigned slot, struct game_text *out)
{
    const struct wars *wars = state;

    for (int i = 0; i < PLANETS; i++) {
        const struct planet *planet = &wars->planet[i];
        game_print(out, "P %d.%03d %d.%03d %d %d %d\n", planet->x / 1000,
                   planet->x % 1000, planet->y / 1000, planet->y % 1000,
                   seen(planet->owner, slot), planet->ships, planet->growth);
    }
    for (size_t i = 0; i < wars->fleets; i++) {
        const struct fleet *fleet = &wars->fleet[i];
        game_print(out, "F %d %d %d %d %d %d\n", seen(fleet->owner, slot),
                   fleet->ships, fleet->from, fleet->to, fleet->total,
                   fleet->left);
    }
    game_print(out, "go\n");
}

static void wars_pass(void *state, unsigned slot)
{
    struct wars *wars = state;

    memset(wars->order[slot], 0, sizeof wars->order[slot]);
}

struct reply {
    const char *at;
    const char *end;
};

static void skip(struct reply *reply, const char *space)
{
    while (reply->at < reply->end && *reply->at && strchr(space, *reply->at))
        reply->at++;
}

/* A number of at most 999,999 that ends where white space or the reply does. */
static int take_number(struct reply *reply, int *number)
{
    const char *start;

    skip(reply, " \t");
    start = reply->at;
    *number = 0;
    while (reply->at < reply->end && *reply->at >= '0' && *reply->at <= '9' &&
           *number < 100000)
        *number = *number * 10 + (*reply->at++ - '0');
    return reply->at > start && (reply->at == reply->end ||
                                 (*reply->at && strchr(" \t\r\n", *reply->at)));
}

static int is_go(const struct reply *reply)
{
    const char *after = reply->at + 2;

    return reply->end - reply->at >= 2 && reply->at[0] == 'g' &&
           reply->at[1] == 'o' &&
           (after == reply->end || (*after && strchr(" \t\r\n", *after)));
}

static const char *add_order(const struct wars *wars, unsigned slot,
                             struct reply *reply, int order[PLANETS][PLANETS])
{
    int from;
    int to;
    int ships;
    int sent = 0;

    if (!take_number(reply, &from) || !take_number(reply, &to) ||
        !take_number(reply, &ships))
        return "an order is FROM TO SHIPS, the last line go";
    if (from >= PLANETS || to >= PLANETS || from == to)
        return "an order names two planets, from 0 to 22";
    if (wars->planet[from].owner != (int)slot)
        return "ships are sent from a planet that is not yours";
    for (int i = 0; i < PLANETS; i++)
        sent += order[from][i];
    if (sent + ships > wars->planet[from].ships)
        return "more ships are sent than the planet has";
    order[from][to] += ships;
    return NULL;
}

static int wars_parse(void *state, unsigned slot, const char *bytes,
                      size_t size, const char **reason)
{
    struct wars *wars = state;
    struct reply reply = {bytes, bytes + size};
    int order[PLANETS][PLANETS] = {0};

    for (;;) {
        skip(&reply, " \t\r\n");
        if (reply.at == reply.end || is_go(&reply))
            break; /* what follows is not read, as in the contest */
        *reason = add_order(wars, slot, &reply, order);
        if (*reason)
            return 0;
    }
    *reason = NULL;
    memcpy(wars->order[slot], order, sizeof order);
    return 1;
}

static void wars_out(void *state, unsigned slot)
{
    struct wars *wars = state;

    wars->out[slot] = 1;
    wars_pass(state, slot);
}

/* ---- a step ----------------------------------------------------------------
 */

static void depart(struct wars *wars, int slot, int from, int to)
{
    int ships = wars->order[slot][from][to];
    int steps = way(&wars->planet[from], &wars->planet[to]);

    if (ships == 0)
        return;
    if (wars->fleets == wars->room) {
        wars->room = wars->room ? 2 * wars->room : 64;
        wars->fleet = realloc(wars->fleet, wars->room * sizeof *wars->fleet);
        if (!wars->fleet)
            abort();
    }
    wars->planet[from].ships -= ships;
    wars->fleet[wars->fleets++] =
        (struct fleet){slot, ships, from, to, steps, steps};
}

/* The largest force keeps what it has more than the second; where two are the
 * largest nobody is left, and the planet stays whose it was. */
static void fight(struct planet *planet, const int arrived[SIDES])
{
    int force[SIDES] = {arrived[0], arrived[1], 0};
    int first = 0;
    int second = -1;

    force[planet->owner] += planet->ships;
    for (int side = 1; side < SIDES; side++)
        if (force[side] > force[first])
            first = side;
    for (int side = 0; side < SIDES; side++)
        if (side != first && force[side] > second)
            second = force[side];
    planet->ships = force[first] - second;
    if (planet->ships > 0)
        planet->owner = first;
}

static void arrive(struct wars *wars)
{
    int arrived[PLANETS][SIDES] = {0};
    size_t kept = 0;

    for (size_t i = 0; i < wars->fleets; i++) {
        struct fleet fleet = wars->fleet[i];
        fleet.left--;
        if (fleet.left > 0)
            wars->fleet[kept++] = fleet;
        else
            arrived[fleet.to][fleet.owner] += fleet.ships;
    }
    wars->fleets = kept;
    for (int i = 0; i < PLANETS; i++)
        if (arrived[i][0] || arrived[i][1])
            fight(&wars->planet[i], arrived[i]);
}

static void wars_apply(void *state)
{
    struct wars *wars = state;

    for (int slot = 0; slot < 2; slot++)
        for (int from = 0; from < PLANETS; from++)
            for (int to = 0; to < PLANETS; to++)
                depart(wars, slot, from, to);
    for (int i = 0; i < PLANETS; i++)
        if (wars->planet[i].owner != NEUTRAL)
            wars->planet[i].ships += wars->planet[i].growth;
    arrive(wars);
    wars->turn++;
}

/* ---- how it stands ---------------------------------------------------------
 */

static int ships_of(const struct wars *wars, int slot)
{
    int ships = 0;

    for (int i = 0; i < PLANETS; i++)
        if (wars->planet[i].owner == slot)
            ships += wars->planet[i].ships;
    for (size_t i = 0; i < wars->fleets; i++)
        if (wars->fleet[i].owner == slot)
            ships += wars->fleet[i].ships;
    return ships;
}

/* A planet without a ship still makes some. */
static int is_alive(const struct wars *wars, int slot)
{
    for (int i = 0; i < PLANETS; i++)
        if (wars->planet[i].owner == slot)
            return !wars->out[slot];
    return !wars->out[slot] && ships_of(wars, slot) > 0;
}

static int wars_over(const void *state)
{
    const struct wars *wars = state;

    return wars->turn > MOST_TURNS || !is_alive(wars, 0) || !is_alive(wars, 1);
}

/* Its ships; -1 for who left, 0 for who has nothing. */
static int64_t wars_score(const void *state, unsigned slot)
{
    const struct wars *wars = state;

    if (wars->out[slot])
        return -1;
    return ships_of(wars, (int)slot);
}

static void print_grid(const struct wars *wars, struct game_text *out)
{
    char grid[GRID_HEIGHT][GRID_WIDTH];

    memset(grid, '.', sizeof grid);
    for (int i = 0; i < PLANETS; i++) {
        const struct planet *planet = &wars->planet[i];
        int column = planet->x * (GRID_WIDTH - 1) / SIZE;
        int row = planet->y * (GRID_HEIGHT - 1) / SIZE;
        grid[row][column] = "01o"[planet->owner];
    }
    game_print(out, "\"grid\":[");
    for (int row = 0; row < GRID_HEIGHT; row++)
        game_print(out, "%s\"%.*s\"", row ? "," : "", GRID_WIDTH, grid[row]);
    game_print(out, "]");
}

static void wars_describe(const void *state, struct game_text *out)
{
    const struct wars *wars = state;

    game_print(out, "{\"turn\":%d,\"planets\":[", wars->turn);
    for (int i = 0; i < PLANETS; i++) {
        const struct planet *planet = &wars->planet[i];
        game_print(out, "%s[%d,%d,%d,%d,%d]", i ? "," : "", planet->x,
                   planet->y, planet->owner, planet->ships, planet->growth);
    }
    game_print(out, "],\"fleets\":[");
    for (size_t i = 0; i < wars->fleets; i++) {
        const struct fleet *fleet = &wars->fleet[i];
        game_print(out, "%s[%d,%d,%d,%d,%d,%d]", i ? "," : "", fleet->owner,
                   fleet->ships, fleet->from, fleet->to, fleet->total,
                   fleet->left);
    }
    game_print(out, "],");
    print_grid(wars, out);
    game_print(out, ",\"line\":\"ships: %d and %d, fleets: %d\"}",
               ships_of(wars, 0), ships_of(wars, 1), (int)wars->fleets);
}

static void wars_free(void *state)
{
    struct wars *wars = state;

    free(wars->fleet);
    free(wars);
}

const struct game game = {
    .name = "planetwars",
    .label = "Planet Wars",
    .min_slots = 2,
    .max_slots = 2,
    .limits = {.turns = MOST_TURNS},
    .create = wars_create,
    .asked = wars_asked,
    .view = wars_view,
    .parse = wars_parse,
    .pass = wars_pass,
    .out = wars_out,
    .apply = wars_apply,
    .over = wars_over,
    .score = wars_score,
    .describe = wars_describe,
    .free = wars_free,
};
