/* thread: the one thread's control block. */
#include "pthread_impl.h"

struct pthread __bout_thread = {
    .self = &__bout_thread,
    .prev = &__bout_thread,
    .next = &__bout_thread,
    .tid = 1,
    .locale = &libc.global_locale,
};
