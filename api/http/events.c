#include "api/http/events.h"

#include "api/http/readers.h"
#include "api/http/resources.h"
#include "db/bots.h"
#include "db/matches.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"

#include <inttypes.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define EVENTS_A_READ 64
#define EVENTS_ALIVE_NS UINT64_C(15000000000)
#define EVENTS_SECONDS_MAX 86400

struct event {
    uint64_t number;
    const char *what;
    int64_t id;
};

struct events_listener {
    struct events *events;
    struct events_listener *next;
    struct listener_wait wait;
    struct events_filter filter;
    struct buf bytes;      /* made, not read yet; the reader's alone */
    uint64_t number;       /* of the next event that it wants */
    uint64_t told_ns;      /* when it last got anything */
    bool has_missed;       /* say `reset` first */
    bool is_to_be_greeted; /* say something at once, so that it is open */
    bool is_to_live;       /* say something, so that it stays open */
    bool sleeps;
    bool has_ended;
};

struct events {
    struct readers *readers;
    uint64_t epoch; /* another one after each start */
    pthread_mutex_t lock;
    struct event event[EVENTS_KEPT]; /* by number % EVENTS_KEPT */
    uint64_t number;                 /* of the next one, from 1 */
    struct events_listener *listener;
    bool has_ended; /* the server stops: who comes now is told so at once */
};

struct events *events_open(const char *database)
{
    struct events *events = mem_calloc(1, sizeof *events);

    events->readers = readers_new(database);
    events->epoch = (uint64_t)clock_wall_ns() / 1000000;
    events->number = 1;
    pthread_mutex_init(&events->lock, NULL);
    return events;
}

void events_close(struct events *events)
{
    if (!events)
        return;
    pthread_mutex_destroy(&events->lock);
    readers_free(events->readers);
    free(events);
}

static void wake(struct events_listener *listener)
{
    if (!listener->sleeps)
        return;
    listener->sleeps = false;
    listener->wait.wake(listener->wait.user);
}

static bool wants(const struct events_listener *listener,
                  const struct event *event)
{
    const struct events_filter *filter = &listener->filter;
    bool match = !strcmp(event->what, "match");

    if (!filter->match && !filter->bot)
        return true;
    return event->id == (match ? filter->match : filter->bot);
}

void events_add(struct events *events, const char *what, int64_t id)
{
    if (!events)
        return;
    pthread_mutex_lock(&events->lock);
    struct event *event = &events->event[events->number % EVENTS_KEPT];
    *event = (struct event){.number = events->number++, .what = what, .id = id};
    for (struct events_listener *at = events->listener; at; at = at->next) {
        if (wants(at, event))
            wake(at);
        else if (at->number == event->number)
            at->number++; /* nothing that it has missed */
    }
    pthread_mutex_unlock(&events->lock);
}

/* ---- what is sent ----------------------------------------------------------
 */

/* How the bot or match stands now; NULL: it is gone or cannot be read. */
static const char *event_status(struct db *db, const struct event *event)
{
    struct err err;

    if (!strcmp(event->what, "match")) {
        struct match_row match = {0};
        if (match_row_find(db, event->id, &match, &err) != 1)
            return NULL;
        const char *status = match_status_text(match.status);
        match_row_release(&match);
        return status;
    }
    struct bot bot = {0};
    if (bot_find(db, event->id, &bot, &err) != 1)
        return NULL;
    const char *status = bot_status_text(bot.status);
    bot_release(&bot);
    return status;
}

static void event_write(struct events_listener *listener, struct db *db,
                        const struct event *event)
{
    bool match = !strcmp(event->what, "match");
    const char *status = event_status(db, event);

    if (!status)
        return;
    buf_add_format(&listener->bytes,
                   "id: %" PRIu64 "-%" PRIu64 "\nevent: %s\n"
                   "data: {\"%s\":%" PRId64 ",\"status\":\"%s\","
                   "\"url\":\"/v1/%s/%" PRId64 "\"}\n\n",
                   listener->events->epoch, event->number, event->what,
                   event->what, event->id, status, match ? "matches" : "bots",
                   event->id);
}

/* Takes the next events that it wants. Holds the lock. */
static size_t events_take(struct events_listener *listener,
                          struct event taken[EVENTS_A_READ])
{
    struct events *events = listener->events;
    size_t count = 0;

    if (listener->number + EVENTS_KEPT < events->number) {
        listener->has_missed = true;
        listener->number = events->number;
    }
    while (listener->number < events->number && count < EVENTS_A_READ) {
        const struct event *event =
            &events->event[listener->number++ % EVENTS_KEPT];
        if (wants(listener, event))
            taken[count++] = *event;
    }
    return count;
}

static void events_write(struct events_listener *listener,
                         const struct event *event, size_t count)
{
    struct err err;

    if (count == 0)
        return;
    struct db *db = readers_take(listener->events->readers, &err);
    for (size_t i = 0; db && i < count; i++)
        event_write(listener, db, &event[i]);
    readers_put(listener->events->readers, db);
}

