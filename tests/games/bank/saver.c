/* A skirmish bot that saves and spends: burns so many instructions a turn by
 * its own clock (1 instruction = 1 ns), then waits; in turn 7 it never ends. */
#include <stdio.h>
#include <time.h>

static long long now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1000000000LL + at.tv_nsec;
}

int main(void)
{
    static const long long burn[] = {0,       0, 0, 2800000,
                                     1300000, 0, 0, 1LL << 50};
    char line[256];
    int turn = 1, lines, first;

    while (fgets(line, sizeof line, stdin)) {
        sscanf(line, "%d", &first);
        turn = first;
        long long end = now() + burn[turn < 8 ? turn : 0];
        for (lines = 0; lines < 1 + 16 + 2 + 1;
             lines++) /* size, map, bases, gold */
            fgets(line, sizeof line, stdin);
        for (int list = 0; list < 3; list++) {
            int count;
            fgets(line, sizeof line, stdin);
            sscanf(line, "%d", &count);
            while (count--)
                fgets(line, sizeof line, stdin);
        }
        while (now() < end)
            ;
        puts("WAIT");
    }
}
