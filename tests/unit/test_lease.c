/* Server, workers and database as real processes, with tiny work in place of
 * builds and matches: this program is also the worker (fake_worker.h) and, to
 * be killed, the server. */
#include "api/http/dispatch.h"
#include "db/bots.h"
#include "db/matches.h"
#include "db/profiles.h"
#include "db/ratings.h"
#include "db/users.h"
#include "runner/base/log.h"
#include "runner/work/store.h"
#include "tests/unit/fake_worker.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* ---- the world ----------------------------------------------------------- */

struct world {
    char *folder;
    char *path;
    struct writer *writer;
    struct db *db; /* reads */
    struct dispatch *dispatch;
};

#define assert_done(call)                       \
    do {                                        \
        if ((call) < 0)                         \
            fail_msg("%s: %s", #call, err.msg); \
    } while (0)

static void world_start(struct world *world)
{
    struct err err = {0};
    struct dispatch_spec spec = {
        .writer = world->writer, .database = world->path, .workers = 2};

    world->dispatch = dispatch_start(&spec, &err);
    if (!world->dispatch)
        fail_msg("%s", err.msg);
}

static int world_open(void **state)
{
    struct err err = {0};
    struct world *world = mem_calloc(1, sizeof *world);

    world->folder = io_make_temp_folder("test-lease", &err);
    world->path = mem_format("%s/bout.db", world->folder);
    setenv(FOLDER_ENV, world->folder, 1);
    world->writer = writer_open(world->path, &err);
    assert_non_null(world->writer);
    world->db = db_open(world->path, DB_READ, &err);
    assert_non_null(world->db);
    *state = world;
    return 0;
}

static int world_close(void **state)
{
    struct world *world = *state;
    struct err err;

    dispatch_stop(world->dispatch);
    db_close(world->db);
    writer_close(world->writer);
    io_remove_tree(world->folder, &err);
    free(world->folder);
    free(world->path);
    free(world);
    return 0;
}

struct new_bot {
    const char *name;
    const char *text;
    int64_t id;
};

static int new_bot_fn(struct db *db, void *arg, struct err *err)
{
    struct new_bot *bot = arg;
    struct user user = {0};
    int64_t owner = 0;
    auto_free char *text = mem_dup_str(bot->text);
    struct bot_file file = {
        .path = (char[]){"bot.c"}, .bytes = text, .size = strlen(text)};
    int found = user_find_name(db, "ann", &user, err);

    owner = user.id;
    user_release(&user);
    if (found == 0 && user_add(db, "ann", ROLE_USER, 1, &owner, err) < 0)
        return -1;
    struct bot_spec spec = {.owner_id = owner,
                            .name = bot->name,
                            .game = "tron",
                            .file = &file,
                            .file_count = 1,
                            .now_ns = 1};
    return bot_add(db, &spec, &bot->id, err);
}

static int64_t add_bot(struct world *world, const char *name, const char *text)
{
    struct err err = {0};
    struct new_bot bot = {.name = name, .text = text};

    assert_done(writer_run(world->writer, true, new_bot_fn, &bot, &err));
    if (world->dispatch)
        dispatch_kick(world->dispatch);
    return bot.id;
}

struct new_match {
    int64_t bot[2];
    const char *seed;
    int64_t id;
};

static int new_match_fn(struct db *db, void *arg, struct err *err)
{
    struct new_match *match = arg;
    struct match_row_spec spec = {.game = "tron",
                                  .bot_id = match->bot,
                                  .slots = 2,
                                  .seed = match->seed,
                                  .rated = true,
                                  .now_ns = 2};

    return match_row_add(db, &spec, &match->id, err);
}

static int64_t add_match(struct world *world, int64_t a, int64_t b,
                         const char *seed)
{
    struct err err = {0};
    struct new_match match = {.bot = {a, b}, .seed = seed};

    assert_done(writer_run(world->writer, false, new_match_fn, &match, &err));
    if (world->dispatch)
        dispatch_kick(world->dispatch);
    return match.id;
}

/* Waits until nothing is queued or leased. */
static void wait_idle(struct world *world)
{
    for (int i = 0; i < 10000; i++) {
        struct err err = {0};
        struct job_counts counts;
        int64_t open = 0;
        assert_done(job_count(world->db, &counts, &err));
        for (int kind = 0; kind < JOB_KIND_COUNT; kind++)
            open += counts.queued[kind] + counts.leased[kind];
        if (open == 0)
            return;
        clock_sleep_ns(2000000);
    }
    fail_msg("jobs are left after 20 s");
}

static void get_match(struct world *world, int64_t id, struct match_row *match)
{
    struct err err = {0};

    assert_int_equal(match_row_find(world->db, id, match, &err), 1);
}

static void assert_status(struct world *world, int64_t id,
                          enum match_status status)
{
    struct match_row match = {0};

    get_match(world, id, &match);
    assert_int_equal(match.status, status);
    match_row_release(&match);
}

/* ---- tests --------------------------------------------------------------- */

static void test_a_parcel_arrives_as_it_was_sent(void **state)
{
    struct err err = {0};
    int end[2];
    auto_parcel struct parcel sent = {.head = json_pack("{s:i}", "n", 7)};
    auto_parcel struct parcel got = {0};

    (void)state;
    parcel_add(&sent, "", 0);
    parcel_add(&sent, "a\0b", 3);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, end), 0);
    assert_done(parcel_send(end[0], &sent, &err));
    close(end[0]);
    assert_int_equal(parcel_receive(end[1], &got, &err), 1);
    assert_int_equal(got.blob_count, 2);
    assert_int_equal(got.blob[0].size, 0);
    assert_memory_equal(got.blob[1].data, "a\0b", 3);
    assert_true(json_equal(got.head, sent.head));
    parcel_release(&got);
    assert_int_equal(parcel_receive(end[1], &got, &err), 0);
    close(end[1]);
}

