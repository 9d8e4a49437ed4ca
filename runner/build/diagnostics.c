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

/* Reads clang's output line by line. */
struct clang_text {
    struct diagnostics *diagnostics;
    char *includer; /* the program's file that includes what follows, or NULL */
    unsigned includer_line;
    size_t errors;
};

/* "In file included from FILE:LINE:"; outermost first, so the last file that is
 * not one of our headers is the one that names the header. */
static bool take_include(struct clang_text *text, const char *line, size_t size)
{
    static const char head[] = "In file included from ";

    if (size < sizeof head || memcmp(line, head, sizeof head - 1) != 0)
        return false;
    line += sizeof head - 1;
    size -= sizeof head; /* and the colon at the end */
    unsigned number = take_number(line, &size);
    auto_free char *inside = mem_dup(line, size);
    if (number && !view_is_header(inside)) {
        free(text->includer);
        text->includer = view_name(inside);
        text->includer_line = number;
    }
    return true;
}

/* What a header of absent.list says: `"<NAME>: why"`, by #error. */
static bool is_absence(const char *inside, const char *message, size_t size)
{
    return size > 3 && message[0] == '"' && message[1] == '<' &&
           message[size - 1] == '"' && view_is_header(inside);
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

static void add_clang_line(struct clang_text *text, const char *line,
                           size_t size)
{
    const char *at = NULL;

    if (take_include(text, line, size))
        return;
    const struct severity *severity = find_severity(line, size, &at);
    /* Advice to use a flag that nobody here can give. */
    if (!severity || !strncmp(at, ": note: use -f", 14))
        return;

    size_t place = (size_t)(at - line);
    const char *message = at + strlen(severity->mark);
    size_t message_size = (size_t)(line + size - message);
    unsigned column = take_number(line, &place);
    unsigned number = column ? take_number(line, &place) : 0;
    auto_free char *inside = mem_dup(line, number ? place : 0);
    auto_free char *file = view_name(inside);

    if (text->includer && is_absence(inside, message, message_size))
        add_message(text->diagnostics, text->includer, text->includer_line,
                    severity->name, message + 1, message_size - 2);
    else
        add_message(text->diagnostics, file, number, severity->name, message,
                    message_size);
    text->errors += !strcmp(severity->name, "error");
}

size_t diagnostics_add_clang(struct diagnostics *diagnostics, const char *text,
                             size_t size)
{
    struct clang_text clang = {.diagnostics = diagnostics};
    const char *end = text + size;

    for (const char *line = text; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop)
            stop = end;
        add_clang_line(&clang, line, (size_t)(stop - line));
        line = stop + 1;
    }
    free(clang.includer);
    return clang.errors;
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
