#include "instrument/meter/canon.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Names met so far, in a hash table of open addresses: number of the name plus
 * one, 0 for an empty slot. The numbers follow the order of appearance, so the
 * table's own order shows nowhere. */
struct canon {
    const char **names;
    size_t *sizes;
    size_t name_count, name_capacity;
    uint32_t *slots;
    size_t slot_count;
    struct hash hash;
};

static uint64_t name_hash(const char *name, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3;
    return hash;
}

static size_t find_slot(const struct canon *canon, const char *name,
                        size_t size)
{
    size_t at = name_hash(name, size) % canon->slot_count;

    while (canon->slots[at]) {
        size_t known = canon->slots[at] - 1;

        if (canon->sizes[known] == size &&
            !memcmp(canon->names[known], name, size))
            return at;
        at = (at + 1) % canon->slot_count;
    }
    return at;
}

static void grow(struct canon *canon)
{
    canon->name_capacity =
        canon->name_capacity ? 2 * canon->name_capacity : 512;
    canon->names =
        mem_realloc(canon->names, canon->name_capacity * sizeof *canon->names);
    canon->sizes =
        mem_realloc(canon->sizes, canon->name_capacity * sizeof *canon->sizes);
    free(canon->slots);
    canon->slot_count = 2 * canon->name_capacity + 1;
    canon->slots = mem_calloc(canon->slot_count, sizeof *canon->slots);
    for (size_t i = 0; i < canon->name_count; i++) {
        size_t at = find_slot(canon, canon->names[i], canon->sizes[i]);

        canon->slots[at] = (uint32_t)i + 1;
    }
}

static size_t name_number(struct canon *canon, const char *name, size_t size)
{
    if (canon->name_count == canon->name_capacity)
        grow(canon);
    size_t at = find_slot(canon, name, size);
    if (!canon->slots[at]) {
        canon->names[canon->name_count] = name;
        canon->sizes[canon->name_count] = size;
        canon->slots[at] = (uint32_t)++canon->name_count;
    }
    return canon->slots[at] - 1;
}

/* ---- the text, token by token ---------------------------------------------
 */

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '$' || c == '.' ||
           c == '_';
}

/* The end of the quoted text that begins at `at`; LLVM writes '"' as \22. */
static const char *quote_end(const char *at, const char *end)
{
    const char *close = memchr(at + 1, '"', (size_t)(end - at - 1));

    return close ? close + 1 : end;
}

static const char *name_end(const char *at, const char *end)
{
    if (at < end && *at == '"')
        return quote_end(at, end);
    while (at < end && is_name_char(*at))
        at++;
    return at;
}

/* Names of the contestant's choice: %struct.x (%12 is a number already), and
 * symbols below these prefixes. */
static bool is_chosen(char sigil, const char *name, size_t size)
{
    static const char *const ours[] = {"bot.", "C.bot.", "I.bot."};

    if (sigil == '%')
        return size && !isdigit((unsigned char)name[0]);
    if (size && name[0] == '"') {
        name++;
        size--;
    }
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (size >= strlen(ours[i]) && !memcmp(name, ours[i], strlen(ours[i])))
            return true;
    return false;
}

/* Adds what `at` begins with, a name or a quoted text; returns its end. */
static const char *add_token(struct canon *canon, const char *at,
                             const char *end)
{
    char number[32];

    if (*at == '"') {
        const char *close = quote_end(at, end);

        hash_add(&canon->hash, at, (size_t)(close - at));
        return close;
    }
    const char *name = at + 1;
    const char *close = name_end(name, end);
    size_t size = (size_t)(close - name);
    if (!is_chosen(*at, name, size)) {
        hash_add(&canon->hash, at, (size_t)(close - at));
        return close;
    }
    snprintf(number, sizeof number, "%c.%zu", *at,
             name_number(canon, name, size));
    hash_add_str(&canon->hash, number);
    return close;
}

/* The end of the attachment that begins at `at`: "!dbg !12". */
static const char *skip_attachment(const char *at, const char *end)
{
    at = name_end(at + 1, end);
    while (at < end && (*at == ' ' || *at == '!'))
        at++;
    return name_end(at, end);
}

/* What was plain text so far, without the comma before an attachment. */
static void add_plain(struct canon *canon, const char *from, const char *to,
                      bool is_cut)
{
    while (is_cut && to > from && (to[-1] == ' ' || to[-1] == ','))
        to--;
    hash_add(&canon->hash, from, (size_t)(to - from));
}

/* A line up to its comment, without attachments of metadata. */
static void add_line(struct canon *canon, const char *at, const char *end)
{
    const char *plain = at;

    while (at < end && *at != ';') {
        bool is_attachment = *at == '!';

        if (!is_attachment && *at != '"' && *at != '%' && *at != '@') {
            at++;
            continue;
        }
        add_plain(canon, plain, at, is_attachment);
        plain = at = is_attachment ? skip_attachment(at, end)
                                   : add_token(canon, at, end);
    }
    add_plain(canon, plain, at, true);
    hash_add_str(&canon->hash, "\n");
}

static bool starts(const char *line, const char *end, const char *text)
{
    size_t size = strlen(text);

    return (size_t)(end - line) >= size && !memcmp(line, text, size);
}

static bool is_dropped(const char *line, const char *end)
{
    while (line < end && *line == ' ')
        line++;
    return line == end || *line == ';' || *line == '!' ||
           starts(line, end, "source_filename") || starts(line, end, "#dbg_");
}

void canon_hash(LLVMModuleRef module, char out[HASH_HEX_SIZE])
{
    struct canon canon = {0};
    char *text = LLVMPrintModuleToString(module);
    const char *end = text + strlen(text);

    hash_init(&canon.hash);
    for (const char *line = text; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));

        if (!stop)
            stop = end;
        if (!is_dropped(line, stop))
            add_line(&canon, line, stop);
        line = stop + 1;
    }
    hash_end_hex(&canon.hash, out);
    LLVMDisposeMessage(text);
    free(canon.names);
    free(canon.sizes);
    free(canon.slots);
}

void canon_build_hash(const char *bot_hash, const char *library_hash,
                      char out[HASH_HEX_SIZE])
{
    struct hash hash;

    hash_init(&hash);
    hash_add_str(&hash, "bout build\n");
    hash_add_str(&hash, bot_hash);
    hash_add_str(&hash, "\n");
    hash_add_str(&hash, library_hash);
    hash_end_hex(&hash, out);
}
