/* stream: an answer whose body goes on: whoever makes it, seen by answer.c.
 *
 * `read` copies at most `size` bytes: how many; 0: none now, and `sleep` of the
 * wait was called; -1: its end. Where there is something again, the maker calls
 * `wake`, once a sleep. Both are called with the maker's lock held, which is
 * taken before server->lock where both are.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

struct listener_wait {
    void (*sleep)(void *user);
    void (*wake)(void *user);
    void *user;
};

struct stream_ops {
    ssize_t (*read)(void *self, char *to, size_t size);
    void (*wait_by)(void *self, const struct listener_wait *wait);
    void (*close)(void *self);
};

struct stream {
    const struct stream_ops *ops; /* NULL: there is none */
    void *self;                   /* owned */
};
