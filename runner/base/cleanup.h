/* cleanup: locals that let go of what they hold when their scope ends.
 *
 * Declare them empty (-1, NULL); hand ownership on with take_fd or take_ptr.
 * Every release accepts the empty value. This is the only clean-up mechanism
 * of the tree: no goto, no second one.
 */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Closes *fd if it is open and empties it. errno is kept. */
void fd_close(int *fd);

static inline void cleanup_free(void *slot)
{
    free(*(void **)slot);
}

static inline void cleanup_file(FILE **file)
{
    if (*file)
        fclose(*file);
}

static inline void cleanup_dir(DIR **dir)
{
    if (*dir)
        closedir(*dir);
}

#define auto_fd __attribute__((cleanup(fd_close)))
#define auto_free __attribute__((cleanup(cleanup_free)))
#define auto_file __attribute__((cleanup(cleanup_file)))
#define auto_dir __attribute__((cleanup(cleanup_dir)))

static inline int take_fd(int *fd)
{
    int taken = *fd;

    *fd = -1;
    return taken;
}

/* take_ptr(p): the pointer, after which the local p is NULL. */
#define take_ptr(p)                 \
    __extension__({                 \
        __typeof__(p) taken_ = (p); \
        (p) = NULL;                 \
        taken_;                     \
    })
