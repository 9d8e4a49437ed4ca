/* bout-unpack ARCHIVE FOLDER: reads a stranger's archive; runs in a workbox.
 *
 * Theory of operation. The archive is read twice: first the names, which say
 * whether one folder lies around everything, then the bytes. Nothing is written
 * as the archive names it: the files go, checked, one after the other into
 * FOLDER/files.bytes and their names and sizes into FOLDER/files.json, so there
 * is no path to escape by, no link to follow and no file to overwrite.
 * Exit code 0: done; 1: refused, the reason is one line on standard output; 3:
 * the machine failed. Source: libarchive's archive_read(3), PKWARE's APPNOTE.
 */
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/build/diagnostics.h"
#include "runner/build/source.h"
#include "runner/build/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What both passes know. */
struct unpack {
    struct buf bytes; /* the archive */
    size_t entries;   /* of a pass */
    char *top;        /* "bot/": around everything; NULL: none */
    bool top_known;
    struct build_source source;
};

static void cleanup_read(struct archive **archive)
{
    archive_read_free(*archive);
}
#define auto_archive __attribute__((cleanup(cleanup_read)))

/* libarchive's sentence, which is about the bytes. */
static int refuse_damage(struct archive *archive, struct err *err)
{
    const char *why = archive_error_string(archive);

    return err_set(err, ERR_INPUT, "damaged, or no zip or tar archive: %s",
                   why ? why : "no reason given");
}

static struct archive *open_archive(const struct unpack *unpack,
                                    struct err *err)
{
    struct archive *archive = archive_read_new();

    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_zstd(archive);
    archive_read_support_format_tar(archive);
    archive_read_support_format_zip(archive);
    if (archive_read_open_memory(archive,
                                 unpack->bytes.data ? unpack->bytes.data : "",
                                 unpack->bytes.size) != ARCHIVE_OK)
        refuse_damage(archive, err);
    else if (archive_filter_count(archive) > 2) /* the last is "none" */
        err_set(err, ERR_INPUT, "compressed more than once");
    else
        return archive;
    archive_read_free(archive);
    return NULL;
}

/* The entry's path without "./" in front and "/" behind; NULL if it has none.
 * To be freed. */
static char *entry_path(struct archive_entry *entry)
{
    const char *path = archive_entry_pathname(entry);

    if (!path)
        return NULL;
    while (path[0] == '.' && path[1] == '/') {
        path += 2;
        while (*path == '/')
            path++;
    }
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    return mem_dup(path, size);
}

static const char *type_text(unsigned type)
{
    switch (type) {
    case AE_IFLNK:
        return "a symbolic link";
    case AE_IFSOCK:
        return "a socket";
    case AE_IFCHR:
    case AE_IFBLK:
        return "a device";
    case AE_IFIFO:
        return "a pipe";
    default:
        return "of an unknown type";
    }
}

/* Nothing but plain files and folders. 1: a file; 0: a folder; -1 refused. */
static int check_kind(struct archive_entry *entry, const char *path,
                      struct err *err)
{
    unsigned type = archive_entry_filetype(entry);

    if (archive_entry_hardlink(entry))
        return err_set(err, ERR_INPUT,
                       "%.100s is a hard link; pack the file itself", path);
    if (type == AE_IFDIR)
        return 0;
    if (type != AE_IFREG)
        return err_set(err, ERR_INPUT, "%.100s is %s; pack files and folders",
                       path, type_text(type));
    if (archive_entry_is_encrypted(entry))
        return err_set(err, ERR_INPUT, "%.100s is encrypted", path);
    if (archive_entry_sparse_count(entry) > 0)
        return err_set(err, ERR_INPUT, "%.100s is a sparse file", path);
    return 1;
}

/* The next entry that is not left out, a file or a folder. 1; 0: the end. */
static int next_entry(struct archive *archive, struct unpack *unpack,
                      struct archive_entry **entry, char **path,
                      struct err *err)
{
    for (;;) {
        int code = archive_read_next_header(archive, entry);

        free(*path);
        *path = NULL;
        if (code == ARCHIVE_EOF)
            return 0;
        if (code != ARCHIVE_OK && code != ARCHIVE_WARN)
            return refuse_damage(archive, err);
        if (++unpack->entries > UNPACK_ENTRIES_MAX)
            return err_set(err, ERR_INPUT, "more than %u entries",
                           UNPACK_ENTRIES_MAX);
        *path = entry_path(*entry);
        if (!*path)
            return err_set(err, ERR_INPUT, "a file's name must be UTF-8");
        bool is_root = !**path || !strcmp(*path, ".");
        if (is_root && archive_entry_filetype(*entry) == AE_IFDIR)
            continue;
        if (!source_is_leftover(*path))
            return source_check_path(*path, err) < 0 ? -1 : 1;
    }
}

/* ---- first: the names ---------------------------------------------------- */

/* Keeps unpack->top while every file lies in it. */
static void note_top(struct unpack *unpack, const char *path)
{
    const char *slash = strchr(path, '/');
    size_t size = slash ? (size_t)(slash - path) + 1 : 0;

    if (!unpack->top_known && size > 1)
        unpack->top = mem_dup(path, size);
    else if (unpack->top && (size != strlen(unpack->top) ||
                             memcmp(path, unpack->top, size) != 0)) {
        free(unpack->top);
        unpack->top = NULL;
    }
    unpack->top_known = true;
}

