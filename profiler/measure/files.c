#include "profiler/measure/files_internal.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX_BYTES (4u << 20)

static char *read_text(const char *path)
{
    struct buf text = {0};
    struct err err;

    if (io_read_file(path, FILE_MAX_BYTES, &text, &err) < 0) {
        buf_release(&text);
        return NULL;
    }
    if (text.size && text.data[text.size - 1] == '\n')
        text.data[text.size - 1] = '\0';
    return buf_take(&text);
}

char *file_text(const char *root, const char *format, ...)
{
    auto_buf struct buf path = {0};
    va_list args;

    buf_add_str(&path, root);
    va_start(args, format);
    buf_add_vformat(&path, format, args);
    va_end(args);
    return read_text(path.data);
}

bool file_number(double *out, const char *root, const char *format, ...)
{
    auto_buf struct buf path = {0};
    va_list args;

    buf_add_str(&path, root);
    va_start(args, format);
    buf_add_vformat(&path, format, args);
    va_end(args);
    auto_free char *text = read_text(path.data);
    char *end = NULL;
    double value = text ? strtod(text, &end) : 0;
    if (!text || end == text)
        return false;
    *out = value;
    return true;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && isblank((unsigned char)*at))
        at++;
    return at;
}

/* Where the line's value begins, if its key is `key`; else NULL. */
static const char *line_value(const char *line, const char *end,
                              const char *key)
{
    size_t size = strlen(key);

    if ((size_t)(end - line) <= size || strncmp(line, key, size) != 0)
        return NULL;
    const char *at = skip_blanks(line + size, end);
    if (at == end || (*at != ':' && *at != '='))
        return NULL;
    return skip_blanks(at + 1, end);
}

char *text_field(const char *text, const char *key)
{
    for (const char *line = text; line && *line;) {
        const char *end = strchrnul(line, '\n');
        const char *value = line_value(line, end, key);
        if (value)
            return mem_dup(value, (size_t)(end - value));
        line = *end ? end + 1 : end;
    }
    return NULL;
}
