/* Your first bot for Planet Wars. From its strongest planet it sends what it
 * takes to the best planet nearby. rules.md says what is read and printed; read
 * this file from top to bottom, then change choose().
 *
 * 1. A bot is an ordinary program: read the game with fgets or scanf, print
 * your orders with printf. No flush is needed. main() loops until the match is
 *    over: the program is simply ended while it waits.
 * 2. A turn is what runs from one wait for input to the next. Its limit is a
 *    number of executed instructions, never time: `bout test` shows how near
 *    you are to it. The same input always costs the same.
 * 3. The line "go" ends what you read: print your orders there. A read that
 *    wants more ends your turn before you printed.
 * 4. Whatever you print to stderr is yours: it is kept with the match.
 */
#include <math.h>
#include <stdio.h>

enum { MOST_PLANETS = 64 };

struct planet {
    double x, y;
    int owner; /* 0 nobody, 1 you, 2 the other */
    int ships;
    int growth;
    int mine_coming; /* your ships on their way here */
};

static struct planet planet[MOST_PLANETS];
static int planets;

/* How many turns a fleet takes. */
static int way(int from, int to)
{
    return (int)ceil(
        hypot(planet[from].x - planet[to].x, planet[from].y - planet[to].y));
}

/* Ships that take the planet when they arrive. */
static int needed(int from, int to)
{
    int grown = planet[to].owner == 2 ? planet[to].growth * way(from, to) : 0;
    return planet[to].ships + grown + 1;
}

/* The one place to make better. Some ideas: all planets move, not the strongest
 * alone (sample_value.c); ships that stay to defend; fleets of the other that
 * are on their way (the lines with F). */
static void choose(void)
{
    int from = -1;
    int to = -1;
    double best = 0;

    for (int i = 0; i < planets; i++)
        if (planet[i].owner == 1 &&
            (from < 0 || planet[i].ships > planet[from].ships))
            from = i;
    for (int i = 0; from >= 0 && i < planets; i++) {
        if (planet[i].owner == 1 || planet[i].mine_coming)
            continue;
        double value =
            (double)planet[i].growth / (needed(from, i) + way(from, i));
        if (value > best && needed(from, i) <= planet[from].ships) {
            best = value;
            to = i;
        }
    }
    if (to >= 0)
        printf("%d %d %d\n", from, to, needed(from, to));
}

int main(void)
{
    char line[256];

    while (fgets(line, sizeof line, stdin)) {
        struct planet p = {0};
        int owner, ships, from, to;

        if (sscanf(line, "P %lf %lf %d %d %d", &p.x, &p.y, &p.owner, &p.ships,
                   &p.growth) == 5) {
            planet[planets++] = p;
        } else if (sscanf(line, "F %d %d %d %d", &owner, &ships, &from, &to) ==
                   4) {
            if (owner == 1)
                planet[to].mine_coming += ships;
        } else { /* go */
            choose();
            puts("go");
            planets = 0;
        }
    }
    return 0;
}
