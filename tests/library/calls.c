/* What a C program finds in the metered library: prints one line for each area,
 * compared with calls.expected by test_library.sh. Standard input: calls.in. */
#include <assert.h>
#include <complex.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

struct record {
    char fill[96];
    int key;
};

static jmp_buf back;

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;

    return (x > y) - (x < y);
}

static int compare_records(const void *a, const void *b)
{
    return ((const struct record *)a)->key - ((const struct record *)b)->key;
}

static int sum(int count, ...)
{
    va_list list;
    int total = 0;

    va_start(list, count);
    while (count-- > 0)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

static void say_bye(void)
{
    puts("bye");
}

static void say_signal(int number)
{
    printf("signal %d\n", number);
}

static void start(int count, char **argument)
{
    printf("start %d %s %s\n", count, argument[0],
           getenv("HOME") ? "env" : "empty");
}

static void format(void)
{
    volatile double zero = 0;

    printf("format %d %5.3f %c %x %p %e %a %llu %-4s| %04d %Lg\n", 42, 3.14159,
           'c', 255u, (void *)0x1234, 1e100, 1.0, 18446744073709551615ull, "ab",
           77, 1.5L);
    printf("nan %f %f %f\n", zero / zero, -(zero / zero), -1 / zero);
}

static void input(void)
{
    int i = 0;
    double d = 0;
    char word[32] = "";
    char line[64];

    int got = scanf("%d %lf %31s", &i, &d, word);
    printf("scanf %d %d %g %s\n", got, i, d, word);
    while (fgets(line, sizeof line, stdin))
        printf("line %zu\n", strcspn(line, "\n"));
}

static void sorting(void)
{
    static int many[5000];
    static struct record records[300];

    srand(5);
    for (int i = 0; i < 5000; i++)
        many[i] = rand();
    qsort(many, 5000, sizeof *many, compare_ints);
    for (int i = 1; i < 5000; i++)
        assert(many[i - 1] <= many[i]);
    for (int i = 0; i < 300; i++)
        records[i].key = records[i].fill[95] = (char)(rand() % 100);
    qsort(records, 300, sizeof *records, compare_records);
    for (int i = 1; i < 300; i++)
        assert(records[i - 1].key <= records[i].key &&
               records[i].key == records[i].fill[95]);
    printf("sorted %d %d\n", many[0], many[4999]);
}

static void numbers(void)
{
    __int128 wide = (__int128)1 << 100;
    double complex z = csqrt(-1) * (1 + 2 * I) / (3 - I);

    printf("numbers %g %g %ld %" PRIx64 "\n", strtod("3.25e10", NULL),
           strtod("0x1p-3", NULL), strtol("-77", NULL, 10),
           (uint64_t)strtoull("ffffffffffffffff", NULL, 16));
    printf("math %.17g %.17g %.17g %.17g %g %ld %g\n", sin(1), cos(1e22),
           exp(1.5), pow(2, 0.5), floor(-1.5), lrint(3.5), fma(2, 3, 4));
    printf("wide %lld %g complex %g %g\n", (long long)(wide / 12345 >> 30),
           (double)wide, creal(z), cimag(z));
}

static void memory(void)
{
    static char *volatile held[200];
    char *text = NULL;
    size_t size = 0;
    void *(*volatile copy)(void *, const void *, size_t) = memcpy;
    char small[8];

    for (size_t i = 0; i < 20000; i++) {
        size_t k = i * 7 % 200;
        free(held[k]);
        held[k] = malloc(i * 37 % 9000);
        assert(held[k] && (uintptr_t)held[k] % 16 == 0);
    }
    held[0] = malloc((size_t)-1);
    assert(!held[0] && errno == ENOMEM);
    FILE *stream = open_memstream(&text, &size);
    fprintf(stream, "memory %d", 7);
    fclose(stream);
    copy(small, "by name", 8);
    printf("%s %s\n", text, small);
    free(text);
}

static void jumps(void)
{
    volatile int count = 0;

    if (setjmp(back) < 3)
        longjmp(back, ++count);
    printf("jumps %d variadic %d\n", count, sum(5, 1, 2, 3, 4, 5));
}

static void clocks(void)
{
    struct timespec before, after;
    char text[32];
    time_t now = time(NULL);

    strftime(text, sizeof text, "%F %T", gmtime(&now));
    clock_gettime(CLOCK_MONOTONIC, &before);
    usleep(1000);
    clock_gettime(CLOCK_MONOTONIC, &after);
    long ns = after.tv_nsec - before.tv_nsec;
    printf("clocks %s %s\n", text,
           ns >= 1000000 && ns < 1010000 ? "slept" : "did not sleep");
}

static void system_things(void)
{
    unsigned char random[8];

    errno = 0;
    FILE *file = fopen("/etc/passwd", "r");
    printf("file %s %s\n", file ? "open" : "none", strerror(errno));
    signal(SIGUSR1, say_signal);
    raise(SIGUSR1);
    setlocale(LC_ALL, "");
    printf("wide text %ls %zu\n", L"w\u00e9", wcslen(L"abc"));
    assert(getrandom(random, sizeof random, 0) == sizeof random);
    atomic_int word = 41;
    printf("atomic %d\n", atomic_fetch_add(&word, 1) + 1);
}

int main(int count, char **argument)
{
    atexit(say_bye);
    start(count, argument);
    format();
    input();
    sorting();
    numbers();
    memory();
    jumps();
    clocks();
    system_things();
    fputs("to the log\n", stderr);
    return 3;
}
