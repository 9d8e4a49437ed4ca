/* The loop of a worker, and matches, verification and profiles. Builds and
 * their smoke matches are in play_build.c. */
#include "runner/work/play.h"

#include "profiler/profile.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/log.h"
#include "runner/match/alone.h"
#include "runner/match/replay.h"
#include "runner/work/journal.h"
#include "runner/work/play_internal.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#define EXTEND_EVERY_NS 10000000000u /* leases last minutes */

/* ---- builds that were used lately --------------------------------------- */

struct build *play_get_build(struct player_bench *bench, struct lease *lease,
                             int64_t bot_id, const char *fingerprint,
                             struct err *err)
{
    struct bench_seat *oldest = &bench->seat[0];

    for (size_t i = 0; i < BENCH_SEATS; i++) {
        struct bench_seat *seat = &bench->seat[i];
        if (seat->build && seat->bot_id == bot_id &&
            (!fingerprint || !strcmp(seat->build->fingerprint, fingerprint))) {
            seat->used = ++bench->clock;
            return seat->build;
        }
        if (seat->used < oldest->used)
            oldest = seat;
    }
    struct build *build = lease_build(lease, bot_id, fingerprint, err);
    if (!build)
        return NULL;
    build_free(oldest->build);
    *oldest = (struct bench_seat){
        .bot_id = bot_id, .build = build, .used = ++bench->clock};
    return build;
}

static void bench_release(struct player_bench *bench)
{
    for (size_t i = 0; i < BENCH_SEATS; i++)
        build_free(bench->seat[i].build);
}

/* ---- what all kinds need ------------------------------------------------ */

struct build *play_get_game(struct worker *worker, const struct work *work,
                            struct gamebook_entry **entry, struct err *err)
{
    const char *name = parcel_text(&work->parcel, "game", err);

    *entry = name ? gamebook_get(&worker->book, name, err) : NULL;
    return *entry ? gamebook_referee(*entry, worker->zygote, err) : NULL;
}

/* Of the match that is played again; NULL: of the toolchain that is here. */
static const char *get_fingerprint(const struct work *work)
{
    return json_string_value(json_object_get(work->parcel.head, "fingerprint"));
}

/* The builds of "bots", by slot. */
static int get_bots(struct worker *worker, const struct work *work,
                    struct build **bot, unsigned *slots, struct err *err)
{
    const json_t *ids = json_object_get(work->parcel.head, "bots");
    size_t count = json_array_size(ids);

    if (count < 1 || count > MATCH_MAX_SLOTS)
        return err_set(err, ERR_SYSTEM, "a match of %zu bots", count);
    for (size_t i = 0; i < count; i++) {
        bot[i] = play_get_build(&worker->bench, worker->lease,
                                json_integer_value(json_array_get(ids, i)),
                                get_fingerprint(work), err);
        if (!bot[i])
            return -1;
    }
    *slots = (unsigned)count;
    return 0;
}

/* Called once a step: keeps the lease while a match is long. */
static void play_progress(void *user, unsigned turn)
{
    struct worker *worker = user;
    uint64_t now = clock_mono_ns();
    struct err err;

    (void)turn;
    if (now < worker->extend_at_ns)
        return;
    worker->extend_at_ns = now + EXTEND_EVERY_NS;
    /* A lost lease shows again, and counts, at the finish. */
    if (lease_extend(worker->lease, worker->work, NULL, &err) < 0)
        log_line(LOG_WARN, "work", "job %lld: extend: %s",
                 (long long)worker->work->job_id, err.msg);
}

/* ---- the kinds ---------------------------------------------------------- */

static void put_profiles(struct parcel *result, const struct match *match,
                         const struct match_spec *spec)
{
    for (unsigned i = 0; spec->profile && i < match->slots; i++)
        wire_put_profile(result, match->turn, match->turn_count, i,
                         spec->bot[i]->counters_count + MATCH_SYSTEM_COUNTERS,
                         match->turns);
}

/* "measures", "host"; "facts" of the host until the server has stored them. */
static void put_measures(struct worker *worker, struct parcel *result)
{
    json_object_set_new(result->head, "measures", gauge_end(&worker->gauge));
    json_object_set_new(result->head, "host", json_string(worker->gauge.hash));
    if (!worker->facts_known)
        json_object_set_new(result->head, "facts",
                            json_string(worker->gauge.facts));
}

/* "starved": [turn, slot], where another worker got no further. */
static bool get_place(const json_t *head, struct match_place *place)
{
    const json_t *pair = json_object_get(head, "starved");
    json_int_t turn = json_integer_value(json_array_get(pair, 0));
    json_int_t slot = json_integer_value(json_array_get(pair, 1));

    if (json_array_size(pair) != 2 || turn < 0 || turn > UINT32_MAX ||
        slot < 0 || slot >= MATCH_MAX_SLOTS)
        return false;
    *place = (struct match_place){(uint32_t)turn, (uint32_t)slot};
    return true;
}

static int do_match(struct worker *worker, const struct work *work,
                    struct parcel *result, struct err *err)
{
    struct gamebook_entry *entry;
    struct match_spec spec = {
        .progress = play_progress,
        .user = worker,
        .profile = json_is_true(json_object_get(work->parcel.head, "profile")),
    };
    struct match match = {0};
    struct match_place before;

