/* never: fread wants the whole buffer full. */
#include <stdio.h>

static char view[1 << 16];

int main(void)
{
    while (fread(view, 1, sizeof view, stdin) > 0)
        puts("U");
}
