#include "profiler/measure/git_files_internal.h"

#include "profiler/measure/provider_internal.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>
#include <sys/stat.h>

static void add(struct git_files *files, const char *path)
{
    if (files->count == files->capacity) {
        files->capacity = files->capacity * 2 + 64;
        files->path =
            mem_realloc(files->path, files->capacity * sizeof *files->path);
    }
    files->path[files->count++] = mem_dup_str(path);
}

void git_files_release(struct git_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->path[i]);
    free(files->path);
    *files = (struct git_files){0};
}

static int by_path(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static int add_tracked(git_repository *repository, struct git_files *files)
{
    git_index *index = NULL;

    if (git_repository_index(&index, repository) < 0)
        return -1;
    for (size_t i = 0; i < git_index_entrycount(index); i++)
        add(files, git_index_get_byindex(index, i)->path);
    git_index_free(index);
    return 0;
}

static int add_untracked(git_repository *repository, struct git_files *files)
{
    git_status_options options;
    git_status_list *list = NULL;

    git_status_options_init(&options, GIT_STATUS_OPTIONS_VERSION);
    options.flags = GIT_STATUS_OPT_INCLUDE_UNTRACKED |
                    GIT_STATUS_OPT_RECURSE_UNTRACKED_DIRS;
    if (git_status_list_new(&list, repository, &options) < 0)
        return -1;
    for (size_t i = 0; i < git_status_list_entrycount(list); i++) {
        const git_status_entry *entry = git_status_byindex(list, i);
        if (entry->status != GIT_STATUS_WT_NEW) {
            files->is_changed = true;
            continue;
        }
        files->has_untracked = true;
        add(files, entry->index_to_workdir->new_file.path);
    }
    git_status_list_free(list);
    return 0;
}

int git_files_read(git_repository *repository, struct git_files *files)
{
    if (add_tracked(repository, files) < 0 ||
        add_untracked(repository, files) < 0)
        return -1;
    if (files->count)
        qsort(files->path, files->count, sizeof *files->path, by_path);
    return 0;
}

/* The file's bytes, if it is a regular one of at most `cap` bytes. */
static bool read_file(const char *root, const char *path, size_t cap,
                      struct buf *out)
{
    auto_free char *full = mem_format("%s%s", root, path);
    struct stat info;
    struct err err;

    return lstat(full, &info) == 0 && S_ISREG(info.st_mode) &&
           (size_t)info.st_size <= cap &&
           io_read_file(full, cap, out, &err) == 0;
}

void git_files_hash(const struct git_files *files, const char *root,
                    char hex[HASH_HEX_SIZE])
{
    struct hash hash;

    hash_init(&hash);
    for (size_t i = 0; i < files->count; i++) {
        auto_buf struct buf bytes = {0};
        if (!read_file(root, files->path[i], (size_t)1 << 30, &bytes))
            continue;
        auto_free char *size = mem_format("%zu", bytes.size);
        hash_add(&hash, files->path[i], strlen(files->path[i]) + 1);
        hash_add(&hash, size, strlen(size) + 1);
        hash_add(&hash, bytes.data, bytes.size);
    }
    hash_end_hex(&hash, hex);
}

/* ---- the archive --------------------------------------------------------- */

static int archive_add(struct archive *archive, const char *path,
                       const struct buf *bytes)
{
    struct archive_entry *entry = archive_entry_new();
    int result = 0;

    archive_entry_set_pathname(entry, path);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)bytes->size);
    if (archive_write_header(archive, entry) != ARCHIVE_OK ||
        archive_write_data(archive, bytes->data ? bytes->data : "",
                           bytes->size) < 0)
        result = -1;
    archive_entry_free(entry);
    return result;
}

static int archive_fill(const struct measure_spec *spec,
                        const struct git_files *files, const char *root,
                        struct archive *archive)
{
    for (size_t i = 0; i < files->count; i++) {
        auto_buf struct buf bytes = {0};
        if (!read_file(root, files->path[i], GIT_FILE_MAX_BYTES, &bytes)) {
            measure_say(spec, MEASURE_WARN, "git",
                        "%s is left out of the archive: over 5 MB, or no "
                        "regular file",
                        files->path[i]);
            continue;
        }
        if (archive_add(archive, files->path[i], &bytes) < 0)
            return -1;
    }
    return 0;
}

char *git_files_archive(const struct measure_spec *spec,
                        const struct git_files *files, const char *root)
{
    struct err err = {0};
    auto_free char *folder = io_make_temp_folder("bout-measure", &err);

    if (!folder) {
        measure_say(spec, MEASURE_ERROR, "git", "%s", err.msg);
        return NULL;
    }
    auto_free char *path = mem_format("%s/code.zip", folder);
    struct archive *archive = archive_write_new();
    bool fine = archive_write_set_format_zip(archive) == ARCHIVE_OK &&
                archive_write_open_filename(archive, path) == ARCHIVE_OK &&
                archive_fill(spec, files, root, archive) == 0 &&
                archive_write_close(archive) == ARCHIVE_OK;
    if (!fine) {
        measure_say(spec, MEASURE_ERROR, "git", "%s: %s", path,
                    archive_error_string(archive));
        io_remove_tree(folder, &err);
    }
    archive_write_free(archive);
    return fine ? take_ptr(path) : NULL;
}
