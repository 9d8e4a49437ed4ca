#include "field.h"

#include "maps.h"

#include <string.h>

/* Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
 * 2014. */
unsigned field_random(uint64_t *random, unsigned bound)
{
    uint64_t z = *random += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) % bound);
}

static void add_pair_of_mines(struct field *field, int x, int y)
{
    for (int slot = 0; slot < SIDES && field->mines < MOST_MINES; slot++)
        field->mine[field->mines++] = (struct mine){
            field_turn_x(slot, x), field_turn_y(slot, y), MINE_GOLD};
}

static void set_pair(struct field *field, int x, int y, char terrain)
{
    for (int slot = 0; slot < SIDES; slot++)
        field->terrain[field_turn_y(slot, y)][field_turn_x(slot, x)] = terrain;
}

static void read_cell(struct field *field, int x, int y, char cell)
{
    set_pair(field, x, y, cell == '#' || cell == 'f' ? cell : '.');
    if (cell == '$')
        add_pair_of_mines(field, x, y);
    if (cell != 'B')
        return;
    for (int slot = 0; slot < SIDES; slot++) {
        field->side[slot].base_x = field_turn_x(slot, x);
        field->side[slot].base_y = field_turn_y(slot, y);
    }
}

static int is_inside(int x, int y)
{
    return x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT;
}

/* Can one walk from base to base, and to every mine? */
static int is_connected(const struct field *field)
{
    static unsigned char reached[HEIGHT][WIDTH];
    static int queue[WIDTH * HEIGHT];
    int head = 0;
    int tail = 0;

    memset(reached, 0, sizeof reached);
    queue[tail++] = field->side[0].base_y * WIDTH + field->side[0].base_x;
    reached[field->side[0].base_y][field->side[0].base_x] = 1;
    while (head < tail) {
        int at = queue[head++];
        for (int way = 0; way < 4; way++) {
            int x = at % WIDTH + step_x[way];
            int y = at / WIDTH + step_y[way];
            if (!is_inside(x, y) || reached[y][x] ||
                field->terrain[y][x] == '#')
                continue;
            reached[y][x] = 1;
            queue[tail++] = y * WIDTH + x;
        }
    }
    for (int i = 0; i < field->mines; i++)
        if (!reached[field->mine[i].y][field->mine[i].x])
            return 0;
    return reached[field->side[1].base_y][field->side[1].base_x];
}

static int is_kept_free(const struct field *field, int x, int y)
{
    for (int slot = 0; slot < SIDES; slot++)
        if (distance(x, y, field->side[slot].base_x,
                     field->side[slot].base_y) <= 2)
            return 1;
    for (int i = 0; i < field->mines; i++)
        if (field->mine[i].x == x && field->mine[i].y == y)
            return 1;
    return 0;
}

static void scatter(struct field *field, uint64_t *random)
{
    for (int i = 0; i < 8; i++) {
        int x = (int)field_random(random, MAP_HALF);
        int y = (int)field_random(random, HEIGHT);
        char was = field->terrain[y][x];
        if (is_kept_free(field, x, y))
            continue;
        set_pair(field, x, y, i % 2 ? 'f' : '#');
        if (!is_connected(field))
            set_pair(field, x, y, was);
    }
}

static int count_of(int map, const char *cells)
{
    int count = 0;

    for (int y = 0; y < MAP_HEIGHT; y++)
        for (int x = 0; x < MAP_HALF; x++)
            count += strchr(cells, map_rows[map][y][x]) && map_rows[map][y][x];
    return count;
}

int field_maps_are_sound(void)
{
    for (int map = 0; map < MAP_COUNT; map++)
        if (count_of(map, "B$#f.") != MAP_HEIGHT * MAP_HALF ||
            count_of(map, "B") != 1 || count_of(map, "$") > MOST_MINES / 2)
            return 0;
    return 1;
}

void field_init(struct field *field, int map, uint64_t *random)
{
    *field = (struct field){0};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < MAP_HALF; x++)
            read_cell(field, x, y, map_rows[map][y][x]);
    for (int slot = 0; slot < SIDES; slot++) {
        struct side *side = &field->side[slot];
        side->gold = START_GOLD;
        side->base_hp = BASE_HP;
        side->next_id = 1;
        side->train = -1;
    }
    scatter(field, random);
}

