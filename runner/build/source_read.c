/* source_read: a submission's files from the disk: files, a folder, an archive.
 */
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/build/source.h"
#include "runner/build/unpack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FOLDER_DEPTH_MAX 16

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

/* Takes folder_fd. What systems and tools left there is passed over. */
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
        const char *name = entry->d_name;
        if (!strcmp(name, ".") || !strcmp(name, "..") ||
            source_is_leftover(name) || source_is_built(name))
            continue;
        if (add_entry(source, dirfd(folder), prefix, name, depth, err) < 0)
            return -1;
    }
    return 0;
}

static int read_archive(struct build_source *source, int fd, const char *path,
                        struct err *err)
{
    auto_buf struct buf bytes = {0};
    auto_free char *name = source_base_name(path);

    if (source->count)
        return err_set(err, ERR_INPUT, "%s: an archive must come alone", path);
    if (io_read_all(fd, SOURCE_MAX_BYTES, &bytes, err) < 0)
        return err_wrap(err, "%s", path);
    return unpack_archive(source, name, bytes.data ? bytes.data : "",
                          bytes.size, err);
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
    if (source_is_archive(path))
        return read_archive(source, fd, path, err);
    auto_free char *name = source_base_name(path);
    return add_open_file(source, fd, name, err);
}

int build_source_read(struct build_source *source, char *const *paths,
                      size_t count, struct err *err)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && source_is_archive(paths[0]))
            return err_set(err, ERR_INPUT, "%s: an archive must come alone",
                           paths[0]);
        if (read_one(source, paths[i], err) < 0)
            return -1;
    }
    return 0;
}
