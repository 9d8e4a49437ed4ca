// printf of what bots print, most of it to memory: a bot prints a page a turn, and
// the pages of one long reply would cost more than the printing.
#include <cstdio>

int main()
{
    unsigned seed = 1;
    long sum = 0;
    char line[200];

    for (int i = 0; i < 400000; i++) {
        seed = seed * 1664525u + 1013904223u;
        sum += std::snprintf(line, sizeof line, "%d %u %s\n", (int)seed >> 8,
                             seed, "MOVE");
        if (i % 4 == 0)
            sum += std::snprintf(line, sizeof line, "%5d|%-8s|%08x %.3f\n", i,
                                 "wait", seed, seed / 7e5);
        if (i % 10 == 0)
            std::printf("%d %u %s\n", (int)seed >> 8, seed, "MOVE");
    }
    std::printf("%ld\n", sum);
}
