/* git_files: the files of a work tree that are not ignored. */
#pragma once

#include "profiler/measure/measure.h"
#include "runner/base/hash.h"

#include <git2.h>

#define GIT_FILE_MAX_BYTES 5000000 /* in the archive */

struct git_files {
    char **path; /* sorted by bytes, below the root */
    size_t count, capacity;
    bool is_changed;    /* a tracked file differs from the commit */
    bool has_untracked; /* a file is neither tracked nor ignored */
};

int git_files_read(git_repository *repository, struct git_files *files);
void git_files_release(struct git_files *files);
#define auto_git_files __attribute__((cleanup(git_files_release)))

/* SHA-256 over path, NUL, size, NUL and bytes of each file that is there. */
void git_files_hash(const struct git_files *files, const char *root,
                    char hex[HASH_HEX_SIZE]);

/* Makes the zip in a temporary folder; what is too large or no regular file is
 * left out with a warning. The path (to be freed), or NULL after an error was
 * said. */
char *git_files_archive(const struct measure_spec *spec,
                        const struct git_files *files, const char *root);
