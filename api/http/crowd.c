#include "api/http/crowd.h"

#include "runner/base/buf.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define CROWD_LISTS 1024

struct crowd_member {
    struct crowd_member *next;
    uint64_t key;
    unsigned count;
};

struct crowd {
    pthread_mutex_t lock; /* over the lists */
    struct crowd_member *list[CROWD_LISTS];
};

struct crowd *crowd_new(void)
{
    struct crowd *crowd = mem_calloc(1, sizeof *crowd);

    pthread_mutex_init(&crowd->lock, NULL);
    return crowd;
}

void crowd_free(struct crowd *crowd)
{
    if (!crowd)
        return;
    for (size_t i = 0; i < CROWD_LISTS; i++) {
        while (crowd->list[i]) {
            struct crowd_member *member = crowd->list[i];
            crowd->list[i] = member->next;
            free(member);
        }
    }
    pthread_mutex_destroy(&crowd->lock);
    free(crowd);
}

/* Where the client's member hangs, or would. Holds the lock. */
static struct crowd_member **crowd_find(struct crowd *crowd, uint64_t key)
{
    uint64_t mixed = key * UINT64_C(0x9e3779b97f4a7c15);
    struct crowd_member **link = &crowd->list[mixed >> 54];

    while (*link && (*link)->key != key)
        link = &(*link)->next;
    return link;
}

bool crowd_enter(struct crowd *crowd, uint64_t key, unsigned most)
{
    pthread_mutex_lock(&crowd->lock);
    struct crowd_member **link = crowd_find(crowd, key);
    bool enters = most > (*link ? (*link)->count : 0);
    if (enters && !*link) {
        *link = mem_calloc(1, sizeof **link);
        (*link)->key = key;
    }
    if (enters)
        (*link)->count++;
    pthread_mutex_unlock(&crowd->lock);
    return enters;
}

void crowd_leave(struct crowd *crowd, uint64_t key)
{
    pthread_mutex_lock(&crowd->lock);
    struct crowd_member **link = crowd_find(crowd, key);
    struct crowd_member *member = *link;
    assert(member);
    if (--member->count == 0) {
        *link = member->next;
        free(member);
    }
    pthread_mutex_unlock(&crowd->lock);
}

unsigned crowd_count(struct crowd *crowd, uint64_t key)
{
    pthread_mutex_lock(&crowd->lock);
    struct crowd_member **link = crowd_find(crowd, key);
    unsigned count = *link ? (*link)->count : 0;
    pthread_mutex_unlock(&crowd->lock);
    return count;
}