struct unit *field_find(struct side *side, int id)
{
    for (int i = 0; i < side->units; i++)
        if (side->unit[i].id == id)
            return &side->unit[i];
    return NULL;
}

int field_sees(const struct field *field, int slot, int x, int y)
{
    const struct side *side = &field->side[slot];

    if (distance(side->base_x, side->base_y, x, y) <= SIGHT)
        return 1;
    for (int i = 0; i < side->units; i++)
        if (distance(side->unit[i].x, side->unit[i].y, x, y) <= SIGHT)
            return 1;
    return 0;
}

/* ---- a step -----------------------------------------------------------------
 */

struct board {
    short at[HEIGHT]
            [WIDTH]; /* the unit there: slot * MOST_UNITS + index, or -1 */
    int wants[HEIGHT][WIDTH]; /* how many would move there */
};

static void board_fill(struct board *board, const struct field *field)
{
    memset(board->at, -1, sizeof board->at);
    for (int slot = 0; slot < SIDES; slot++)
        for (int i = 0; i < field->side[slot].units; i++) {
            const struct unit *unit = &field->side[slot].unit[i];
            board->at[unit->y][unit->x] = (short)(slot * MOST_UNITS + i);
        }
}

static int is_base(const struct field *field, int x, int y)
{
    for (int slot = 0; slot < SIDES; slot++)
        if (field->side[slot].base_x == x && field->side[slot].base_y == y)
            return 1;
    return 0;
}

static struct unit *unit_number(struct field *field, int number)
{
    return &field->side[number / MOST_UNITS].unit[number % MOST_UNITS];
}

/* Would this move be in the way of another, given who else still moves? All
 * units are judged by the same picture, so no side has the first word. */
static int is_blocked(struct field *field, const struct board *board,
                      const struct unit *unit)
{
    int x = unit->to_x;
    int y = unit->to_y;

    if (board->wants[y][x] > 1)
        return 1;
    if (board->at[y][x] < 0)
        return 0;
    const struct unit *there = unit_number(field, board->at[y][x]);
    return there->order != MOVE ||
           (there->to_x == unit->x && there->to_y == unit->y);
}

static void forbid_moves_onto_terrain(struct field *field)
{
    for (int slot = 0; slot < SIDES; slot++)
        for (int i = 0; i < field->side[slot].units; i++) {
            struct unit *unit = &field->side[slot].unit[i];
            if (unit->order == MOVE &&
                (!is_inside(unit->to_x, unit->to_y) ||
                 field->terrain[unit->to_y][unit->to_x] == '#' ||
                 is_base(field, unit->to_x, unit->to_y)))
                unit->order = STAY;
        }
}

/* Moves that are in each other's way fail, all of them at once; then those
 * that these had made room for; and so on until none fails. */
static int fail_blocked(struct field *field, struct board *board)
{
    struct unit *fails[SIDES * MOST_UNITS];
    int count = 0;

    memset(board->wants, 0, sizeof board->wants);
    for (int slot = 0; slot < SIDES; slot++)
        for (int i = 0; i < field->side[slot].units; i++) {
            const struct unit *unit = &field->side[slot].unit[i];
            if (unit->order == MOVE)
                board->wants[unit->to_y][unit->to_x]++;
        }
    for (int slot = 0; slot < SIDES; slot++)
        for (int i = 0; i < field->side[slot].units; i++) {
            struct unit *unit = &field->side[slot].unit[i];
            if (unit->order == MOVE && is_blocked(field, board, unit))
                fails[count++] = unit;
        }
    for (int i = 0; i < count; i++)
        fails[i]->order = STAY;
    return count;
}

static void play_moves(struct field *field)
{
    struct board board;

    board_fill(&board, field);
    forbid_moves_onto_terrain(field);
    while (fail_blocked(field, &board))
        ;
    for (int slot = 0; slot < SIDES; slot++)
        for (int i = 0; i < field->side[slot].units; i++) {
            struct unit *unit = &field->side[slot].unit[i];
            if (unit->order != MOVE)
                continue;
            unit->x = unit->to_x;
            unit->y = unit->to_y;
        }
}