    spec.starved = &worker->starved;
    if (get_place(work->parcel.head, &before))
        spec.starved_before = &before;
    spec.game = play_get_game(worker, work, &entry, err);
    spec.seed = parcel_text(&work->parcel, "seed", err);
    if (!spec.game || !spec.seed ||
        get_bots(worker, work, spec.bot, &spec.slots, err) < 0)
        return -1;
    spec.game_name = entry->name;
    limits_init(&spec.limits, entry->about.turn_soft, entry->about.turn_bank,
                entry->about.turns);
    if (limits_apply(&spec.limits, json_object_get(work->parcel.head, "limits"),
                     false, err) < 0)
        return -1;
    gauge_begin(&worker->gauge);
    profile_begin_block("match");
    int played = match_play(worker->zygote, &spec, &match, err);
    profile_end_block();
    if (played < 0)
        return -1;
    put_measures(worker, result);
    wire_put_match(result, &match, &spec);
    put_profiles(result, &match, &spec);
    match_release(&match);
    return 0;
}

/* The referee that played the log: the one that is here, or of an earlier
 * toolchain (then *kept is the caller's). Equal hashes are equal charged code,
 * whoever made them: only the name of the toolchain is the log's. */
static struct build *get_old_game(struct worker *worker,
                                  const struct work *work,
                                  const struct replay *replay,
                                  struct build **kept, struct err *err)
{
    struct gamebook_entry *entry;
    struct build *game = play_get_game(worker, work, &entry, err);

    if (!game || (!strcmp(game->hash, replay->game_version) &&
                  !strcmp(game->fingerprint, replay->fingerprint)))
        return game;
    *kept = gamebook_version(entry->name, replay->game_version, err);
    if (*kept)
        snprintf((*kept)->fingerprint, sizeof(*kept)->fingerprint, "%s",
                 replay->fingerprint);
    return *kept;
}

/* Who played the log, to play it again. *kept: build_free it afterwards. */
static int get_cast(struct worker *worker, const struct work *work,
                    const struct replay *replay, struct replay_cast *cast,
                    struct build **kept, struct err *err)
{
    unsigned slots = 0;

    *cast = (struct replay_cast){
        .game = get_old_game(worker, work, replay, kept, err)};
    if (!cast->game || get_bots(worker, work, cast->bot, &slots, err) < 0)
        return -1;
    return slots == replay->slots
               ? 0
               : err_set(err, ERR_SYSTEM, "the log is of another match");
}

/* Plays the log again. */
static int verify_log(struct worker *worker, const struct work *work,
                      const struct replay *replay, struct parcel *result,
                      struct err *err)
{
    auto_build struct build *kept = NULL;
    struct replay_cast cast;
    struct err why = {0};

    if (get_cast(worker, work, replay, &cast, &kept, err) < 0)
        return -1;
    int equal = replay_verify(worker->zygote, replay, &cast, &why, err);
    if (equal < 0)
        return -1;
    json_object_set_new(result->head, "equal", json_boolean(equal));
    if (!equal)
        json_object_set_new(result->head, "why", json_string(why.msg));
    return 0;
}

static int do_verify(struct worker *worker, const struct work *work,
                     struct parcel *result, struct err *err)
{
    const struct buf *log = parcel_blob(&work->parcel, 0);
    struct replay replay;

    if (!log)
        return err_set(err, ERR_SYSTEM, "no log to verify");
    if (replay_parse(&replay, log->data, log->size, err) < 0)
        return -1;
    int done = verify_log(worker, work, &replay, result, err);
    replay_release(&replay);
    return done;
}

/* A slot's turns, from all playing again. */
static int profile_slot(struct worker *worker, const struct work *work,
                        const struct replay *replay, unsigned slot,
                        uint32_t last, struct parcel *result, struct err *err)
{
    auto_build struct build *kept = NULL;
    struct replay_cast cast;
    struct match match = {0};
    struct err why = {0};

    if (get_cast(worker, work, replay, &cast, &kept, err) < 0)
        return -1;
    if (slot >= replay->slots)
        return err_set(err, ERR_SYSTEM, "the log is of another match");
    int same = replay_profile(worker->zygote, replay, &cast, &match, &why, err);
    if (same == 0)
        err_set(err, ERR_SYSTEM, "%s", why.msg);
    if (same == 1)
        wire_put_profile(result, match.turn, match.turn_count, slot,
                         cast.bot[slot]->counters_count + MATCH_SYSTEM_COUNTERS,
                         last);
    match_release(&match);
    return same == 1 ? 0 : -1;
}

/* Where the log was cut the views are gone: all play again, and the log's
 * hashes show that it is the same match. */
static int profile_whole(struct worker *worker, const struct work *work,
                         unsigned slot, uint32_t last, struct parcel *result,
                         struct err *err)
{
    const struct buf *log = parcel_blob(&work->parcel, 0);
    struct replay replay;

