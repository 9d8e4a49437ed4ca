/* sample_value: for every planet it works out who will have it, and with how
 * many ships, once all fleets have come. Each of its planets then spends the
 * ships that it can spare on what pays back soonest. */
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64, FAR = 64, SIDES = 3 };

struct planet {
    double x, y;
    int owner;
    int ships;
    int growth;
    int coming[FAR][SIDES]; /* ships that arrive in so many turns */
};

static struct planet planet[MOST];
static int planets;

static int way(const struct planet *a, const struct planet *b)
{
    return (int)ceil(hypot(a->x - b->x, a->y - b->y));
}

/* One turn's fight; owner and ships are changed. */
static void fight(int *owner, int *ships, const int coming[SIDES])
{
    int force[SIDES] = {coming[0], coming[1], coming[2]};
    int first = 0;
    int second = -1;

    force[*owner] += *ships;
    for (int side = 1; side < SIDES; side++)
        if (force[side] > force[first])
            first = side;
    for (int side = 0; side < SIDES; side++)
        if (side != first && force[side] > second)
            second = force[side];
    *ships = force[first] - second;
    if (*ships > 0)
        *owner = first;
}

/* Who has it in `turns` turns, and how many ships; *spare: the fewest that it
 * has on the way there while it is owner 1. */
static int foresee(const struct planet *p, int turns, int *ships, int *spare)
{
    int owner = p->owner;

    *ships = p->ships;
    *spare = *ships;
    for (int turn = 1; turn <= turns && turn < FAR; turn++) {
        if (owner != 0)
            *ships += p->growth;
        if (p->coming[turn][1] || p->coming[turn][2])
            fight(&owner, ships, p->coming[turn]);
        if (owner != 1)
            *spare = 0;
        else if (*ships < *spare)
            *spare = *ships;
    }
    return owner;
}

/* The best target of planet `from` with at most `spare` ships: its number, or
 * -1; *ships: how many it takes. */
static int best_target(int from, int spare, int *ships)
{
    double best_turns = 1e9;
    int best = -1;

    for (int to = 0; to < planets; to++) {
        int steps = way(&planet[from], &planet[to]);
        int there;
        int ignored;

        if (to == from || planet[to].growth == 0)
            continue;
        int owner = foresee(&planet[to], steps, &there, &ignored);
        int needed = there + 1;
        if (owner == 1 || needed > spare)
            continue;
        /* Turns until what it costs is back; taking from the other counts
         * twice. */
        double gain = planet[to].growth * (owner == 2 ? 2.0 : 1.0);
        double turns = steps + needed / gain;
        if (turns < best_turns) {
            best_turns = turns;
            best = to;
            *ships = needed;
        }
    }
    return best;
}

static void move(void)
{
    for (int from = 0; from < planets; from++) {
        int there;
        int spare;

        if (planet[from].owner != 1)
            continue;
        foresee(&planet[from], FAR - 1, &there, &spare);
        for (;;) {
            int ships;
            int to = best_target(from, spare, &ships);
            if (to < 0)
                break;
            int steps = way(&planet[from], &planet[to]);
            printf("%d %d %d\n", from, to, ships);
            planet[from].ships -= ships;
            spare -= ships;
            if (steps < FAR)
                planet[to].coming[steps][1] += ships;
        }
    }
    puts("go");
}

int main(void)
{
    char line[256];

    while (fgets(line, sizeof line, stdin)) {
        int owner;
        int ships;
        int from;
        int to;
        int total;
        int left;

        if (line[0] == 'P' && planets < MOST) {
            struct planet *next = &planet[planets];
            memset(next, 0, sizeof *next);
            planets += sscanf(line, "P %lf %lf %d %d %d", &next->x, &next->y,
                              &next->owner, &next->ships, &next->growth) == 5;
        } else if (sscanf(line, "F %d %d %d %d %d %d", &owner, &ships, &from,
                          &to, &total, &left) == 6) {
            if (to >= 0 && to < planets && left >= 0 && left < FAR &&
                owner >= 1 && owner < SIDES)
                planet[to].coming[left][owner] += ships;
        } else if (line[0] == 'g') {
            move();
            planets = 0;
        }
    }
    return 0;
}
