/* Your first bot for Skirmish. It trains soldiers; each walks towards the other
 * base and hits what is beside it. rules.md says what is read and printed; read
 * this file from top to bottom, then change order() and train().
 *
 * 1. A bot is an ordinary program: scanf what the game says, printf your
 *    orders. No flush is needed. main() loops until the match is over: the
 *    program is simply ended while it waits.
 * 2. A turn is what runs from one wait for input to the next. Its limit is a
 *    number of executed instructions, never time: `bout test` shows how near
 *    you are to it. The same input always costs the same.
 * 3. Read exactly what the view holds. A read that wants more (a loop until end
 *    of input, "%d\n" in scanf) ends your turn before you printed anything.
 * 4. You always see yourself on the left: write your bot for one side only.
 * 5. Whatever you print to stderr is yours: it is kept with the match.
 */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

struct unit {
    int id, x, y, hp;
    char kind; /* 'W', 'S' or 'A' */
};

static int turn, round_number, step, won, lost; /* the first line */
static int width, height, gold;
static char terrain[MOST][MOST + 1]; /* terrain[y][x]: '.', '#', 'f' */
static int my_x, my_y, my_hp;        /* your base */
static int its_x, its_y, its_hp;     /* the other; hp -1 while unseen */
static struct unit mine[MOST], enemy[MOST];
static int units, enemies;

static int distance(int ax, int ay, int bx, int by)
{
    return abs(ax - bx) + abs(ay - by);
}

/* One line of the reply for one unit; nothing: it stays. A better bot finds
 * its way round rocks (a search from the target, see sample_rush.c), digs gold
 * with workers, and keeps its army together (sample_siege.cpp). */
static void order(const struct unit *unit)
{
    for (int i = 0; i < enemies; i++)
        if (distance(unit->x, unit->y, enemy[i].x, enemy[i].y) == 1) {
            printf("HIT %d %d %d\n", unit->id, enemy[i].x, enemy[i].y);
            return;
        }
    if (distance(unit->x, unit->y, its_x, its_y) == 1)
        printf("HIT %d %d %d\n", unit->id, its_x, its_y);
    else if (unit->x < its_x && terrain[unit->y][unit->x + 1] != '#')
        printf("MOVE %d R\n", unit->id);
    else if (unit->y != its_y)
        printf("MOVE %d %c\n", unit->id, unit->y < its_y ? 'D' : 'U');
    else
        printf("MOVE %d %c\n", unit->id, "UD"[turn / 8 % 2]);
}

static void train(void)
{
    puts(gold >= 35 ? "TRAIN S" : "WAIT");
}

static int read_units(struct unit *unit)
{
    int count;

    scanf("%d", &count); /* the count comes before the list */
    for (int i = 0; i < count; i++)
        scanf("%d %c %d %d %d", &unit[i].id, &unit[i].kind, &unit[i].x,
              &unit[i].y, &unit[i].hp);
    return count;
}

int main(void)
{
    int mines, x, y, left;

    while (scanf("%d %d %d %d %d", &turn, &round_number, &step, &won, &lost) ==
           5) {
        scanf("%d %d", &width, &height);
        for (int i = 0; i < height; i++)
            scanf("%64s", terrain[i]);
        scanf("%d %d %d", &my_x, &my_y, &my_hp);
        scanf("%d %d %d", &its_x, &its_y, &its_hp);
        scanf("%d %d", &gold, &mines);
        for (int i = 0; i < mines; i++)
            scanf("%d %d %d", &x, &y, &left); /* not used yet */
        units = read_units(mine);
        enemies = read_units(enemy);

        train();
        for (int i = 0; i < units; i++)
            order(&mine[i]);
        fprintf(stderr, "round %d step %d: %d units, %d enemies in sight\n",
                round_number, step, units, enemies);
    }
    return 0;
}
