/* A matcher of simple patterns by sets of states, over generated lines. */
#include <stdio.h>
#include <string.h>

static char line[4096];

/* Bit i: the pattern's first i characters have been matched. */
static unsigned step(const char *pattern, unsigned states, char c)
{
    unsigned next = 0;

    for (unsigned i = 0; pattern[i]; i++) {
        if (pattern[i] == '*' || !(states >> i & 1))
            continue;
        int is_star = pattern[i + 1] == '*';

        if (is_star)
            states |= 1u << (i + 2);
        if (pattern[i] == '.' || pattern[i] == c)
            next |= 1u << (is_star ? i : i + 1);
    }
    return next | 1;
}

int main(void)
{
    static const char *const pattern[] = {"ab*c.d", "a.*b.*c", "dd*a", "c.c.c"};
    unsigned seed = 3;
    long found = 0;

    for (int round = 0; round < 2400; round++) {
        for (size_t i = 0; i + 1 < sizeof line; i++) {
            seed = seed * 1103515245 + 12345;
            line[i] = (char)('a' + (seed >> 20) % 5);
        }
        for (int p = 0; p < 4; p++) {
            unsigned end = 1u << strlen(pattern[p]);
            unsigned states = 1;

            for (const char *at = line; *at; at++) {
                states = step(pattern[p], states, *at);
                found += (states & end) != 0;
            }
        }
    }
    printf("%ld\n", found);
}
