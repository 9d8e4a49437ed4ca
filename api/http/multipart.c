#include "api/http/multipart.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

void multipart_release(struct multipart *form)
{
    for (size_t i = 0; i < form->count; i++) {
        free(form->part[i].name);
        free(form->part[i].filename);
    }
    free(form->part);
    *form = (struct multipart){0};
}

/* Where the parameter that begins at `text` ends: at its ';' or at `end`. */
static const char *multipart_parameter_end(const char *text, const char *end)
{
    bool quoted = false;

    for (; text < end && (quoted || *text != ';'); text++)
        if (*text == '"')
            quoted = !quoted;
    return text;
}

/* The value of `; name=value` or `; name="value"` in the header value [text,
 * end). NULL if absent or malformed; freed by the caller. */
static char *multipart_parameter(const char *text, const char *end,
                                 const char *name)
{
    size_t name_size = strlen(name);

    text = multipart_parameter_end(text, end);
    while (text < end) {
        const char *start = text + 1;
        text = multipart_parameter_end(start, end);
        const char *stop = text;
        while (start < stop && (*start == ' ' || *start == '\t'))
            start++;
        while (stop > start && isspace((unsigned char)stop[-1]))
            stop--;
        if ((size_t)(stop - start) <= name_size || start[name_size] != '=' ||
            strncasecmp(start, name, name_size) != 0)
            continue;
        start += name_size + 1;
        if (start == stop || *start != '"')
            return mem_dup(start, (size_t)(stop - start));
        if (stop - start < 2 || stop[-1] != '"')
            return NULL;
        return mem_dup(start + 1, (size_t)(stop - start) - 2);
    }
    return NULL;
}

/* The delimiter with its line break; NULL where the header names none. */
static char *multipart_delimiter(const char *content_type)
{
    auto_free char *boundary = multipart_parameter(
        content_type, content_type + strlen(content_type), "boundary");

    if (!boundary || !*boundary || strlen(boundary) > 70)
        return NULL;
    return mem_format("\r\n--%s", boundary);
}

static bool multipart_name_is_fine(const char *name)
{
    if (!name || strlen(name) > MULTIPART_MAX_NAME)
        return false;
    for (; *name; name++)
        if ((unsigned char)*name < ' ' || *name == 0x7f)
            return false;
    return true;
}

/* Reads one header line of a part, [line, end). */
static int multipart_header(struct multipart_part *part, const char *line,
                            const char *end, struct err *err)
{
    static const char disposition[] = "content-disposition:";
    size_t size = sizeof disposition - 1;

    if ((size_t)(end - line) < size ||
        strncasecmp(line, disposition, size) != 0)
        return 0;
    if (part->name)
        return err_set(err, ERR_INPUT, "a part has two Content-Dispositions");
    part->name = multipart_parameter(line, end, "name");
    part->filename = multipart_parameter(line, end, "filename");
    if (!multipart_name_is_fine(part->name) ||
        (part->filename && !multipart_name_is_fine(part->filename)))
        return err_set(err, ERR_INPUT,
                       "a part's name or filename is missing, longer than %d "
                       "bytes or holds control characters",
                       MULTIPART_MAX_NAME);
    return 0;
}

/* Reads headers and content of the part [at, end). */
static int multipart_part(struct multipart_part *part, const char *at,
                          const char *end, struct err *err)
{
    for (;;) {
        const char *stop = memmem(at, (size_t)(end - at), "\r\n", 2);
        if (!stop)
            return err_set(err, ERR_INPUT,
                           "a part has no empty line after its headers");
        if (stop == at)
            break;
        if (multipart_header(part, at, stop, err) < 0)
            return -1;
        at = stop + 2;
    }
    if (!part->name)
        return err_set(err, ERR_INPUT, "a part has no name");
    part->bytes = at + 2;
    part->size = (size_t)(end - part->bytes);
    return 0;
}

static int multipart_add(struct multipart *form, const char *at,
                         const char *end, struct err *err)
{
    if (form->count == MULTIPART_MAX_PARTS)
        return err_set(err, ERR_TOO_BIG, "more than %d parts",
                       MULTIPART_MAX_PARTS);
    if (form->count % 16 == 0)
        form->part =
            mem_realloc(form->part, (form->count + 16) * sizeof *form->part);
    struct multipart_part *part = &form->part[form->count++];
    *part = (struct multipart_part){0};
    return multipart_part(part, at, end, err);
}

/* Behind a delimiter: 1: a part follows, *at is its start; 0: that was the
 * end; -1: neither. RFC 2046 allows blanks before the line break. */
static int multipart_after(const char **at, const char *end)
{
    if (end - *at >= 2 && (*at)[0] == '-' && (*at)[1] == '-')
        return 0;
    while (*at < end && (**at == ' ' || **at == '\t'))
        (*at)++;
    if (end - *at < 2 || (*at)[0] != '\r' || (*at)[1] != '\n')
        return -1;
    *at += 2;
    return 1;
}

int multipart_parse(struct multipart *form, const char *content_type,
                    const char *body, size_t size, struct err *err)
{
    auto_free char *delimiter = multipart_delimiter(content_type);
    const char *end = body + size;

    if (!delimiter)
        return err_set(err, ERR_INPUT,
                       "the Content-Type has no usable boundary");
    size_t delimiter_size = strlen(delimiter);

    /* The first delimiter may stand at the very start, without line break. */
    const char *at;
    if (size >= delimiter_size - 2 &&
        !memcmp(body, delimiter + 2, delimiter_size - 2)) {
        at = body + delimiter_size - 2;
    } else {
        at = size ? memmem(body, size, delimiter, delimiter_size) : NULL;
        if (!at)
            return err_set(err, ERR_INPUT,
                           "the body does not hold its boundary");
        at += delimiter_size;
    }

    for (;;) {
        int more = multipart_after(&at, end);
        if (more == 0)
            return 0;
        const char *next = more < 0 ? NULL
                                    : memmem(at, (size_t)(end - at), delimiter,
                                             delimiter_size);
        if (!next)
            return err_set(err, ERR_INPUT,
                           "the multipart body is cut short: its closing "
                           "boundary is missing");
        if (multipart_add(form, at, next, err) < 0)
            return -1;
        at = next + delimiter_size;
    }
}

const struct multipart_part *multipart_find(const struct multipart *form,
                                            const char *name)
{
    for (size_t i = 0; i < form->count; i++)
        if (!strcmp(form->part[i].name, name))
            return &form->part[i];
    return NULL;
}
