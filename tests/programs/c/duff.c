/* Duff's device: a switch into the middle of a loop. */
#include <stdio.h>

static void copy(char *to, const char *from, int count)
{
    int rounds = (count + 7) / 8;

    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--rounds > 0);
    }
}

int main(void)
{
    const char *text = "The quick brown fox jumps over the lazy dog.";

    for (int n = 1; n < 40; n += 5) {
        char to[64] = "";
        copy(to, text, n);
        puts(to);
    }
    return 0;
}