static void test_a_parcel_cut_or_forged_is_refused(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
    } forged[] = {
        {"X", 1},
        {"GET / HTTP/1.1\r\n", 16},
        {"BOUT\xff\xff\xff\xff\0\0\0\0\0\0\0\0", 16}, /* head of 4 GiB */
        {"BOUT\2\0\0\0\xff\xff\xff\xff\0\0\0\0", 16}, /* 2^32 blobs */
        {"BOUT\2\0\0\0\0\0\0\0\1\0\0\0{}", 18},       /* not zero */
        {"BOUT\2\0\0\0\0\0\0\0\0\0\0\0[]", 18},       /* no object */
        {"BOUT\2\0\0\0\0\0\0\0\0\0\0\0{", 17},        /* cut */
        {"BOUT\2\0\0\0\1\0\0\0\0\0\0\0"
         "\xff\xff\xff\xff\xff\xff\xff\x7f{}",
         26}, /* a huge blob */
        {"BOUT\2\0\0\0\1\0\0\0\0\0\0\0"
         "\5\0\0\0\0\0\0\0{}abc",
         29}, /* a blob cut */
    };

    (void)state;
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        struct err err = {0};
        auto_parcel struct parcel got = {0};
        int end[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, end), 0);
        assert_int_equal(write(end[0], forged[i].bytes, forged[i].size),
                         (ssize_t)forged[i].size);
        close(end[0]);
        assert_int_equal(parcel_receive(end[1], &got, &err), -1);
        assert_null(got.head);
        close(end[1]);
    }
}

