#include "runner/build/diagnostics.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/build/hint.h"
#include "runner/build/view.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void diagnostics_init(struct diagnostics *diagnostics)
{
    *diagnostics = (struct diagnostics){.list = json_array()};
}

void diagnostics_release(struct diagnostics *diagnostics)
{
    json_decref(diagnostics->list);
    *diagnostics = (struct diagnostics){0};
}

/* Length of the well-formed UTF-8 sequence at `at`, 0 if there is none.
 * Source: RFC 3629, section 4. */
static size_t utf8_length(const unsigned char *at, size_t left)
{
    unsigned char first = at[0];
    size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    uint32_t code = length == 1 ? first : first & (0x7fu >> length);

    if ((first >= 0x80 && first < 0xc2) || first > 0xf4 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    if ((length == 3 && code < 0x800) || (length == 4 && code < 0x10000) ||
        (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
        return 0;
    return length;
}

char *diagnostics_utf8(const char *text, size_t size)
{
    struct buf out = {0};

    for (size_t i = 0; i < size;) {
        size_t length = utf8_length((const unsigned char *)text + i, size - i);
        if (length > 0 && text[i] != '\0')
            buf_add(&out, text + i, length);
        else
            buf_add_str(&out, "\xef\xbf\xbd"); /* U+FFFD */
        i += length ? length : 1;
    }
    return buf_take(&out);
}

static json_t *utf8_json(const char *text, size_t size)
{
    auto_free char *clean = diagnostics_utf8(text, size);

    return json_string(clean);
}

static json_t *entry_new(json_t *file, unsigned line, const char *severity,
                         json_t *message)
{
    json_t *entry = json_object();

    json_object_set_new(entry, "file", file);
    json_object_set_new(entry, "line", line ? json_integer(line) : json_null());
    json_object_set_new(entry, "severity", json_string(severity));
    json_object_set_new(entry, "message", message);
    return entry;
}

static bool is_error(const json_t *entry)
{
    return !strcmp(json_string_value(json_object_get(entry, "severity")),
                   "error");
}

static void close_list(struct diagnostics *diagnostics)
{
    if (!diagnostics->cut)
        json_array_append_new(
            diagnostics->list,
            entry_new(json_string(""), 0, "note",
                      json_string("there is more: mend these first")));
    diagnostics->cut = true;
}

/* In a closed list an error takes the place of the last warning or note: what
 * a program is rejected for must be seen. False if there is none to give up. */
static bool make_room(struct diagnostics *diagnostics)
{
    for (size_t i = json_array_size(diagnostics->list) - 1; i-- > 0;) {
        if (is_error(json_array_get(diagnostics->list, i)))
            continue;
        json_array_remove(diagnostics->list, i);
        return true;
    }
    return false;
}

static void add_sized(struct diagnostics *diagnostics, const char *file,
                      unsigned line, const char *severity, const char *message,
                      size_t message_size)
{
    size_t bytes = strlen(file) + message_size + 64;

    if (json_array_size(diagnostics->list) >= DIAGNOSTICS_MAX ||
        bytes > DIAGNOSTICS_MAX_BYTES - diagnostics->bytes)
        close_list(diagnostics);
    if (diagnostics->cut &&
        (bytes > DIAGNOSTICS_MAX_BYTES - diagnostics->bytes ||
         strcmp(severity, "error") != 0 || !make_room(diagnostics)))
        return;
    diagnostics->bytes += bytes;
    json_array_insert_new(
        diagnostics->list,
        json_array_size(diagnostics->list) - (diagnostics->cut ? 1 : 0),
        entry_new(utf8_json(file, strlen(file)), line, severity,
                  utf8_json(message, message_size)));
}

void diagnostics_add(struct diagnostics *diagnostics, const char *file,
                     unsigned line, const char *severity, const char *message)
{
    add_sized(diagnostics, file, line, severity, message, strlen(message));
}

void diagnostics_add_format(struct diagnostics *diagnostics, const char *file,
                            unsigned line, const char *format, ...)
{
    auto_buf struct buf message = {0};
    va_list args;

    va_start(args, format);
    buf_add_vformat(&message, format, args);
    va_end(args);
    diagnostics_add(diagnostics, file, line, "error", message.data);
}

/* ---- clang --------------------------------------------------------------- */

struct severity {
    const char *mark;
    const char *name;
};

static const struct severity severities[] = {
    {": fatal error: ", "error"},
    {": error: ", "error"},
    {": warning: ", "warning"},
    {": note: ", "note"},
};

/* The earliest mark in the line: a message may quote another one. */
static const struct severity *find_severity(const char *line, size_t size,
                                            const char **at)
{
    const struct severity *found = NULL;

    for (size_t i = 0; i < sizeof severities / sizeof *severities; i++) {
        const char *mark = severities[i].mark;
        const char *hit = memmem(line, size, mark, strlen(mark));
        if (hit && (!found || hit < *at)) {
            found = &severities[i];
            *at = hit;
        }
    }
    return found;
}

/* Takes ":digits" off the end of text[0..*size); 0 if there is none. */
static unsigned take_number(const char *text, size_t *size)
{
    size_t start = *size;

    while (start > 0 && text[start - 1] >= '0' && text[start - 1] <= '9')
        start--;
    if (start == *size || start == 0 || text[start - 1] != ':' ||
        *size - start > 9)
        return 0;
    unsigned long number = strtoul(text + start, NULL, 10);
    *size = start - 1;
    return (unsigned)number;
}

/* A header that a bot cannot have is named with what to use instead. */
static bool add_absence(struct diagnostics *diagnostics, const char *file,
                        unsigned line, const char *message, size_t size)
{
    size_t name_size;
    const char *instead = hint_find_header(message, size, &name_size);
    auto_buf struct buf text = {0};

    if (!instead)
        return false;
    buf_add_format(&text, "<%.*s>: %s", (int)name_size, message + 1, instead);
    add_sized(diagnostics, file, line, "error", text.data, text.size);
    return true;
}

static void add_message(struct diagnostics *diagnostics, const char *file,
                        unsigned line, const char *severity,
                        const char *message, size_t size)
{
    const char *hint =
        !strcmp(severity, "error") ? hint_find(message, size) : NULL;
    auto_buf struct buf text = {0};

    buf_add(&text, message, size);
    if (hint)
        buf_add_format(&text, ": %s", hint);
    add_sized(diagnostics, file, line, severity, text.data, text.size);
}

/* Whether it was an error. */
static bool add_clang_line(struct diagnostics *diagnostics, const char *line,
                           size_t size)
{
    const char *at = NULL;
    const struct severity *severity = find_severity(line, size, &at);

    /* Advice to use a flag that nobody here can give. */
    if (!severity || !strncmp(at, ": note: use -f", 14))
        return false;

    size_t place = (size_t)(at - line);
    const char *message = at + strlen(severity->mark);
    size_t message_size = (size_t)(line + size - message);
    unsigned column = take_number(line, &place);
    unsigned number = column ? take_number(line, &place) : 0;
    auto_free char *inside = mem_dup(line, number ? place : 0);
    auto_free char *file = view_name(inside);

    if (!add_absence(diagnostics, file, number, message, message_size))
        add_message(diagnostics, file, number, severity->name, message,
                    message_size);
    return !strcmp(severity->name, "error");
}

size_t diagnostics_add_clang(struct diagnostics *diagnostics, const char *text,
                             size_t size)
{
    const char *end = text + size;
    size_t errors = 0;

    for (const char *line = text; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop)
            stop = end;
        errors += add_clang_line(diagnostics, line, (size_t)(stop - line));
        line = stop + 1;
    }
    return errors;
}

/* ---- bout-meter ---------------------------------------------------------- */

static void add_meter_entry(struct diagnostics *diagnostics,
                            const json_t *entry)
{
    const char *inside = json_string_value(json_object_get(entry, "file"));
    const char *message = json_string_value(json_object_get(entry, "message"));
    const char *severity =
        json_string_value(json_object_get(entry, "severity"));
    json_int_t line = json_integer_value(json_object_get(entry, "line"));
    auto_free char *file = view_name(inside ? inside : "");

    diagnostics_add(
        diagnostics, file, line > 0 && line < INT32_MAX ? (unsigned)line : 0,
        severity ? severity : "error", message ? message : "refused");
}

bool diagnostics_add_meter(struct diagnostics *diagnostics, const char *text,
                           size_t size)
{
    json_t *document = json_loadb(text, size, 0, NULL);
    json_t *list = json_object_get(document, "diagnostics");
    bool found = json_is_array(list);
    json_t *entry;
    size_t i;

    json_array_foreach(list, i, entry) {
        add_meter_entry(diagnostics, entry);
    }
    json_decref(document);
    return found;
}