static int read_names(struct unpack *unpack, struct err *err)
{
    auto_archive struct archive *archive = open_archive(unpack, err);
    struct archive_entry *entry;
    auto_free char *path = NULL;
    int more = archive ? 1 : -1;

    unpack->entries = 0;
    while (more == 1) {
        more = next_entry(archive, unpack, &entry, &path, err);
        int kind = more == 1 ? check_kind(entry, path, err) : 0;
        if (kind < 0)
            return -1;
        if (kind == 1)
            note_top(unpack, path);
    }
    return more;
}

/* ---- then: the bytes ----------------------------------------------------- */

static int read_bytes(struct archive *archive, const char *path,
                      struct buf *bytes, struct err *err)
{
    for (;;) {
        buf_reserve(bytes, 65536);
        la_ssize_t got =
            archive_read_data(archive, bytes->data + bytes->size, 65536);
        if (got == 0)
            return 0;
        if (got < 0)
            return refuse_damage(archive, err);
        bytes->size += (size_t)got;
        if (bytes->size > SOURCE_MAX_BYTES)
            return err_set(err, ERR_INPUT,
                           "%.100s: more than %u bytes (8 MiB) unpacked", path,
                           SOURCE_MAX_BYTES);
    }
}

static bool is_nested(const char *path)
{
    static const char *const endings[] = {".7z",  ".rar", ".gz", ".xz",
                                          ".bz2", ".zst", ".jar"};
    size_t size = strlen(path);

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t end = strlen(endings[i]);
        if (size > end && !strcasecmp(path + size - end, endings[i]))
            return true;
    }
    return source_is_archive(path);
}

static int take_file(struct unpack *unpack, struct archive *archive,
                     const char *path, struct err *err)
{
    auto_buf struct buf bytes = {0};

    if (unpack->top)
        path += strlen(unpack->top);
    if (source_is_built(path))
        return 0;
    if (is_nested(path))
        return err_set(err, ERR_INPUT,
                       "%.100s is an archive inside the archive; unpack it "
                       "first",
                       path);
    if (read_bytes(archive, path, &bytes, err) < 0)
        return -1;
    return build_source_add(&unpack->source, path, bytes.data, bytes.size, err);
}

static int read_files(struct unpack *unpack, struct err *err)
{
    auto_archive struct archive *archive = open_archive(unpack, err);
    struct archive_entry *entry;
    auto_free char *path = NULL;
    int more = archive ? 1 : -1;

    unpack->entries = 0;
    while (more == 1) {
        more = next_entry(archive, unpack, &entry, &path, err);
        if (more == 1 && archive_entry_filetype(entry) == AE_IFREG &&
            take_file(unpack, archive, path, err) < 0)
            return -1;
    }
    if (more == 0 && unpack->source.count == 0)
        return err_set(err, ERR_INPUT, "holds no files");
    return more;
}

/* ---- out ----------------------------------------------------------------- */

static int write_files(const struct unpack *unpack, const char *folder,
                       struct err *err)
{
    auto_free char *list_path = mem_format("%s/" UNPACK_LIST, folder);
    auto_free char *bytes_path = mem_format("%s/" UNPACK_BYTES, folder);
    auto_buf struct buf bytes = {0};
    json_t *list = json_array();

    for (size_t i = 0; i < unpack->source.count; i++) {
        const struct build_file *file = &unpack->source.file[i];
        json_array_append_new(
            list, json_pack("[s, I]", file->path, (json_int_t)file->size));
        buf_add(&bytes, file->bytes, file->size);
    }
    auto_free char *text = json_dumps(list, JSON_COMPACT);
    json_decref(list);
    if (!text)
        return err_set(err, ERR_SYSTEM, "the list cannot be written as JSON");
    if (io_write_file(list_path, text, strlen(text), 0644, err) < 0)
        return -1;
    return io_write_file(bytes_path, bytes.data ? bytes.data : "", bytes.size,
                         0644, err);
}

static int unpack_run(struct unpack *unpack, char **argv, struct err *err)
{
    if (io_read_file(argv[1], SOURCE_MAX_BYTES, &unpack->bytes, err) < 0)
        return -1;
    if (read_names(unpack, err) < 0 || read_files(unpack, err) < 0)
        return -1;
    return write_files(unpack, argv[2], err);
}

int main(int argc, char **argv)
{
    struct unpack unpack = {0};
    struct err err = {0};

    if (argc != 3) {
        fputs("usage: bout-unpack ARCHIVE FOLDER\n", stderr);
        return 2;
    }
    /* Names in zip and pax archives come as UTF-8; in the C locale libarchive
     * could not give them back. */
    setlocale(LC_CTYPE, "C.UTF-8"); // NOLINT(concurrency-mt-unsafe): one thread
    int result = unpack_run(&unpack, argv, &err);
    build_source_release(&unpack.source);
    buf_release(&unpack.bytes);
    free(unpack.top);
    if (result == 0)
        return 0;
    if (err.kind == ERR_INPUT || err.kind == ERR_TOO_BIG) {
        puts(err.msg);
        return 1;
    }
    fprintf(stderr, "%s\n", err.msg);
    return 3;
}