static void test_a_source_becomes_ready_or_rejected(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    struct bot bot = {0};
    struct rating rating;

    world_start(world);
    int64_t good = add_bot(world, "a", "good");
    int64_t bad = add_bot(world, "b", "bad");
    int64_t die = add_bot(world, "c", "die");
    wait_idle(world);

    assert_int_equal(bot_find(world->db, good, &bot, &err), 1);
    assert_int_equal(bot.status, BOT_READY);
    assert_true(bot.active);
    assert_string_equal(bot.build_hash, HASH_A);
    bot_release(&bot);
    assert_int_equal(rating_find(world->db, good, &rating, &err), 1);

    assert_int_equal(bot_find(world->db, bad, &bot, &err), 1);
    assert_int_equal(bot.status, BOT_REJECTED);
    assert_string_equal(bot.diagnostics, "[{\"message\":\"bad\"}]");
    bot_release(&bot);

    assert_int_equal(bot_find(world->db, die, &bot, &err), 1);
    assert_int_equal(bot.status, BOT_REJECTED);
    assert_non_null(strstr(bot.diagnostics, "the worker died"));
    bot_release(&bot);
}

static void test_a_played_match_is_stored_whole(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    struct match_row match = {0};
    struct turn_row_list turns = {0};
    struct profile_chunk chunk = {0};
    struct rating rating;
    const uint64_t expected[6] = {1, 10, 2, 0, 3, 30};

    world_start(world);
    int64_t a = add_bot(world, "a", "good");
    int64_t b = add_bot(world, "b", "good");
    wait_idle(world);
    int64_t id = add_match(world, a, b, "1");
    wait_idle(world);

    get_match(world, id, &match);
    assert_int_equal(match.status, MATCH_FINISHED);
    assert_string_equal(match.game_version, HASH_A);
    assert_string_equal(match.result[1].verdict, "crash");
    assert_string_equal(match.result[1].private_detail, "bot.c:3 in f");
    assert_true(match.result[0].rating > 1500);
    match_row_release(&match);
    struct turn_cursor start = {.turn = -1};
    assert_done(turn_row_list(world->db, id, start, 10, &turns, &err));
    assert_int_equal(turns.count, 3);
    assert_int_equal(turns.row[2].instructions, 3);
    turn_row_list_release(&turns);
    assert_int_equal(profile_chunk_find(world->db, id, 0, 2, &chunk, &err), 1);
    assert_memory_equal(chunk.count, expected, sizeof expected);
    profile_chunk_release(&chunk);
    assert_int_equal(rating_find(world->db, b, &rating, &err), 1);
    assert_int_equal(rating.losses, 1);
}

static void test_work_of_a_dead_worker_is_done_by_another(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    struct match_row match = {0};
    struct rating rating;
    int64_t id[12];

    world_start(world);
    int64_t a = add_bot(world, "a", "good");
    int64_t b = add_bot(world, "b", "good");
    wait_idle(world);
    for (int i = 0; i < 12; i++)
        id[i] = add_match(world, a, b, i % 4 ? "1" : "2");
    int64_t hopeless = add_match(world, a, b, "3");
    int64_t failing = add_match(world, a, b, "4");
    int64_t nonsense = add_match(world, a, b, "6");
    wait_idle(world);

    for (int i = 0; i < 12; i++)
        assert_status(world, id[i], MATCH_FINISHED);
    get_match(world, hopeless, &match);
    assert_int_equal(match.status, MATCH_FAILED);
    assert_string_equal(match.reason, "the worker died");
    match_row_release(&match);
    get_match(world, failing, &match);
    assert_int_equal(match.status, MATCH_FAILED);
    assert_string_equal(match.reason, "the \"referee\" crashed");
    match_row_release(&match);
    get_match(world, nonsense, &match);
    assert_int_equal(match.status, MATCH_FAILED);
    assert_string_equal(match.reason, "message: no match in it");
    match_row_release(&match);
    /* Rated once each, and failures not at all. */
    assert_int_equal(rating_find(world->db, a, &rating, &err), 1);
    assert_int_equal(rating.games, 12);
}

struct rebuild {
    const char *fingerprint;
    unsigned count;
};

static int rebuild_fn(struct db *db, void *arg, struct err *err)
{
    struct rebuild *rebuild = arg;

    return bot_rebuild_outdated(db, rebuild->fingerprint, 5, &rebuild->count,
                                err);
}

