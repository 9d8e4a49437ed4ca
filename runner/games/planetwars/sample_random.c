/* sample_random: from a planet of its own, some ships to anywhere. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PLANETS = 64 };

int main(void)
{
    char line[256];
    int own[MOST_PLANETS];
    int ships_of[MOST_PLANETS];
    int owned = 0;
    int planets = 0;

    while (fgets(line, sizeof line, stdin)) {
        double x;
        double y;
        int owner;
        int ships;
        int growth;

        if (sscanf(line, "P %lf %lf %d %d %d", &x, &y, &owner, &ships,
                   &growth) == 5) {
            if (owner == 1 && ships > 0 && planets < MOST_PLANETS) {
                own[owned] = planets;
                ships_of[owned++] = ships;
            }
            planets++;
        } else if (line[0] == 'g') {
            int chosen = owned ? rand() % owned : 0;
            int to = planets ? rand() % planets : 0;
            if (owned && to != own[chosen])
                printf("%d %d %d\n", own[chosen], to,
                       1 + rand() % ships_of[chosen]);
            puts("go");
            owned = planets = 0;
        }
    }
    return 0;
}