    if (replay_parse(&replay, log->data, log->size, err) < 0)
        return -1;
    int done = profile_slot(worker, work, &replay, slot, last, result, err);
    replay_release(&replay);
    return done;
}

static int do_profile(struct worker *worker, const struct work *work,
                      struct parcel *result, struct err *err)
{
    const struct buf *log = parcel_blob(&work->parcel, 0);
    int64_t bot_id;
    int64_t slot;
    int64_t last;
    struct alone alone = {0};

    if (parcel_i64(&work->parcel, "bot", &bot_id, err) < 0 ||
        parcel_i64(&work->parcel, "slot", &slot, err) < 0 ||
        parcel_i64(&work->parcel, "last", &last, err) < 0)
        return -1;
    if (!log || slot < 0 || slot >= MATCH_MAX_SLOTS || last < 0 ||
        last > UINT32_MAX)
        return err_set(err, ERR_SYSTEM, "an impossible profile is asked for");
    struct build *build = play_get_build(&worker->bench, worker->lease, bot_id,
                                         get_fingerprint(work), err);
    if (!build)
        return -1;
    const struct alone_again spec = {
        .build = build,
        .log = log->data,
        .log_size = log->size,
        .slot = (unsigned)slot,
        .last_turn = (uint32_t)last,
    };
    struct err why = {0};
    if (alone_replay(worker->zygote, &spec, &alone, &why) < 0) {
        if (why.kind == ERR_MISSING)
            return profile_whole(worker, work, spec.slot, spec.last_turn,
                                 result, err);
        *err = why;
        return -1;
    }
    wire_put_profile(result, alone.turn, alone.turn_count, (unsigned)slot,
                     build->counters_count + MATCH_SYSTEM_COUNTERS,
                     (uint32_t)last);
    alone_release(&alone);
    return 0;
}

/* ---- the loop ----------------------------------------------------------- */

static int do_work(struct worker *worker, const struct work *work,
                   struct parcel *result, struct err *err)
{
    static const struct {
        const char *kind;
        int (*run)(struct worker *worker, const struct work *work,
                   struct parcel *result, struct err *err);
    } kinds[] = {
        {"build", play_build},
        {"match", do_match},
        {"verify", do_verify},
        {"profile", do_profile},
    };

    worker->work = work;
    worker->starved = (struct match_place){.turn = UINT32_MAX};
    worker->extend_at_ns = clock_mono_ns() + EXTEND_EVERY_NS;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (!strcmp(kinds[i].kind, work->kind))
            return kinds[i].run(worker, work, result, err);
    return err_set(err, ERR_SYSTEM, "work of unknown kind %s", work->kind);
}

/* "journal": the blob with this worker's own profile. */
static void put_journal(struct parcel *result)
{
    auto_buf struct buf bytes = {0};

    journal_take(&bytes);
    if (bytes.size)
        json_object_set_new(result->head, "journal",
                            json_integer((json_int_t)parcel_add(
                                result, bytes.data, bytes.size)));
}

/* 1: go on; 0: the server is gone; -1. */
static int play_next(struct worker *worker, struct err *err)
{
    struct work work = {0};
    int got = lease_take(worker->lease, &work, err);

    if (got != 1)
        return got;
    auto_parcel struct parcel result = {.head = json_object()};
    struct err failure = {0};
    int done = do_work(worker, &work, &result, &failure);
    put_journal(&result);
    int held = done == 0 ? lease_finish(worker->lease, &work, &result, err)
                         : lease_give_up(worker->lease, &work, &worker->starved,
                                         failure.msg, err);
    if (held == 1 && json_object_get(result.head, "facts"))
        worker->facts_known = true;
    if (failure.kind != ERR_NONE)
        log_line(LOG_WARN, "work", "job %lld (%s): %s", (long long)work.job_id,
                 work.kind, failure.msg);
    if (held == 0)
        log_line(LOG_INFO, "work", "job %lld: the lease was lost",
                 (long long)work.job_id);
    work_release(&work);
    return held < 0 ? -1 : 1;
}

static int pin_to(int cpu, struct err *err)
{
    cpu_set_t set;

    if (cpu < 0)
        return 0;
    CPU_ZERO(&set);
    CPU_SET((unsigned)cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) < 0)
        return err_sys(err, errno, "pin to core %d", cpu);
    return 0;
}

int play_run(const struct play_spec *spec, struct err *err)
{
    struct worker *worker = mem_calloc(1, sizeof *worker);
    int result = -1;

    worker->lease = lease_open(spec->lease_fd);
    worker->zygote = zygote_start(spec->cpu, err);
    lease_watch(worker->lease,
                worker->zygote ? zygote_socket(worker->zygote) : -1);
    if (worker->zygote && pin_to(spec->cpu, err) == 0 &&
        gamebook_read(&worker->book, err) == 0) {
        gauge_open(&worker->gauge);
        if (spec->profile)
            journal_open("bout worker");
        do
            result = play_next(worker, err);
        while (result == 1);
        gauge_close(&worker->gauge);
    }
    gamebook_release(&worker->book);
    bench_release(&worker->bench);
    if (worker->zygote)
        zygote_stop(worker->zygote);
    lease_close(worker->lease);
    free(worker);
    return result;
}