static void test_builds_of_another_toolchain_are_made_again(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    struct rebuild same = {.fingerprint = HASH_A};
    struct rebuild other = {.fingerprint = "another"};
    struct bot bot = {0};

    world_start(world);
    int64_t first = add_bot(world, "a", "good");
    wait_idle(world);
    int64_t second = add_bot(world, "a", "good"); /* of the same name: active */
    add_bot(world, "b", "bad");
    wait_idle(world);
    assert_done(writer_run(world->writer, true, rebuild_fn, &same, &err));
    assert_int_equal(same.count, 0);
    assert_done(writer_run(world->writer, true, rebuild_fn, &other, &err));
    assert_int_equal(other.count, 2); /* a rejected one stays as it is */
    dispatch_kick(world->dispatch);
    wait_idle(world);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(bot_find(world->db, i ? second : first, &bot, &err),
                         1);
        assert_int_equal(bot.status, BOT_READY);
        assert_int_equal(bot.active, i == 1); /* as before */
        bot_release(&bot);
    }
}

/* The fake worker plays seed 8 only if it is told where the other one stopped.
 */
static void test_the_other_worker_hears_where_one_was_starved(void **state)
{
    struct world *world = *state;

    world_start(world);
    int64_t a = add_bot(world, "a", "good");
    int64_t b = add_bot(world, "b", "good");
    wait_idle(world);
    int64_t starved = add_match(world, a, b, "8");
    wait_idle(world);
    assert_status(world, starved, MATCH_FINISHED);
}

struct cancel {
    int64_t id;
};

static int cancel_fn(struct db *db, void *arg, struct err *err)
{
    const struct cancel *cancel = arg;

    return match_row_cancel(db, cancel->id, 9, err);
}

static void test_a_result_after_cancelling_is_dropped(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    struct rating rating;
    auto_free char *go = mem_format("%s/go", world->folder);

    world_start(world);
    int64_t a = add_bot(world, "a", "good");
    int64_t b = add_bot(world, "b", "good");
    wait_idle(world);
    struct cancel cancel = {add_match(world, a, b, "7")};
    struct match_row match = {0};
    for (int i = 0; i < 2000; i++) {
        get_match(world, cancel.id, &match);
        bool running = match.status == MATCH_RUNNING;
        match_row_release(&match);
        if (running)
            break;
        clock_sleep_ns(2000000);
    }
    assert_status(world, cancel.id, MATCH_RUNNING);
    assert_done(writer_run(world->writer, false, cancel_fn, &cancel, &err));
    assert_done(io_write_file(go, "", 0, 0600, &err));
    /* The worker is free again: it plays the next one. */
    int64_t next = add_match(world, a, b, "1");
    wait_idle(world);
    assert_status(world, next, MATCH_FINISHED);
    assert_status(world, cancel.id, MATCH_CANCELLED);
    assert_int_equal(rating_find(world->db, a, &rating, &err), 1);
    assert_int_equal(rating.games, 1);
}

/* The kind's job for the match: slot 0's first turn, where it is a profile. */
static struct job_spec job_of(enum job_kind kind, int64_t id)
{
    const char *args = kind == JOB_PROFILE ? "{\"slot\":0,\"last\":1}" : NULL;

    return (struct job_spec){kind, id, args, JOB_PRIORITY_USER, .now_ns = 1};
}

static int verify_fn(struct db *db, void *arg, struct err *err)
{
    const int64_t *id = arg;
    struct job_spec profile = job_of(JOB_PROFILE, *id);
    struct job_spec verify = job_of(JOB_VERIFY, *id);
    int64_t job;

    if (job_add(db, &profile, &job, err) < 0)
        return -1;
    return job_add(db, &verify, &job, err);
}

