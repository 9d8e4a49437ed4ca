/* abort ends a program as a crash, and what was not flushed is lost. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    printf("flushed\n");
    fflush(stdout);
    printf("lost\n");
    abort();
}
