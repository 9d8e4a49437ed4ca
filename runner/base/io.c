#include "runner/base/io.h"

#include "runner/base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

void fd_close(int *fd)
{
    int saved = errno;

    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    errno = saved;
}

int io_open(const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return err_set(err, ERR_MISSING, "%s: no such file", path);
    if (fd < 0 && errno == EACCES)
        return err_set(err, ERR_INPUT, "%s: you may not read it", path);
    if (fd < 0)
        return err_sys(err, errno, "%s: open", path);
    return fd;
}

int io_read_all(int fd, size_t cap, struct buf *out, struct err *err)
{
    size_t start = out->size;

    for (;;) {
        size_t room = 65536;
        size_t got_so_far = out->size - start;
        if (got_so_far > cap)
            return err_set(err, ERR_TOO_BIG, "more than %zu bytes", cap);
        if (room > cap - got_so_far + 1)
            room = cap - got_so_far + 1;
        buf_reserve(out, room);
        ssize_t got = read(fd, out->data + out->size, room);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_sys(err, errno, "read");
        out->size += (size_t)got;
        out->data[out->size] = '\0';
        if (got == 0)
            return 0;
    }
}

int io_read_file(const char *path, size_t cap, struct buf *out, struct err *err)
{
    auto_fd int fd = io_open(path, err);

    if (fd < 0)
        return -1;
    struct stat found;
    if (fstat(fd, &found) == 0 && S_ISDIR(found.st_mode))
        return err_set(err, ERR_INPUT, "%s is a folder, not a file", path);
    if (io_read_all(fd, cap, out, err) < 0)
        return err_wrap(err, "%s", path);
    return 0;
}

int io_write_all(int fd, const void *bytes, size_t size, struct err *err)
{
    const char *next = bytes;

    while (size > 0) {
        ssize_t put = write(fd, next, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return err_sys(err, errno, "write");
        next += put;
        size -= (size_t)put;
    }
    return 0;
}

/* A device, pipe or symbolic link stays what it is: what it leads to is
 * written. */
static int io_write_through(const char *path, const void *bytes, size_t size,
                            mode_t mode, struct err *err)
{
    auto_fd int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

    if (fd < 0)
        return err_sys(err, errno, "%s: open", path);
    if (io_write_all(fd, bytes, size, err) < 0)
        return err_wrap(err, "%s", path);
    return 0;
}

int io_write_file(const char *path, const void *bytes, size_t size, mode_t mode,
                  struct err *err)
{
    struct stat old;

    if (lstat(path, &old) == 0 && !S_ISREG(old.st_mode))
        return io_write_through(path, bytes, size, mode, err);
    auto_free char *beside = mem_format("%s.%ld.new", path, (long)getpid());
    auto_fd int fd =
        open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

    if (fd < 0)
        return err_sys(err, errno, "%s: create", path);
    if (io_write_all(fd, bytes, size, err) < 0) {
        unlink(beside);
        return err_wrap(err, "%s", path);
    }
    if (fchmod(fd, mode) < 0 || rename(beside, path) < 0) {
        err_sys(err, errno, "%s: rename", path);
        unlink(beside);
        return -1;
    }
    return 0;
}

int io_pipe(int *read_fd, int *write_fd, struct err *err)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0)
        return err_sys(err, errno, "pipe");
    *read_fd = ends[0];
    *write_fd = ends[1];
    return 0;
}

int io_make_folders(const char *path, mode_t mode, struct err *err)
{
    auto_free char *copy = mem_dup_str(path);

    for (char *at = copy + 1; *copy; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        char kept = *at;
        *at = '\0';
        if (mkdir(copy, mode) < 0 && errno != EEXIST)
            return err_sys(err, errno, "%s: mkdir", copy);
        *at = kept;
        if (!kept)
            break;
    }
    return 0;
}

static int io_remove_at(int folder_fd, const char *name, struct err *err)
{
    if (unlinkat(folder_fd, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return err_sys(err, errno, "%s: unlink", name);

    int fd = openat(folder_fd, name,
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return err_sys(err, errno, "%s: open", name);
    auto_dir DIR *dir = fdopendir(fd);
    if (!dir) {
        close(fd);
        return err_sys(err, errno, "%s: fdopendir", name);
    }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (io_remove_at(dirfd(dir), entry->d_name, err) < 0)
            return err_wrap(err, "%s", name);
    }
    if (unlinkat(folder_fd, name, AT_REMOVEDIR) < 0)
        return err_sys(err, errno, "%s: rmdir", name);
    return 0;
}

int io_remove_tree(const char *path, struct err *err)
{
    return io_remove_at(AT_FDCWD, path, err);
}

char *io_make_temp_folder(const char *prefix, struct err *err)
{
    const char *root = getenv("TMPDIR");
    auto_free char *path =
        mem_format("%s/%s.XXXXXX", root && *root ? root : "/tmp", prefix);

    if (!mkdtemp(path)) {
        err_sys(err, errno, "%s: mkdtemp", path);
        return NULL;
    }
    return take_ptr(path);
}

bool io_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool io_same_file(const char *a, const char *b)
{
    struct stat first;
    struct stat second;

    return stat(a, &first) == 0 && stat(b, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

char *io_program_folder(struct err *err)
{
    char path[4096];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);

    if (size < 0) {
        err_sys(err, errno, "/proc/self/exe: readlink");
        return NULL;
    }
    path[size] = '\0';
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    return mem_dup_str(path);
}

int io_sealed_memfd(const char *name, const void *bytes, size_t size,
                    struct err *err)
{
    auto_fd int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd < 0)
        return err_sys(err, errno, "%s: memfd_create", name);
    if (io_write_all(fd, bytes, size, err) < 0)
        return err_wrap(err, "%s", name);
    if (fcntl(fd, F_ADD_SEALS,
              F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) < 0)
        return err_sys(err, errno, "%s: seal", name);
    return take_fd(&fd);
}
