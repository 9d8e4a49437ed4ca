/* format: the table of formats, by name, and what writers share. */
#include "profiler/report/report.h"

#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

#include <string.h>

int profile_format_find(const char *name)
{
    for (int i = 0; i < PROFILE_FORMAT_COUNT; i++)
        if (!strcmp(profile_format_name((enum profile_format)i), name))
            return i;
    return -1;
}

const char *profile_format_name(enum profile_format format)
{
    static const char *const names[] = {
#define FORMAT(NAME, name, ending, media_type, function) name,
#include "profiler/report/format.def"
    };
    return names[format];
}

const char *profile_format_media_type(enum profile_format format)
{
    static const char *const types[] = {
#define FORMAT(NAME, name, ending, media_type, function) media_type,
#include "profiler/report/format.def"
    };
    return types[format];
}

int profile_write(const struct profile *profile, enum profile_format format,
                  struct buf *out, struct err *err)
{
    static int (*const writers[])(const struct profile *, struct buf *,
                                  struct err *) = {
#define FORMAT(NAME, name, ending, media_type, function) function,
#include "profiler/report/format.def"
    };
    return writers[format](profile, out, err);
}

const char *profile_format_ending(enum profile_format format)
{
    static const char *const endings[] = {
#define FORMAT(NAME, name, ending, media_type, function) ending,
#include "profiler/report/format.def"
    };
    return endings[format];
}

/* ---- what writers share -------------------------------------------------- */

void report_add_json(struct buf *out, const char *text)
{
    json_t *string = json_string(text);
    auto_free char *quoted =
        string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;

    json_decref(string);
    buf_add_str(out, quoted ? quoted : "\"?\"");
}

char *report_put_number(char *to, uint64_t number)
{
    char digit[REPORT_NUMBER_BYTES];
    size_t at = sizeof digit;

    do {
        digit[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    memcpy(to, digit + at, sizeof digit - at);
    return to + (sizeof digit - at);
}

void report_add_number(struct buf *out, uint64_t number)
{
    char digits[REPORT_NUMBER_BYTES];

    buf_add(out, digits, (size_t)(report_put_number(digits, number) - digits));
}

void report_add_plain(struct buf *out, const char *text, const char *forbidden)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool plain = c > ' ' && c != 0x7f && !strchr(forbidden, *text);
        buf_add_char(out, plain || (c == ' ' && !strchr(forbidden, ' ')) ? *text
                                                                         : '_');
    }
}

void report_add_turns(struct buf *out, const struct profile *profile)
{
    size_t count = profile->turn_count;

    if (!count)
        buf_add_str(out, "no turn");
    else if (count == 1)
        buf_add_format(out, "turn %u", profile->turn[0].turn);
    else
        buf_add_format(out, "turns %u to %u, summed", profile->turn[0].turn,
                       profile->turn[count - 1].turn);
}
