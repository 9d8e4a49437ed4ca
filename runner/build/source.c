/* source: the files of one submission, checked and sorted.
 *
 * Paths become files inside a box, names in diagnostics and members of an
 * archive, so what is odd about a path is refused here, once.
 */
#include "runner/build/source.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/build/diagnostics.h"
#include "runner/build/view.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_MAX_BYTES 240u /* also fits a tar header */
#define FOLDER_DEPTH_MAX 16

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

static int check_path(const char *path, struct err *err)
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
    if (check_path(path, err) < 0 || check_conflicts(source, path, err) < 0)
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

/* ---- from the disk ------------------------------------------------------- */

static int add_open_file(struct build_source *source, int fd, const char *path,
                         struct err *err)
{
    auto_buf struct buf bytes = {0};

    if (io_read_all(fd, SOURCE_MAX_BYTES, &bytes, err) < 0)
        return err->kind == ERR_TOO_BIG
                   ? err_set(err, ERR_TOO_BIG, "%s: more than %u bytes (8 MiB)",
                             path, SOURCE_MAX_BYTES)
                   : err_wrap(err, "%s", path);
    return build_source_add(source, path, bytes.data ? bytes.data : "",
                            bytes.size, err);
}

static int add_folder(struct build_source *source, int folder_fd,
                      const char *prefix, int depth, struct err *err);

static int add_entry(struct build_source *source, int folder_fd,
                     const char *prefix, const char *name, int depth,
                     struct err *err)
{
    auto_free char *path = mem_format("%s%s", prefix, name);
    auto_fd int fd =
        openat(folder_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;

    if (fd < 0 && errno == ELOOP)
        return err_set(err, ERR_INPUT,
                       "%s: a symbolic link; put the file itself there", path);
    if (fd < 0 || fstat(fd, &status) < 0)
        return err_sys(err, errno, "%s: open", path);
    if (S_ISREG(status.st_mode))
        return add_open_file(source, fd, path, err);
    if (!S_ISDIR(status.st_mode))
        return err_set(err, ERR_INPUT, "%s: neither a file nor a folder", path);
    auto_free char *below = mem_format("%s/", path);
    return add_folder(source, take_fd(&fd), below, depth + 1, err);
}

/* Takes folder_fd. Names that begin with a dot (.git, .vscode) are left out. */
static int add_folder(struct build_source *source, int folder_fd,
                      const char *prefix, int depth, struct err *err)
{
    auto_dir DIR *folder = fdopendir(folder_fd);

    if (!folder) {
        close(folder_fd);
        return err_sys(err, errno, "%s: fdopendir", prefix);
    }
    if (depth > FOLDER_DEPTH_MAX)
        return err_set(err, ERR_INPUT, "%s: more than %d folders deep", prefix,
                       FOLDER_DEPTH_MAX);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        if (add_entry(source, dirfd(folder), prefix, entry->d_name, depth,
                      err) < 0)
            return -1;
    }
    return 0;
}

static bool ends_with(const char *text, const char *end)
{
    size_t text_size = strlen(text);
    size_t end_size = strlen(end);

    return text_size >= end_size && !strcmp(text + text_size - end_size, end);
}

static bool is_archive(const char *path)
{
    static const char *const endings[] = {".zip", ".tar.gz", ".tgz", ".tar.zst",
                                          ".tar"};

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (ends_with(path, endings[i]))
            return true;
    }
    return false;
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

static int read_one(struct build_source *source, const char *path,
                    struct err *err)
{
    /* Without waiting, should it be a pipe. */
    auto_fd int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat status;

    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return err_set(err, ERR_MISSING, "%s: no such file", path);
    if (fd < 0 || fstat(fd, &status) < 0)
        return err_sys(err, errno, "%s: open", path);
    if (S_ISDIR(status.st_mode)) {
        if (add_folder(source, take_fd(&fd), "", 1, err) < 0)
            return err_wrap(err, "%s", path);
        return 0;
    }
    if (!S_ISREG(status.st_mode))
        return err_set(err, ERR_INPUT, "%s: neither a file nor a folder", path);
    if (is_archive(path))
        return err_set(err, ERR_INPUT,
                       "%s: archives are not read yet; unpack it and give the "
                       "folder",
                       path);
    auto_free char *name = source_base_name(path);
    return add_open_file(source, fd, name, err);
}

int build_source_read(struct build_source *source, char *const *paths,
                      size_t count, struct err *err)
{
    for (size_t i = 0; i < count; i++) {
        if (read_one(source, paths[i], err) < 0)
            return -1;
    }
    return 0;
}
