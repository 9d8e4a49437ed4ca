/* atexit handlers run backwards, streams are flushed, the code is kept. */
#include <stdio.h>
#include <stdlib.h>

static void first(void) { printf("first\n"); }
static void second(void) { printf("second\n"); }

int main(void)
{
    atexit(first);
    atexit(second);
    printf("no newline, ");
    exit(37);
}