/* Makes bytes, or falls asleep, or has come to its end. */
static void events_make(struct events_listener *listener)
{
    struct event taken[EVENTS_A_READ];
    struct events *events = listener->events;

    pthread_mutex_lock(&events->lock);
    size_t count = events_take(listener, taken);
    bool missed = listener->has_missed;
    bool alive = listener->is_to_live;
    bool greet = listener->is_to_be_greeted;
    listener->has_missed = listener->is_to_live = false;
    listener->is_to_be_greeted = false;
    if (count || missed || alive || greet)
        listener->told_ns = clock_mono_ns();
    else if (!listener->has_ended && listener->number == events->number) {
        listener->sleeps = true;
        listener->wait.sleep(listener->wait.user);
    }
    pthread_mutex_unlock(&events->lock);
    if (greet)
        buf_add_str(&listener->bytes, "retry: 2000\n\n");
    if (alive)
        buf_add_str(&listener->bytes, ": alive\n\n");
    if (missed)
        buf_add_str(&listener->bytes, "event: reset\ndata: {}\n\n");
    events_write(listener, taken, count);
}

/* ---- a listener ------------------------------------------------------------
 */

static ssize_t events_read(void *self, char *to, size_t size)
{
    struct events_listener *listener = self;
    struct buf *bytes = &listener->bytes;

    if (!bytes->size)
        events_make(listener);
    if (!bytes->size) {
        pthread_mutex_lock(&listener->events->lock);
        bool ended = listener->has_ended && !listener->sleeps;
        pthread_mutex_unlock(&listener->events->lock);
        return ended ? -1 : 0;
    }
    size_t count = size < bytes->size ? size : bytes->size;
    memcpy(to, bytes->data, count);
    memmove(bytes->data, bytes->data + count, bytes->size - count);
    bytes->size -= count;
    return (ssize_t)count;
}

static void events_wait_by(void *self, const struct listener_wait *wait)
{
    struct events_listener *listener = self;

    listener->wait = *wait;
}

static void events_stop_listening(void *self)
{
    struct events_listener *listener = self;
    struct events *events = listener->events;

    pthread_mutex_lock(&events->lock);
    struct events_listener **link = &events->listener;
    while (*link != listener)
        link = &(*link)->next;
    *link = listener->next;
    pthread_mutex_unlock(&events->lock);
    buf_release(&listener->bytes);
    free(listener);
}

/* From where on: behind the last one that was seen. Holds the lock. */
static void events_resume(struct events_listener *listener, const char *last)
{
    const struct events *events = listener->events;
    uint64_t epoch = 0;
    uint64_t number = 0;
    char rest;

    listener->number = events->number;
    if (!last || !*last)
        return;
    if (sscanf(last, "%" SCNu64 "-%" SCNu64 "%c", &epoch, &number, &rest) ==
            2 &&
        epoch == events->epoch && number < events->number)
        listener->number = number + 1;
    else
        listener->has_missed = true;
}

struct stream events_listen(struct events *events,
                            const struct events_filter *filter,
                            const char *last)
{
    static const struct stream_ops ops = {
        .read = events_read,
        .wait_by = events_wait_by,
        .close = events_stop_listening,
    };
    struct events_listener *listener = mem_calloc(1, sizeof *listener);

    listener->events = events;
    listener->filter = *filter;
    listener->is_to_be_greeted = true;
    listener->told_ns = clock_mono_ns();
    pthread_mutex_lock(&events->lock);
    events_resume(listener, last);
    listener->has_ended = events->has_ended;
    listener->next = events->listener;
    events->listener = listener;
    pthread_mutex_unlock(&events->lock);
    return (struct stream){.ops = &ops, .self = listener};
}

void events_tick(struct events *events, uint64_t now_ns)
{
    if (!events)
        return;
    pthread_mutex_lock(&events->lock);
    events->has_ended = now_ns == UINT64_MAX;
    for (struct events_listener *at = events->listener; at; at = at->next) {
        bool over = events->has_ended ||
                    (at->filter.until_ns && at->filter.until_ns <= now_ns);
        bool quiet =
            now_ns > at->told_ns && now_ns - at->told_ns > EVENTS_ALIVE_NS;
        at->has_ended = at->has_ended || over;
        at->is_to_live = at->is_to_live || (quiet && !over);
        if (over || quiet)
            wake(at);
    }
    pthread_mutex_unlock(&events->lock);
}

/* ---- GET /v1/events
 * ---------------------------------------------------------- */

int events_show(struct request *request, struct db *db, struct err *err)
{
    const struct uri_range ids = {.low = 1, .high = REPLY_MAX_INTEGER};
    const struct uri_range time = {.low = 1, .high = EVENTS_SECONDS_MAX};
    struct events_filter filter = {0};
    int64_t seconds;

    (void)db;
    if (uri_query_int(&request->uri, "match", ids, &filter.match, err) < 0 ||
        uri_query_int(&request->uri, "bot", ids, &filter.bot, err) < 0 ||
        uri_query_int(&request->uri, "seconds", time, &seconds, err) < 0)
        return -1;
    if (seconds)
        filter.until_ns = clock_mono_ns() + (uint64_t)seconds * 1000000000;
    request->reply.stream = events_listen(request->service->events, &filter,
                                          request->last_event_id);
    request->reply.status = MHD_HTTP_OK;
    request->reply.content_type = "text/event-stream";
    return HANDLED_REPLY;
}
