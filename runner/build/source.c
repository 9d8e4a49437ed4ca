/* source: the files of one submission, checked and sorted.
 *
 * Paths become files inside a box, names in diagnostics and members of an
 * archive, so what is odd about a path is refused here, once.
 */
#include "runner/build/source.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/build/diagnostics.h"
#include "runner/build/view.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PATH_MAX_BYTES 240u /* also fits a tar header */

void build_source_release(struct build_source *source)
{
    for (size_t i = 0; i < source->count; i++) {
        free(source->file[i].path);
        free(source->file[i].bytes);
    }
    free(source->file);
    *source = (struct build_source){0};
}

/* ---- one path ------------------------------------------------------------ */

static bool is_plain(const char *path)
{
    for (const char *c = path; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f || *c == '\\')
            return false;
    }
    return true;
}

/* No empty part, no "." and no "..". */
static bool has_plain_parts(const char *path)
{
    for (const char *part = path;; part++) {
        size_t size = strcspn(part, "/");
        if (size == 0 || (size == 1 && part[0] == '.') ||
            (size == 2 && part[0] == '.' && part[1] == '.'))
            return false;
        part += size;
        if (!*part)
            return true;
    }
}

int source_check_path(const char *path, struct err *err)
{
    auto_free char *clean = diagnostics_utf8(path, strlen(path));

    if (strlen(path) > PATH_MAX_BYTES)
        return err_set(err, ERR_INPUT,
                       "%.40s...: a file's path may have at most %u bytes",
                       clean, PATH_MAX_BYTES);
    if (strcmp(clean, path) != 0)
        return err_set(err, ERR_INPUT, "%s: a file's name must be UTF-8",
                       clean);
    if (!is_plain(path))
        return err_set(err, ERR_INPUT,
                       "a file's name holds a control character or \"\\\"");
    if (!has_plain_parts(path))
        return err_set(err, ERR_INPUT,
                       "%s: a file's path must be relative, without empty "
                       "parts, \".\" or \"..\"",
                       path);
    if (!strncmp(path, VIEW_RESERVED, strlen(VIEW_RESERVED)))
        return err_set(err, ERR_INPUT,
                       "%s: names beginning with \"" VIEW_RESERVED
                       "\" are ours; rename the file",
                       path);
    return 0;
}

/* ---- what is left out -----------------------------------------------------
 */

enum leftover_how { LEFTOVER_NAME, LEFTOVER_PREFIX };

static const struct leftover {
    enum leftover_how how;
    const char *name;
    bool built; /* by a tool of the contestant's, from what is here */
} leftovers[] = {
    {LEFTOVER_PREFIX, ".", false}, /* .git, .DS_Store, ._bot.c, .vscode */
    {LEFTOVER_NAME, "__MACOSX", false},
    {LEFTOVER_NAME, "Thumbs.db", false},
    {LEFTOVER_NAME, "desktop.ini", false},
    {LEFTOVER_NAME, "build", true},
    {LEFTOVER_PREFIX, "cmake-build-", true},
    {LEFTOVER_NAME, "CMakeFiles", true},
    {LEFTOVER_NAME, "Debug", true},
    {LEFTOVER_NAME, "Release", true},
    {LEFTOVER_NAME, "x64", true},
};

/* One part of a path; "." and ".." are no names but tricks, refused later. */
static bool is_leftover(const char *part, size_t size, bool built)
{
    if ((size == 1 && part[0] == '.') ||
        (size == 2 && part[0] == '.' && part[1] == '.'))
        return false;
    for (size_t i = 0; i < sizeof leftovers / sizeof *leftovers; i++) {
        const struct leftover *known = &leftovers[i];
        size_t known_size = strlen(known->name);
        if (known->built == built && size >= known_size &&
            (size == known_size || known->how == LEFTOVER_PREFIX) &&
            !memcmp(part, known->name, known_size))
            return true;
    }
    return false;
}

static bool has_leftover(const char *path, bool built)
{
    for (const char *part = path;; part++) {
        size_t size = strcspn(part, "/");
        if (is_leftover(part, size, built))
            return true;
        part += size;
        if (!*part)
            return false;
    }
}

bool source_is_leftover(const char *path)
{
    return has_leftover(path, false);
}

bool source_is_built(const char *path)
{
    return has_leftover(path, true);
}

bool source_is_archive(const char *path)
{
    static const char *const endings[] = {".zip", ".tar", ".tar.gz", ".tgz",
                                          ".tar.zst"};
    size_t size = strlen(path);

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t end = strlen(endings[i]);
        if (size > end && !strcasecmp(path + size - end, endings[i]))
            return true;
    }
    return false;
}

/* ---- the sorted list ----------------------------------------------------- */

/* Where `path` belongs in byte order. */
static size_t find_place(const struct build_source *source, const char *path)
{
    size_t place = 0;

    while (place < source->count && strcmp(source->file[place].path, path) < 0)
        place++;
    return place;
}

/* Whether `folder` with a "/" behind it begins `path`. */
static bool is_below(const char *path, const char *folder)
{
    size_t size = strlen(folder);

    return !strncmp(path, folder, size) && path[size] == '/';
}

static int check_conflicts(const struct build_source *source, const char *path,
                           struct err *err)
{
    for (size_t i = 0; i < source->count; i++) {
        const char *other = source->file[i].path;
        if (!strcmp(path, other))
            return err_set(err, ERR_INPUT, "%s: given twice; rename one", path);
        if (!strcasecmp(path, other))
            return err_set(err, ERR_INPUT,
                           "%s and %s differ in case only; rename one", path,
                           other);
        if (is_below(path, other) || is_below(other, path))
            return err_set(err, ERR_INPUT,
                           "%s and %s: one name cannot be a file and a folder",
                           path, other);
    }
    return 0;
}

static size_t total_bytes(const struct build_source *source)
{
    size_t total = 0;

    for (size_t i = 0; i < source->count; i++)
        total += source->file[i].size;
    return total;
}

int build_source_add(struct build_source *source, const char *path,
                     const void *bytes, size_t size, struct err *err)
{
    if (source_check_path(path, err) < 0 ||
        check_conflicts(source, path, err) < 0)
        return -1;
    if (source->count >= SOURCE_MAX_FILES)
        return err_set(err, ERR_TOO_BIG, "%s: more than %u files", path,
                       SOURCE_MAX_FILES);
    if (size > SOURCE_MAX_BYTES ||
        total_bytes(source) > SOURCE_MAX_BYTES - size)
        return err_set(err, ERR_TOO_BIG,
                       "%s: more than %u bytes (8 MiB) in all", path,
                       SOURCE_MAX_BYTES);

    size_t place = find_place(source, path);
    source->file =
        mem_realloc(source->file, (source->count + 1) * sizeof *source->file);
    memmove(source->file + place + 1, source->file + place,
            (source->count - place) * sizeof *source->file);
    source->file[place] = (struct build_file){
        .path = mem_dup_str(path),
        .bytes = mem_dup(bytes, size),
        .size = size,
    };
    source->count++;
    return 0;
}

char *source_base_name(const char *path)
{
    size_t size = strlen(path);

    while (size > 1 && path[size - 1] == '/')
        size--;
    const char *start = path + size;
    while (start > path && start[-1] != '/')
        start--;
    return mem_dup(start, (size_t)(path + size - start));
}
