/* A failing assert is a crash. */
#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    printf("%d\n", argc);
    fflush(stdout);
    assert(argv[0] == NULL);
    return 0;
}
