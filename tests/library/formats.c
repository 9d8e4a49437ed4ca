/* Random formats through the library's printf and scanf and through musl's own,
 * which they replace: results, texts and positions must be the same, to texts
 * with too little room and to streams too. Prints how many were tried and the
 * first ones that differ. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int __musl_vsnprintf(char *to, size_t size, const char *format, va_list list);
int __musl_vfprintf(FILE *file, const char *format, va_list list);
int __musl_vsscanf(const char *text, const char *format, va_list list);
int __musl_vfscanf(FILE *file, const char *format, va_list list);

enum { ROOM = 400, PRINTS = 20000, SCANS = 10000, SHOWN = 10 };

static int differ;

static uint64_t chance(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1d;
}

static unsigned below(unsigned most)
{
    return (unsigned)(chance() >> 33) % most;
}

#define ONE_OF(list) ((list)[below(sizeof(list) / sizeof *(list))])

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double some_double(void)
{
    static const double odd[] = {0.0,
                                 -0.0,
                                 INFINITY,
                                 NAN,
                                 0.5,
                                 1.5,
                                 2.5,
                                 0.125,
                                 9.9999995,
                                 999999.5,
                                 1e15,
                                 1e16,
                                 1e17,
                                 123456,
                                 0.0001,
                                 0.00001,
                                 5e-324,
                                 1e300,
                                 4503599627370496.5};
    double value;
    uint64_t bits = chance();

    switch (below(6)) {
    case 0:
        return ONE_OF(odd);
    case 1:
        memcpy(&value, &bits, sizeof value);
        return value;
    case 2:
        return ((double)below(2000000) - 1000000) / pow(10, below(9));
    case 3:
        return ldexp((double)(below(4001)) - 2000, -(int)below(14));
    case 4:
        return (double)(int64_t)bits / (1 + below(1000));
    default:
        return (double)below(100000) * pow(10, (int)below(40) - 20);
    }
}

static uint64_t some_integer(void)
{
    static const uint64_t odd[] = {0,   1,          9,     10,        99,
                                   100, 0x80000000, ~0ULL, 1ULL << 63};

    return below(4) == 0 ? ONE_OF(odd) : chance() >> below(64);
}

/* Adds a conversion to the format, its arguments to the list. */
static size_t add_conversion(char *format, uint64_t *argument)
{
    static const char *const number[] = {"d",   "i",   "u",   "x",  "X",  "o",
                                         "ld",  "lld", "llu", "zu", "lx", "hd",
                                         "hhd", "hu",  "hhx", "jd", "td"};
    static const char *const real[] = {"f", "e", "g", "F", "E", "G", "a", "lf"};
    static const char *const text[] = {"", "x", "some text",
                                       "a text of more than sixteen bytes"};
    static const char *const odd[] = {"p", "y", "lc", "m", "ly"};
    static const char flags[] = "-+ #0'";
    size_t used = 0;
    char *start = format;

    *format++ = '%';
    while (below(3) == 0)
        *format++ = flags[below(sizeof flags - 1)];
    if (below(3) == 0) {
        format += sprintf(format, "%u", 1 + below(30));
    } else if (below(8) == 0) {
        *format++ = '*';
        argument[used++] = below(60) - 30;
    }
    if (below(3) == 0) {
        format += sprintf(format, ".%u", below(20));
    } else if (below(8) == 0) {
        *format++ = '.';
        if (below(2)) {
            *format++ = '*';
            argument[used++] = below(30) - 5;
        }
    }
    switch (below(8)) {
    case 0:
    case 1:
    case 2:
        strcpy(format, ONE_OF(number));
        argument[used++] = some_integer();
        break;
    case 3:
    case 4:
    case 5:
        strcpy(format, ONE_OF(real));
        argument[used++] = bits_of(some_double());
        break;
    case 6:
        strcpy(format, "s");
        argument[used++] = (uint64_t)ONE_OF(text);
        break;
    default:
        strcpy(format, below(8) ? "c" : ONE_OF(odd));
        if (*format == 'l') { /* musl's `0` of wide characters is odd */
            memmove(start + 1, format, strlen(format) + 1);
            used = 0;
        }
        if (*format != 'm')
            argument[used++] = 'A' + below(26);
        break;
    }
    return used;
}

static int to_text(int ours, char *to, size_t room, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    int result = ours ? vsnprintf(to, room, format, list)
                      : __musl_vsnprintf(to, room, format, list);
    va_end(list);
    return result;
}

static int to_stream(int ours, char *to, const char *format, ...)
{
    static char small[32];
    FILE *file = fmemopen(to, ROOM, "w");
    va_list list;

    setvbuf(file, small, _IOFBF, sizeof small);
    va_start(list, format);
    int result = ours ? vfprintf(file, format, list)
                      : __musl_vfprintf(file, format, list);
    va_end(list);
    fclose(file);
    return result;
}

