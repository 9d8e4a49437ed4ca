#include "api/http/keeper.h"

#include "db/settings.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define PROBE_BYTES 262144
#define SECOND_NS INT64_C(1000000000)
#define LOOK_NS SECOND_NS              /* for parts that are too old */
#define ENDED_NS (3600 * SECOND_NS)    /* for rows that ended long ago */
#define BYTES_LEAST_NS (5 * SECOND_NS) /* adding up reads an index: 5 s, or */
#define BYTES_SHARE 500                /* so many times what it took */

struct keeper {
    struct keeper_spec spec;
    char *database;
    pthread_t thread;
    pthread_mutex_t lock; /* guards `stopping` */
    pthread_cond_t changed;
    bool stopping;

    atomic_llong bytes[PART_COUNT]; /* for keeper_state */
    atomic_ullong dropped[PART_COUNT];

    /* The thread's alone. */
    struct db *db;
    int64_t ended_at_ns; /* CLOCK_MONOTONIC: when to look again */
    int64_t bytes_at_ns;
};

/* False: it is to stop. */
static bool keeper_wait(struct keeper *keeper, int64_t ns)
{
    struct timespec when;

    clock_gettime(CLOCK_MONOTONIC, &when);
    when.tv_sec += ns / SECOND_NS;
    when.tv_nsec += ns % SECOND_NS;
    when.tv_sec += when.tv_nsec / SECOND_NS;
    when.tv_nsec %= SECOND_NS;
    pthread_mutex_lock(&keeper->lock);
    while (!keeper->stopping && ns > 0 &&
           pthread_cond_timedwait(&keeper->changed, &keeper->lock, &when) !=
               ETIMEDOUT)
        ;
    bool stopping = keeper->stopping;
    pthread_mutex_unlock(&keeper->lock);
    return !stopping;
}

/* ---- the disk -------------------------------------------------------------
 */

/* As much as a match may take, so that what comes next does not fail again;
 * then nothing, so that it is free. */
static int probe_fn(struct db *db, void *arg, struct err *err)
{
    const bool *fill = arg;
    auto_free char *text = mem_calloc(1, PROBE_BYTES + 1);

    if (*fill)
        memset(text, 'x', PROBE_BYTES);
    return setting_put(db, "disk_probe", text, err);
}

static void keeper_look_at_disk(struct keeper *keeper)
{
    struct err err = {0};
    int64_t free_bytes = 0;
    bool fill = true;
    bool empty = false;

    if (!keeper->spec.disk)
        return;
    if (writer_trouble(keeper->spec.writer) != ERR_NONE &&
        writer_run(keeper->spec.writer, true, probe_fn, &fill, &err) >= 0)
        writer_run(keeper->spec.writer, false, probe_fn, &empty, &err);
    if (db_free_bytes(keeper->db, &free_bytes, &err) < 0)
        log_line(LOG_WARN, "keeper", "%s", err.msg);
    disk_look(keeper->spec.disk, free_bytes);
}

/* ---- parts of matches -----------------------------------------------------
 */

static int drop_fn(struct db *db, void *arg, struct err *err)
{
    return part_drop(db, arg, err);
}

static void keeper_drop(struct keeper *keeper, struct part_drop *drop)
{
    atomic_llong *kept = &keeper->bytes[drop->part];
    struct err err = {0};
    int64_t bytes = 0;
    int64_t all = 0;
    int dropped;

    do {
        dropped = writer_run(keeper->spec.writer, false, drop_fn, drop, &err);
        if (dropped <= 0)
            break;
        all += dropped;
        bytes += drop->dropped_bytes;
        drop->over_bytes -= drop->dropped_bytes;
        atomic_fetch_sub(kept, drop->dropped_bytes);
        atomic_fetch_add(&keeper->dropped[drop->part], (uint64_t)dropped);
    } while (keeper_wait(keeper, 0));
    if (dropped < 0)
        log_line(LOG_ALARM, "keeper", "%s: %s", retained_word(drop->part),
                 err.msg);
    if (all)
        log_line(LOG_INFO, "keeper",
                 "dropped the %s of %lld matches, %lld bytes",
                 retained_word(drop->part), (long long)all, (long long)bytes);
}

/* What goes before this time; 0: nothing goes by age. */
static int64_t keeper_limit_ns(const struct keeper *keeper, enum retained kind)
{
    int64_t age_s = keeper->spec.retention.age_s[kind];

    return age_s ? clock_wall_ns() - age_s * SECOND_NS : 0;
}

