// printf of what bots print: numbers, words, a few fractions.
#include <cstdio>

int main()
{
    unsigned seed = 1;

    for (int i = 0; i < 1000000; i++) {
        seed = seed * 1664525u + 1013904223u;
        std::printf("%d %u %s\n", (int)seed >> 8, seed, "MOVE");
        if (i % 10 == 0)
            std::printf("%5d|%-8s|%08x %.3f\n", i, "wait", seed, seed / 7e5);
    }
}
