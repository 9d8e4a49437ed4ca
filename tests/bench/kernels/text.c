/* Words of a text: split, compare, a tiny pattern matcher. */
#include <stdio.h>
#include <string.h>

static char text[1 << 16];

static int matches(const char *pattern, const char *word)
{
    if (!*pattern)
        return 1;
    if (pattern[1] == '*')
        return matches(pattern + 2, word) ||
               (*word && (*pattern == '.' || *pattern == *word) &&
                matches(pattern, word + 1));
    return *word && (*pattern == '.' || *pattern == *word) &&
           matches(pattern + 1, word + 1);
}

int main(void)
{
    unsigned seed = 7;
    long found = 0;

    for (size_t i = 0; i + 1 < sizeof text; i++) {
        seed = seed * 1103515245 + 12345;
        text[i] = (seed >> 16) % 6 ? (char)('a' + (seed >> 20) % 5) : ' ';
    }
    for (int round = 0; round < 600; round++) {
        for (const char *at = text; *at; at += strcspn(at, " ")) {
            at += strspn(at, " ");
            found += matches("a*b.c*d", at) + (strncmp(at, "bad", 3) == 0);
        }
    }
    printf("%ld\n", found);
}