static void hit_cell(struct field *field, int slot, const struct unit *by)
{
    struct side *other = &field->side[1 - slot];
    int damage = kinds[by->kind].damage;

    if (distance(by->x, by->y, by->to_x, by->to_y) > kinds[by->kind].range)
        return;
    if (other->base_x == by->to_x && other->base_y == by->to_y)
        other->base_hp -= damage;
    for (int i = 0; i < other->units; i++) {
        struct unit *unit = &other->unit[i];
        if (unit->x != by->to_x || unit->y != by->to_y)
            continue;
        if (field->terrain[unit->y][unit->x] == 'f')
            damage = (damage + 1) / 2;
        unit->hp -= damage;
    }
}

static void play_hits(struct field *field)
{
    for (int slot = 0; slot < SIDES; slot++)
        for (int i = 0; i < field->side[slot].units; i++)
            if (field->side[slot].unit[i].order == HIT)
                hit_cell(field, slot, &field->side[slot].unit[i]);
}

static void take_dead(struct side *side)
{
    int kept = 0;

    for (int i = 0; i < side->units; i++)
        if (side->unit[i].hp > 0)
            side->unit[kept++] = side->unit[i];
    side->units = kept;
    if (side->base_hp < 0)
        side->base_hp = 0;
}

static void earn(struct field *field, struct side *side)
{
    for (int i = 0; i < side->units; i++)
        for (int m = 0; m < field->mines; m++) {
            struct mine *mine = &field->mine[m];
            if (side->unit[i].kind != WORKER || side->unit[i].x != mine->x ||
                side->unit[i].y != mine->y)
                continue;
            int got = mine->gold < INCOME ? mine->gold : INCOME;
            mine->gold -= got;
            side->gold += got;
        }
}

/* The first free cell round the base, in an order that turns with the side. */
static int find_room(const struct field *field, int slot,
                     const struct board *board, int *x, int *y)
{
    static const int around[8][2] = {{1, 0},  {0, -1}, {0, 1},   {-1, 0},
                                     {1, -1}, {1, 1},  {-1, -1}, {-1, 1}};
    const struct side *side = &field->side[slot];

    for (int i = 0; i < 8; i++) {
        *x = side->base_x + (slot ? -around[i][0] : around[i][0]);
        *y = side->base_y + (slot ? -around[i][1] : around[i][1]);
        if (is_inside(*x, *y) && field->terrain[*y][*x] != '#' &&
            board->at[*y][*x] < 0)
            return 1;
    }
    return 0;
}

static void train(struct field *field, int slot)
{
    struct side *side = &field->side[slot];
    struct board board;
    int kind = side->train;
    int x;
    int y;

    side->train = -1;
    if (kind < 0 || side->gold < kinds[kind].cost || side->units == MOST_UNITS)
        return;
    board_fill(&board, field);
    if (!find_room(field, slot, &board, &x, &y))
        return;
    side->gold -= kinds[kind].cost;
    side->unit[side->units++] = (struct unit){
        .id = side->next_id++,
        .kind = kind,
        .x = x,
        .y = y,
        .hp = kinds[kind].hp,
    };
}

void field_step(struct field *field)
{
    play_moves(field);
    play_hits(field);
    for (int slot = 0; slot < SIDES; slot++) {
        take_dead(&field->side[slot]);
        earn(field, &field->side[slot]);
    }
    /* Bases are far apart: neither takes the other's room. */
    for (int slot = 0; slot < SIDES; slot++)
        train(field, slot);
    for (int slot = 0; slot < SIDES; slot++)
        for (int i = 0; i < field->side[slot].units; i++)
            field->side[slot].unit[i].order = STAY;
    field->step++;
}

int field_is_over(const struct field *field)
{
    return field->step >= ROUND_STEPS || !field->side[0].base_hp ||
           !field->side[1].base_hp;
}

static int worth(const struct side *side)
{
    int sum = side->gold;

    for (int i = 0; i < side->units; i++)
        sum += kinds[side->unit[i].kind].cost;
    return sum;
}

int field_winner(const struct field *field)
{
    const struct side *a = &field->side[0];
    const struct side *b = &field->side[1];

    if (a->base_hp != b->base_hp)
        return a->base_hp > b->base_hp ? 0 : 1;
    if (worth(a) != worth(b) && a->base_hp > 0)
        return worth(a) > worth(b) ? 0 : 1;
    return -1;
}