static void report(const char *what, const char *format, const char *ours,
                   const char *musls)
{
    if (differ++ < SHOWN)
        printf("%s \"%s\": \"%s\", musl \"%s\"\n", what, format, ours, musls);
}

static void try_print(void)
{
    char format[200] = "", ours[ROOM], musls[ROOM];
    uint64_t argument[12] = {0};
    size_t used = 0;
    size_t room = below(3) ? ROOM : below(40);

    for (unsigned i = below(3) + 1; i > 0; i--) {
        strcat(format, ONE_OF(((const char *[]){"", " ",
                                                "a literal of some "
                                                "length ",
                                                "%%", ", "})));
        used += add_conversion(format + strlen(format), argument + used);
    }
    strcat(format, ONE_OF(((const char *[]){"", "\n", "."})));
#define ARGUMENTS                                                    \
    argument[0], argument[1], argument[2], argument[3], argument[4], \
        argument[5], argument[6], argument[7], argument[8]
    memset(ours, '#', sizeof ours);
    memset(musls, '#', sizeof musls);
    int one = to_text(1, ours, room, format, ARGUMENTS);
    int other = to_text(0, musls, room, format, ARGUMENTS);
    /* What stands in front of a wrong conversion is another matter. */
    if (one != other ||
        (one >= 0 && room > 0 && strncmp(ours, musls, room) != 0))
        report("text", format, ours, musls);
    if (one < 0)
        return;
    memset(ours, 0, sizeof ours);
    memset(musls, 0, sizeof musls);
    one = to_stream(1, ours, format, ARGUMENTS);
    other = to_stream(0, musls, format, ARGUMENTS);
    if (one != other || memcmp(ours, musls, sizeof ours) != 0)
        report("stream", format, ours, musls);
}

static int from_text(int ours, const char *text, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    int result =
        ours ? vsscanf(text, format, list) : __musl_vsscanf(text, format, list);
    va_end(list);
    return result;
}

static int from_stream(int ours, const char *text, long *position,
                       const char *format, ...)
{
    static char small[16];
    FILE *file = fmemopen((char *)text, strlen(text) + 1, "r");
    va_list list;

    setvbuf(file, small, _IOFBF, sizeof small);
    va_start(list, format);
    int result =
        ours ? vfscanf(file, format, list) : __musl_vfscanf(file, format, list);
    va_end(list);
    *position = result * 100 + getc(file);
    fclose(file);
    return result;
}

struct results {
    char at[6][40];
};

static void try_scan(void)
{
    static const char *const directive[] = {
        "%d",  "%ld",  "%lld", "%u",     "%hd",  "%hhu",    "%3d", "%1d",
        "%*d", "%s",   "%5s",  "%*s",    "%c",   "%3c",     "%*c", "%i",
        "%x",  "%lf",  "%f",   "%[a-z]", "%n",   " ",       ",",   "%[^,]",
        "%%",  "word", "%o",   "%2x",    "%zu",  "%*[^\n]", "%y",  "%",
        "%g",  "%5lf", "\n\t", "%20s",   "%[]x]"};
    static const char *const piece[] = {"12",
                                        "-7",
                                        "+3",
                                        " ",
                                        "  \n",
                                        ",",
                                        "word",
                                        "x",
                                        "0x1f",
                                        "3.25",
                                        "-",
                                        "+",
                                        "%",
                                        "abc",
                                        "\t",
                                        "99999999999",
                                        "17 18",
                                        "007",
                                        "1e5",
                                        "18446744073709551616",
                                        "-9223372036854775808",
                                        "]x",
                                        "",
                                        "a rather long text, over sixteen"};
    char format[100] = "", text[200] = "";
    struct results ours, musls;
    long one_at, other_at;

    for (unsigned i = below(4) + 1; i > 0; i--)
        strcat(format, ONE_OF(directive));
    for (unsigned i = below(6); i > 0; i--)
        strcat(text, ONE_OF(piece));
#define PLACES(r) r.at[0], r.at[1], r.at[2], r.at[3], r.at[4], r.at[5]
    memset(&ours, '#', sizeof ours);
    memset(&musls, '#', sizeof musls);
    int one = from_text(1, text, format, PLACES(ours));
    int other = from_text(0, text, format, PLACES(musls));
    if (one != other || memcmp(&ours, &musls, sizeof ours) != 0)
        report("scan", format, text, one != other ? "result" : "values");
    memset(&ours, '#', sizeof ours);
    memset(&musls, '#', sizeof musls);
    one = from_stream(1, text, &one_at, format, PLACES(ours));
    other = from_stream(0, text, &other_at, format, PLACES(musls));
    if (one != other || one_at != other_at ||
        memcmp(&ours, &musls, sizeof ours) != 0)
        report("stream scan", format, text, one != other ? "result" : "values");
}

int main(void)
{
    for (int i = 0; i < PRINTS; i++)
        try_print();
    for (int i = 0; i < SCANS; i++)
        try_scan();
    printf("%d formats, %d differ\n", PRINTS + SCANS, differ);
}