static void keeper_look(struct keeper *keeper, enum retained part)
{
    struct part_drop drop = {.part = part,
                             .before_ns = keeper_limit_ns(keeper, part),
                             .now_ns = clock_wall_ns()};
    int64_t most = keeper->spec.retention.bytes[part];
    struct err err = {0};

    if (most)
        drop.over_bytes = atomic_load(&keeper->bytes[part]) - most;
    int due = drop.over_bytes > 0
                  ? 1
                  : part_is_due(keeper->db, part, drop.before_ns, &err);
    if (due > 0)
        keeper_drop(keeper, &drop);
    if (due < 0)
        log_line(LOG_ALARM, "keeper", "%s: %s", retained_word(part), err.msg);
}

static void keeper_add_up(struct keeper *keeper)
{
    int64_t began_ns = (int64_t)clock_mono_ns();
    struct err err = {0};

    if (began_ns < keeper->bytes_at_ns)
        return;
    for (int part = 0; part < PART_COUNT; part++) {
        int64_t bytes = 0;
        if (part_bytes(keeper->db, (enum retained)part, &bytes, &err) < 0) {
            log_line(LOG_ALARM, "keeper", "%s", err.msg);
            break;
        }
        atomic_store(&keeper->bytes[part], bytes);
    }
    int64_t now_ns = (int64_t)clock_mono_ns();
    int64_t pause_ns = (now_ns - began_ns) * BYTES_SHARE;
    keeper->bytes_at_ns =
        now_ns + (pause_ns < BYTES_LEAST_NS ? BYTES_LEAST_NS : pause_ns);
}

/* ---- rows that ended ------------------------------------------------------
 */

struct ended {
    enum retained kind;
    int64_t before_ns;
};

static int ended_fn(struct db *db, void *arg, struct err *err)
{
    const struct ended *ended = arg;

    return ended_drop(db, ended->kind, ended->before_ns, err);
}

static void keeper_drop_ended(struct keeper *keeper)
{
    int64_t now_ns = (int64_t)clock_mono_ns();
    struct err err = {0};

    if (now_ns < keeper->ended_at_ns)
        return;
    keeper->ended_at_ns = now_ns + ENDED_NS;
    for (int kind = PART_COUNT; kind < RETAINED_COUNT; kind++) {
        struct ended ended = {.kind = (enum retained)kind,
                              .before_ns =
                                  keeper_limit_ns(keeper, (enum retained)kind)};
        int went = ended.before_ns ? 1 : 0;
        while (went > 0 && keeper_wait(keeper, 0))
            went =
                writer_run(keeper->spec.writer, false, ended_fn, &ended, &err);
        if (went < 0)
            log_line(LOG_ALARM, "keeper", "%s: %s", retained_word(ended.kind),
                     err.msg);
    }
}

/* ---- the thread -----------------------------------------------------------
 */

static void *keeper_main(void *arg)
{
    struct keeper *keeper = arg;

    do {
        keeper_look_at_disk(keeper);
        keeper_add_up(keeper);
        for (int part = 0; part < PART_COUNT; part++)
            keeper_look(keeper, (enum retained)part);
        keeper_drop_ended(keeper);
    } while (keeper_wait(keeper, LOOK_NS));
    return NULL;
}

static void keeper_free(struct keeper *keeper)
{
    db_close(keeper->db);
    pthread_cond_destroy(&keeper->changed);
    pthread_mutex_destroy(&keeper->lock);
    free(keeper->database);
    free(keeper);
}

struct keeper *keeper_start(const struct keeper_spec *spec, struct err *err)
{
    struct keeper *keeper = mem_calloc(1, sizeof *keeper);
    pthread_condattr_t monotonic;

    keeper->spec = *spec;
    keeper->database = mem_dup_str(spec->database);
    pthread_mutex_init(&keeper->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&keeper->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    keeper->db = db_open(keeper->database, DB_READ, err);
    int code = keeper->db
                   ? pthread_create(&keeper->thread, NULL, keeper_main, keeper)
                   : 0;
    if (keeper->db && code == 0)
        return keeper;
    if (code)
        err_sys(err, code, "keeper: thread");
    keeper_free(keeper);
    return NULL;
}

void keeper_stop(struct keeper *keeper)
{
    if (!keeper)
        return;
    pthread_mutex_lock(&keeper->lock);
    keeper->stopping = true;
    pthread_cond_signal(&keeper->changed);
    pthread_mutex_unlock(&keeper->lock);
    pthread_join(keeper->thread, NULL);
    keeper_free(keeper);
}

void keeper_state(const struct keeper *keeper, struct keeper_state *state)
{
    *state = (struct keeper_state){0};
    for (int part = 0; keeper && part < PART_COUNT; part++) {
        int64_t bytes = atomic_load(&keeper->bytes[part]);
        state->bytes[part] = bytes > 0 ? bytes : 0;
        state->dropped[part] = atomic_load(&keeper->dropped[part]);
    }
}
