/* The classic scheme's counter: said when the program ends. */
#include <stdio.h>

static long long count;

void IncrementCount(long long n)
{
    count += n;
}

__attribute__((destructor)) static void say(void)
{
    fprintf(stderr, "%lld\n", count);
}