static void test_verification_and_profiles_come_back(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    struct match_row match = {0};
    const char *text;
    char *reason;

    world_start(world);
    int64_t a = add_bot(world, "a", "good");
    int64_t b = add_bot(world, "b", "good");
    wait_idle(world);
    int64_t id = add_match(world, a, b, "1");
    wait_idle(world);
    assert_done(writer_run(world->writer, false, verify_fn, &id, &err));
    dispatch_kick(world->dispatch);
    wait_idle(world);
    get_match(world, id, &match);
    assert_int_equal(match.verified, MATCH_EQUAL);
    match_row_release(&match);
    struct job_spec profile = job_of(JOB_PROFILE, id);
    assert_int_equal(job_state(world->db, &profile, &text, &reason, &err), 1);
    assert_string_equal(text, "done");
}

/* ---- kill -9 ------------------------------------------------------------- */

/* A server until nothing is left to do. */
static int server_main(const char *path)
{
    struct err err = {0};
    struct job_counts counts;
    struct writer *writer = writer_open(path, &err);
    struct dispatch_spec spec = {
        .writer = writer, .database = path, .workers = 2};
    struct dispatch *dispatch = writer ? dispatch_start(&spec, &err) : NULL;
    struct db *db = dispatch ? db_open(path, DB_READ, &err) : NULL;

    if (!db)
        return 2;
    do {
        clock_sleep_ns(2000000);
        if (job_count(db, &counts, &err) < 0)
            return 3;
    } while (counts.queued[JOB_MATCH] + counts.leased[JOB_MATCH]);
    dispatch_stop(dispatch);
    writer_close(writer);
    db_close(db);
    return 0;
}

static pid_t server_spawn(const char *path)
{
    pid_t pid = fork();

    if (pid == 0) {
        execl("/proc/self/exe", "test_lease", "server", path, (char *)NULL);
        _exit(127);
    }
    assert_true(pid > 0);
    return pid;
}

static void test_a_killed_server_loses_and_repeats_nothing(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    struct rating rating;
    enum { MATCHES = 60 };
    int64_t id[MATCHES];
    int kills = 0;
    int status;

    world_start(world);
    int64_t a = add_bot(world, "a", "good");
    int64_t b = add_bot(world, "b", "good");
    wait_idle(world);
    dispatch_stop(world->dispatch);
    world->dispatch = NULL;
    for (int i = 0; i < MATCHES; i++)
        id[i] = add_match(world, a, b, i % 3 ? "5" : "1");
    /* From here on the database is the other process's to write. */
    for (;; kills++) {
        pid_t pid = server_spawn(world->path);
        /* Longer and longer, so that a slow machine gets there too. */
        clock_sleep_ns((uint64_t)(40 + kills * 10) * 1000000);
        if (waitpid(pid, &status, WNOHANG) == pid)
            break;
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        assert_true(kills < 200);
    }
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(kills >= 5);
    for (int i = 0; i < MATCHES; i++)
        assert_status(world, id[i], MATCH_FINISHED);
    assert_int_equal(rating_find(world->db, a, &rating, &err), 1);
    assert_int_equal(rating.games, MATCHES);
    assert_int_equal(rating.wins, MATCHES);
}

#define with_world(test) \
    cmocka_unit_test_setup_teardown(test, world_open, world_close)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_parcel_arrives_as_it_was_sent),
        cmocka_unit_test(test_a_parcel_cut_or_forged_is_refused),
        with_world(test_a_source_becomes_ready_or_rejected),
        with_world(test_a_played_match_is_stored_whole),
        with_world(test_work_of_a_dead_worker_is_done_by_another),
        with_world(test_builds_of_another_toolchain_are_made_again),
        with_world(test_the_other_worker_hears_where_one_was_starved),
        with_world(test_a_result_after_cancelling_is_dropped),
        with_world(test_verification_and_profiles_come_back),
        with_world(test_a_killed_server_loses_and_repeats_nothing),
    };

    alarm(110);
    log_set_level(LOG_ALARM + 1);
    if (argc > 1 && !strcmp(argv[1], "worker"))
        return worker_main();
    if (argc > 2 && !strcmp(argv[1], "server"))
        return server_main(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
