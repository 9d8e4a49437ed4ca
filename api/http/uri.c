#include "api/http/uri.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>
#include <string.h>

void uri_release(struct uri *uri)
{
    for (size_t i = 0; i < uri->segment_count; i++)
        free(uri->segment[i]);
    for (size_t i = 0; i < uri->pair_count; i++) {
        free(uri->pair[i].name);
        free(uri->pair[i].value);
    }
    *uri = (struct uri){0};
}

/* How many bytes the character that starts at `text` has; 0: not UTF-8. */
static size_t uri_utf8_size(const unsigned char *text, size_t size)
{
    static const unsigned char first_low[] = {0xc2, 0xe0, 0xf0};
    static const unsigned char first_high[] = {0xdf, 0xef, 0xf4};

    if (text[0] < 0x80)
        return 1;
    for (size_t extra = 1; extra <= 3; extra++) {
        if (text[0] < first_low[extra - 1] || text[0] > first_high[extra - 1])
            continue;
        if (extra >= size)
            return 0;
        for (size_t i = 1; i <= extra; i++)
            if ((text[i] & 0xc0) != 0x80)
                return 0;
        bool overlong = (text[0] == 0xe0 && text[1] < 0xa0) ||
                        (text[0] == 0xf0 && text[1] < 0x90);
        bool surrogate = text[0] == 0xed && text[1] >= 0xa0;
        bool beyond = text[0] == 0xf4 && text[1] >= 0x90;
        return overlong || surrogate || beyond ? 0 : extra + 1;
    }
    return 0;
}

bool uri_is_utf8(const char *text, size_t size)
{
    const unsigned char *at = (const unsigned char *)text;

    while (size > 0) {
        size_t step = uri_utf8_size(at, size);
        if (step == 0)
            return false;
        at += step;
        size -= step;
    }
    return true;
}

static int uri_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* One byte of an escaped text; *at moves behind it. -1: a bad escape. */
static int uri_next_byte(const char **at, const char *end, bool plus_is_space)
{
    char c = *(*at)++;

    if (c == '+' && plus_is_space)
        return ' ';
    if (c != '%')
        return (unsigned char)c;
    if (end - *at < 2)
        return -1;
    int high = uri_hex_digit((*at)[0]);
    int low = uri_hex_digit((*at)[1]);
    *at += 2;
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/* Decodes [text, end). NULL: what is there must not be in a request. */
static char *uri_decode(const char *text, const char *end, bool plus_is_space)
{
    auto_buf struct buf out = {0};

    while (text < end) {
        int byte = uri_next_byte(&text, end, plus_is_space);
        if (byte < 0 || byte < ' ' || byte == 0x7f)
            return NULL;
        buf_add_char(&out, (char)byte);
    }
    if (!uri_is_utf8(out.data ? out.data : "", out.size))
        return NULL;
    return buf_take(&out);
}

static bool uri_segment_is_fine(const char *segment)
{
    return *segment && strcmp(segment, ".") != 0 &&
           strcmp(segment, "..") != 0 && !strchr(segment, '/');
}

static int uri_add_segment(struct uri *uri, const char *text, const char *end,
                           struct err *err)
{
    auto_free char *segment = uri_decode(text, end, false);

    if (!segment || !uri_segment_is_fine(segment))
        return err_set(err, ERR_INPUT,
                       "the path holds an empty, relative or badly escaped "
                       "segment");
    if (uri->segment_count == URI_MAX_SEGMENTS)
        return err_set(err, ERR_MISSING, "nothing lies that deep");
    uri->segment[uri->segment_count++] = take_ptr(segment);
    return 0;
}

static int uri_parse_path(struct uri *uri, const char *path, const char *end,
                          struct err *err)
{
    if (path == end || *path != '/')
        return err_set(err, ERR_INPUT, "the request target must be a path");
    if (end - path == 1)
        return 0;
    while (path < end) {
        const char *start = path + 1;
        const char *slash = memchr(start, '/', (size_t)(end - start));
        path = slash ? slash : end;
        if (uri_add_segment(uri, start, path, err) < 0)
            return -1;
    }
    return 0;
}

static int uri_add_pair(struct uri *uri, const char *text, const char *end,
                        struct err *err)
{
    const char *equals = memchr(text, '=', (size_t)(end - text));
    auto_free char *name = uri_decode(text, equals ? equals : end, true);
    auto_free char *value =
        equals ? uri_decode(equals + 1, end, true) : mem_dup_str("");

    if (!name || !value)
        return err_set(err, ERR_INPUT, "the query is badly escaped");
    if (uri_query(uri, name))
        return err_set(err, ERR_INPUT, "%.60s is given twice", name);
    if (uri->pair_count == URI_MAX_PAIRS)
        return err_set(err, ERR_INPUT, "more than %d query parameters",
                       URI_MAX_PAIRS);
    uri->pair[uri->pair_count++] =
        (struct uri_pair){.name = take_ptr(name), .value = take_ptr(value)};
    return 0;
}

static int uri_parse_query(struct uri *uri, const char *query, struct err *err)
{
    while (*query) {
        const char *end = strchrnul(query, '&');
        if (end > query && uri_add_pair(uri, query, end, err) < 0)
            return -1;
        query = *end ? end + 1 : end;
    }
    return 0;
}

int uri_parse(struct uri *uri, const char *target, struct err *err)
{
    if (strlen(target) > URI_MAX_BYTES)
        return err_set(err, ERR_TOO_BIG,
                       "the request target is longer than "
                       "%d bytes",
                       URI_MAX_BYTES);
    if (strchr(target, '#'))
        return err_set(err, ERR_INPUT, "a request target has no fragment");
    const char *query = strchrnul(target, '?');
    if (uri_parse_path(uri, target, query, err) < 0)
        return -1;
    return *query ? uri_parse_query(uri, query + 1, err) : 0;
}

const char *uri_query(const struct uri *uri, const char *name)
{
    for (size_t i = 0; i < uri->pair_count; i++)
        if (!strcmp(uri->pair[i].name, name))
            return uri->pair[i].value;
    return NULL;
}

bool uri_parse_count(const char *text, int64_t *value)
{
    int64_t sum = 0;

    if (!*text || (text[0] == '0' && text[1]))
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        sum = sum * 10 + (*text - '0');
        if (sum > INT64_C(9007199254740991))
            return false;
    }
    *value = sum;
    return true;
}

int uri_query_int(const struct uri *uri, const char *name,
                  struct uri_range range, int64_t *value, struct err *err)
{
    const char *text = uri_query(uri, name);
    int64_t number = range.absent;

    if (text && (!uri_parse_count(text, &number) || number < range.low ||
                 number > range.high))
        return err_set(err, ERR_INPUT,
                       "%s must be an integer of %" PRId64 " to %" PRId64, name,
                       range.low, range.high);
    *value = number;
    return 0;
}
