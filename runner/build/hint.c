#include "runner/build/hint.h"

#include <stdbool.h>
#include <string.h>

static const struct {
    const char *name;
    const char *instead;
} missing[] = {
#define MISSING(name, instead) {name, instead},
#include "instrument/missing.def"
};

/* Those after a reason go by it. */
static const struct {
    const char *header;
    const char *instead;
} absent[] = {
#define ABSENT_BECAUSE(text) {NULL, text},
#define ABSENT(header) {header, NULL},
#include "instrument/library/absent.def"
};

static bool matches(const char *pattern, const char *name, size_t size)
{
    size_t length = strlen(pattern);

    if (pattern[length - 1] == '*')
        return size >= length - 1 && !memcmp(pattern, name, length - 1);
    return size == length && !memcmp(pattern, name, length);
}

static const char *instead_of(const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        if (matches(missing[i].name, name, size))
            return missing[i].instead;
    }
    return NULL;
}

const char *hint_find(const char *message, size_t size)
{
    const char *end = message + size;
    const char *open = memchr(message, '\'', size);

    while (open) {
        const char *name = open + 1;
        const char *close = memchr(name, '\'', (size_t)(end - name));
        const char *found =
            close ? instead_of(name, (size_t)(close - name)) : NULL;

        if (found || !close)
            return found;
        open = memchr(close + 1, '\'', (size_t)(end - close - 1));
    }
    return NULL;
}

const char *hint_find_header(const char *message, size_t size,
                             size_t *name_size)
{
    static const char tail[] = "' file not found";
    const char *instead = NULL;

    if (size <= sizeof tail || message[0] != '\'' ||
        memcmp(message + size - (sizeof tail - 1), tail, sizeof tail - 1) != 0)
        return NULL;
    *name_size = size - sizeof tail;
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        if (!absent[i].header)
            instead = absent[i].instead;
        else if (matches(absent[i].header, message + 1, *name_size))
            return instead;
    }
    return NULL;
}
