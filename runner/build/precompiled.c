#include "runner/build/precompiled.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/build/view.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *name;
    const char *form; /* as the compiler sees it */
} headers[] = {
#define PRECOMPILED(header, file) {header, VIEW_HEADERS "/pch/" file},
#include "instrument/library/precompiled.def"
};
#define HEADER_COUNT (sizeof headers / sizeof *headers)

/* What is left of the source's text. */
struct text {
    const char *at;
    const char *end;
};

static bool skip(struct text *text, const char *what)
{
    size_t size = strlen(what);

    if ((size_t)(text->end - text->at) < size ||
        memcmp(text->at, what, size) != 0)
        return false;
    text->at += size;
    return true;
}

/* Up to and over `what`, or to the end. */
static void skip_over(struct text *text, const char *what)
{
    const char *found =
        memmem(text->at, (size_t)(text->end - text->at), what, strlen(what));

    text->at = found ? found + strlen(what) : text->end;
}

/* A line that a backslash goes on with is too odd: all is skipped. */
static void skip_line(struct text *text)
{
    const char *from = text->at;

    skip_over(text, "\n");
    if (memchr(from, '\\', (size_t)(text->at - from)))
        text->at = text->end;
}

static void skip_blanks(struct text *text)
{
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t'))
        text->at++;
}

static void skip_comments(struct text *text)
{
    for (;;) {
        while (text->at < text->end && isspace((unsigned char)*text->at))
            text->at++;
        if (skip(text, "//"))
            skip_line(text);
        else if (skip(text, "/*"))
            skip_over(text, "*/");
        else
            return;
    }
}

/* #pragma GCC optimize, target: clang says that it does not know them. */
static bool skip_pragma(struct text *text)
{
    struct text line = *text;

    if (!skip(&line, "#pragma GCC "))
        return false;
    skip_blanks(&line);
    if (!skip(&line, "optimize") && !skip(&line, "target"))
        return false;
    skip_line(&line);
    *text = line;
    return true;
}

/* The header that the first directive includes, its number; or HEADER_COUNT. */
static size_t first_header(struct text text)
{
    do
        skip_comments(&text);
    while (skip_pragma(&text));
    if (!skip(&text, "#"))
        return HEADER_COUNT;
    skip_blanks(&text);
    if (!skip(&text, "include"))
        return HEADER_COUNT;
    skip_blanks(&text);
    if (!skip(&text, "<"))
        return HEADER_COUNT;
    for (size_t i = 0; i < HEADER_COUNT; i++) {
        struct text name = text;

        if (skip(&name, headers[i].name) && skip(&name, ">"))
            return i;
    }
    return HEADER_COUNT;
}

/* The upload's folder is searched first: would a file of it be found in place
 * of a header of ours? */
static bool hides_header(const struct toolchain *toolchain,
                         const struct build_source *source)
{
    for (size_t i = 0; i < source->count; i++) {
        const char *path = source->file[i].path;
        auto_free char *c = mem_format("%s/%s", toolchain->headers, path);
        auto_free char *cxx =
            mem_format("%s/c++/v1/%s", toolchain->headers, path);

        if (io_exists(c) || io_exists(cxx))
            return true;
    }
    return false;
}

const char *precompiled_find(const struct toolchain *toolchain,
                             const struct build_source *source,
                             const struct build_file *file)
{
    const struct text text = {file->bytes, file->bytes + file->size};
    size_t header = first_header(text);

    if (header == HEADER_COUNT || hides_header(toolchain, source))
        return NULL;
    return headers[header].form;
}
