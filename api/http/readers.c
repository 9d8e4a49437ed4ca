#include "api/http/readers.h"

#include <pthread.h>
#include <stdlib.h>

#define READERS_KEPT 16

struct readers {
    char *database;
    pthread_mutex_t lock; /* over what follows */
    struct db *idle[READERS_KEPT];
    size_t idle_count;
};

struct readers *readers_new(const char *database)
{
    struct readers *readers = mem_calloc(1, sizeof *readers);

    readers->database = mem_dup_str(database);
    pthread_mutex_init(&readers->lock, NULL);
    return readers;
}

void readers_free(struct readers *readers)
{
    if (!readers)
        return;
    for (size_t i = 0; i < readers->idle_count; i++)
        db_close(readers->idle[i]);
    pthread_mutex_destroy(&readers->lock);
    free(readers->database);
    free(readers);
}

struct db *readers_take(struct readers *readers, struct err *err)
{
    struct db *db = NULL;

    pthread_mutex_lock(&readers->lock);
    if (readers->idle_count > 0)
        db = readers->idle[--readers->idle_count];
    pthread_mutex_unlock(&readers->lock);
    return db ? db : db_open(readers->database, DB_READ, err);
}

void readers_put(struct readers *readers, struct db *db)
{
    if (!db)
        return;
    pthread_mutex_lock(&readers->lock);
    if (readers->idle_count < READERS_KEPT) {
        readers->idle[readers->idle_count++] = db;
        db = NULL;
    }
    pthread_mutex_unlock(&readers->lock);
    if (db)
        db_close(db);
}
