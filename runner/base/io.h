/* io: whole reads, whole writes, files and pipes.
 *
 * Every descriptor made here is close-on-exec. Calls interrupted by a signal
 * are taken up again. -1 means *err is filled with the path or thing at fault.
 */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Opens for reading; a missing file is ERR_MISSING. Returns the descriptor. */
int io_open(const char *path, struct err *err);

/* Appends all that fd gives until its end; over `cap` bytes is ERR_TOO_BIG. */
int io_read_all(int fd, size_t cap, struct buf *out, struct err *err);

/* Appends the file's bytes; ERR_MISSING, ERR_TOO_BIG as above, ERR_INPUT for a
 * folder or what may not be read. */
int io_read_file(const char *path, size_t cap, struct buf *out,
                 struct err *err);

int io_write_all(int fd, const void *bytes, size_t size, struct err *err);

/* Writes beside `path` and renames, so a reader never sees half a file. What is
 * there and no regular file (/dev/stdout, a symbolic link) is kept and written
 * through instead. */
int io_write_file(const char *path, const void *bytes, size_t size, mode_t mode,
                  struct err *err);

int io_pipe(int *read_fd, int *write_fd, struct err *err);

/* mkdir -p. An existing folder is fine. */
int io_make_folders(const char *path, mode_t mode, struct err *err);

/* rm -r, never following a symbolic link. A missing path is fine. */
int io_remove_tree(const char *path, struct err *err);

/* A new empty folder under $TMPDIR or /tmp, owned by the caller (free the
 * path after io_remove_tree). NULL on failure. */
char *io_make_temp_folder(const char *prefix, struct err *err);

bool io_exists(const char *path);

/* Do both paths lead to one file that exists? */
bool io_same_file(const char *a, const char *b);

/* The folder that holds the running program, to be freed by the caller. */
char *io_program_folder(struct err *err);

/* A sealed memfd that holds `bytes`: not writable, growable or shrinkable any
 * more. Returns it. Source: memfd_create(2), fcntl(2) F_ADD_SEALS. */
int io_sealed_memfd(const char *name, const void *bytes, size_t size,
                    struct err *err);
