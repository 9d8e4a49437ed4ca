/* fine: reads a character at a time, as many lines as the view says. */
#include <stdio.h>

static int number(void)
{
    int c, value = 0;

    while ((c = getchar()) == ' ' || c == '\n')
        ;
    for (; c >= '0' && c <= '9'; c = getchar())
        value = value * 10 + c - '0';
    return value;
}

int main(void)
{
    for (;;) {
        number();
        number();
        number();
        int height = number();
        int lines = number() + height;
        while (lines > 0)
            lines -= getchar() == '\n';
        puts("U");
    }
}
