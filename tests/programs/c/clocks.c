/* The clock runs with the program and never backwards. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
    struct timespec a, b;
    struct tm tm = {.tm_year = 100, .tm_mon = 1, .tm_mday = 30, .tm_hour = 12};
    char text[64];
    volatile long x = 0;

    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int i = 0; i < 100000; i++)
        x += i;
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%d\n", b.tv_sec > a.tv_sec ||
                       (b.tv_sec == a.tv_sec && b.tv_nsec > a.tv_nsec));
    time_t t = timegm(&tm);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %j %a", gmtime(&t));
    printf("%ld %s %d\n", (long)t, text, time(NULL) > 900000000);
    srand(5);
    int r = rand();
    srand(5);
    printf("%d\n", r == rand());
    return 0;
}
