/* The queue over real SQLite and, where it matters, real processes that are
 * killed. */
#include "api/ladder/ladder.h"
#include "db/ratings.h"
#include "runner/base/clock.h"
#include "runner/base/log.h"
#include "tests/unit/db_fixture.h"

#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>

/* All bots here are ann's. */
static int64_t owner_of(struct db *db)
{
    struct err err = {0};
    struct user user = {0};
    int found = user_find_name(db, "ann", &user, &err);
    int64_t id = user.id;

    user_release(&user);
    return found == 1 ? id : make_user(db, "ann");
}

/* A ready version on the ladder. */
static int64_t enter_bot(struct db *db, const char *name)
{
    struct err err = {0};
    int64_t id = make_ready_bot(db, owner_of(db), name);

    assert_done(ladder_enter(db, id, &err));
    return id;
}

static int64_t add(struct db *db, enum job_kind kind, int64_t subject,
                   int priority)
{
    struct err err = {0};
    int64_t id = 0;
    struct job_spec spec = {
        .kind = kind,
        .subject_id = subject,
        .priority = priority,
        .now_ns = 1,
    };

    assert_done(job_add(db, &spec, &id, &err));
    return id;
}

/* Leases; -1 if there is nothing. */
static int64_t lease(struct db *db, struct job *job)
{
    struct err err = {0};
    int row = job_lease(db, "test", 1000, job, &err);

    if (row < 0)
        fail_msg("%s", err.msg);
    free(row == 1 ? take_ptr(job->args) : NULL);
    return row == 1 ? job->id : -1;
}

/* ---- order, leases, fences -------------------------------------------------
 */

static void test_priority_goes_first_then_age(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct job job;
    int64_t ladder = add(db, JOB_VERIFY, 1, JOB_PRIORITY_LADDER);
    int64_t user = add(db, JOB_VERIFY, 2, JOB_PRIORITY_USER);
    int64_t ladder2 = add(db, JOB_VERIFY, 3, JOB_PRIORITY_LADDER);
    int64_t build = add(db, JOB_VERIFY, 4, JOB_PRIORITY_BUILD);

    assert_int_equal(lease(db, &job), build);
    assert_int_equal(lease(db, &job), user);
    assert_int_equal(lease(db, &job), ladder);
    assert_int_equal(lease(db, &job), ladder2);
    assert_int_equal(lease(db, &job), -1);
}

static void test_an_equal_job_is_not_queued_twice(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err err = {0};
    struct job job;
    int64_t first = add(db, JOB_PROFILE, 1, 0);

    assert_int_equal(add(db, JOB_PROFILE, 1, 0), first);
    lease(db, &job);
    assert_int_equal(add(db, JOB_PROFILE, 1, 0), first);
    assert_int_equal(job_finish(db, job.id, job.fence, 5, &err), 1);
    assert_int_not_equal(add(db, JOB_PROFILE, 1, 0), first);
}

static void test_an_old_fence_opens_nothing(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err err = {0};
    struct job old;
    struct job job;
    bool failed;

    add(db, JOB_VERIFY, 1, 0);
    lease(db, &old);
    assert_int_equal(job_give_up(db, &old, "slow", 5, &failed, &err), 1);
    assert_false(failed);
    lease(db, &job);
    assert_int_equal(job.id, old.id);
    assert_true(job.fence > old.fence);
    assert_int_equal(job_extend(db, old.id, old.fence, 9, &err), 0);
    assert_int_equal(job_finish(db, old.id, old.fence, 9, &err), 0);
    assert_int_equal(job_give_up(db, &old, "x", 9, &failed, &err), 0);
    assert_int_equal(job_extend(db, job.id, job.fence, 9, &err), 1);
    assert_int_equal(job_finish(db, job.id, job.fence, 9, &err), 1);
    assert_int_equal(job_finish(db, job.id, job.fence, 9, &err), 0);
}

static void test_a_lease_that_ran_out_is_found(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err err = {0};
    struct job job;
    int64_t id;
    int64_t fence;

    add(db, JOB_VERIFY, 1, 0);
    lease(db, &job); /* until 1000 */
    assert_int_equal(job_find_expired(db, 1000, &id, &fence, &err), 0);
    assert_int_equal(job_find_expired(db, 1001, &id, &fence, &err), 1);
    assert_int_equal(id, job.id);
    assert_int_equal(fence, job.fence);
}

static void test_a_match_fails_after_three_attempts(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err err = {0};
    struct job job;
    struct match_row match = {0};
    bool failed = false;
    int64_t id = make_match(db, enter_bot(db, "a"), enter_bot(db, "b"));

    for (int attempt = 1; attempt <= 3; attempt++) {
        assert_false(failed);
        lease(db, &job);
        assert_int_equal(job.attempt, attempt);
        assert_done(match_row_start(db, id, 5, &err));
        assert_int_equal(job_give_up(db, &job, "worker died", 6, &failed, &err),
                         1);
    }
    assert_true(failed);
    assert_int_equal(lease(db, &job), -1);
    assert_int_equal(match_row_find(db, id, &match, &err), 1);
    assert_int_equal(match.status, MATCH_FAILED);
    assert_string_equal(match.reason, "worker died");
    match_row_release(&match);
}

static void test_a_build_fails_after_two_and_says_so(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err err = {0};
    struct job job;
    struct bot bot = {0};
    bool failed = false;
    int64_t id = make_bot(db, owner_of(db), "a");

    for (int attempt = 0; attempt < 2; attempt++) {
        lease(db, &job);
        assert_int_equal(
            job_give_up(db, &job, "clang \"died\"", 6, &failed, &err), 1);
    }
    assert_true(failed);
    assert_int_equal(bot_find(db, id, &bot, &err), 1);
    assert_int_equal(bot.status, BOT_REJECTED);
    assert_non_null(strstr(bot.diagnostics, "clang \\\"died\\\""));
    bot_release(&bot);
}

static void test_a_restart_queues_leased_work_without_counting(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err err = {0};
    struct job job;
    struct match_row match = {0};
    int64_t count;
    int64_t id = make_match(db, enter_bot(db, "a"), enter_bot(db, "b"));

    for (int restart = 0; restart < 10; restart++) {
        lease(db, &job);
        assert_int_equal(job.attempt, 1);
        assert_int_equal(job.fence, restart + 1);
        assert_done(match_row_start(db, id, 5, &err));
        assert_done(job_requeue_leased(db, &count, &err));
        assert_int_equal(count, 1);
        assert_int_equal(match_row_find(db, id, &match, &err), 1);
        assert_int_equal(match.status, MATCH_QUEUED);
        match_row_release(&match);
    }
}

static void test_the_state_of_a_job_can_be_asked(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err err = {0};
    struct job job;
    const char *text;
    char *reason = NULL;
    int64_t id;
    const struct job_spec spec = {
        .kind = JOB_PROFILE,
        .subject_id = 1,
        .args = "{\"slot\":0}",
        .now_ns = 1,
    };

    assert_int_equal(job_state(db, &spec, &text, &reason, &err), 0);
    assert_done(job_add(db, &spec, &id, &err));
    assert_int_equal(job_state(db, &spec, &text, &reason, &err), 1);
    assert_string_equal(text, "queued");
    assert_null(reason);
    lease(db, &job);
    assert_int_equal(job_finish(db, job.id, job.fence, 3, &err), 1);
    assert_int_equal(job_state(db, &spec, &text, &reason, &err), 1);
    assert_string_equal(text, "done");
}

/* ---- processes -------------------------------------------------------------
 */

/* Leases and finishes one job a transaction until none is left. Exits with the
 * number of jobs, at most 200. */
static int worker_drain(const char *path)
{
    struct err err = {0};
    struct db *db = db_open(path, DB_WRITE, &err);
    int done = 0;
    int row = db ? 1 : -1;

    while (row == 1) {
        struct job job = {0};
        row = db_begin(db, &err) < 0
                  ? -1
                  : job_lease(db, "drain", INT64_MAX, &job, &err);
        if (row < 0 || db_commit(db, &err) < 0)
            break;
        if (row == 1 && (db_begin(db, &err) < 0 ||
                         job_finish(db, job.id, job.fence, 1, &err) != 1 ||
                         db_commit(db, &err) < 0))
            row = -1;
        job_release(&job);
        done += row == 1;
    }
    if (row < 0)
        fprintf(stderr, "drain: %s\n", err.msg);
    db_close(db);
    return row < 0 ? 255 : done;
}

static void test_no_job_has_two_holders_over_four_processes(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    pid_t pid[4];
    int total = 0;

    assert_done(db_begin(world->db, &err));
    for (int i = 0; i < 200; i++)
        add(world->db, JOB_VERIFY, i, 0);
    assert_done(db_commit(world->db, &err));
    /* SQLite forbids connections across fork: close before, open after. */
    db_close(world->db);
    world->db = NULL;
    for (int i = 0; i < 4; i++) {
        pid[i] = fork();
        if (pid[i] == 0)
            _exit(worker_drain(world->path));
    }
    for (int i = 0; i < 4; i++) {
        int status;
        waitpid(pid[i], &status, 0);
        assert_true(WIFEXITED(status));
        assert_int_not_equal(WEXITSTATUS(status), 255);
        total += WEXITSTATUS(status);
    }
    assert_int_equal(total, 200);
    world->db = db_open(world->path, DB_WRITE, &err);
    assert_non_null(world->db);
}

enum { CRASH_TURNS = 200 };

static int finish_match(struct db *db, const struct job *job, struct err *err)
{
    struct result_row result[2] = {
        {.slot = 0, .rank = 1, .score = 1, .verdict = (char[]){"ok"}},
        {.slot = 1, .rank = 2, .score = 0, .verdict = (char[]){"ok"}}};
    struct turn_row turn[CRASH_TURNS];

    for (unsigned i = 0; i < CRASH_TURNS; i++)
        turn[i] = (struct turn_row){
            .turn = i / 2, .slot = i % 2, .status = "ok", .counted = true};
    struct match_finish finish = {.match_id = job->subject_id,
                                  .job_id = job->id,
                                  .fence = job->fence,
                                  .result = result,
                                  .slots = 2,
                                  .turn = turn,
                                  .turn_count = CRASH_TURNS,
                                  .turns = 99,
                                  .log = "log",
                                  .log_size = 3,
                                  .replay_sha256 = "aa",
                                  .now_ns = 9};
    int stored = match_row_finish(db, &finish, err);
    if (stored == 1 && ladder_rate(db, job->subject_id, err) < 0)
        return -1;
    return stored;
}

/* As the server does: queued again at the start, then lease, play, finish, and
 * the id is said on `fd` once that is committed. Until killed. */
static void server_loop(const char *path, int fd)
{
    struct err err = {0};
    struct db *db = db_open(path, DB_WRITE, &err);
    int64_t count;

    if (!db || db_begin(db, &err) < 0 ||
        job_requeue_leased(db, &count, &err) < 0 || db_commit(db, &err) < 0)
        _exit(2);
    for (;;) {
        struct job job = {0};
        if (db_begin(db, &err) < 0)
            _exit(3);
        int row = job_lease(db, "server", INT64_MAX, &job, &err);
        if (row < 0 ||
            (row == 1 && match_row_start(db, job.subject_id, 4, &err) < 0) ||
            db_commit(db, &err) < 0)
            _exit(4);
        if (row == 0)
            _exit(0);
        if (db_begin(db, &err) < 0 || finish_match(db, &job, &err) != 1 ||
            db_commit(db, &err) < 0)
            _exit(5);
        if (io_write_all(fd, &job.subject_id, sizeof job.subject_id, &err) < 0)
            _exit(6);
        job_release(&job);
    }
}

static int64_t ask(const char *path, const char *sql)
{
    sqlite3 *raw = NULL;
    sqlite3_stmt *st = NULL;
    int64_t value = -1;

    assert_int_equal(sqlite3_open(path, &raw), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(raw, sql, -1, &st, NULL), SQLITE_OK);
    if (sqlite3_step(st) == SQLITE_ROW)
        value = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    sqlite3_close(raw);
    return value;
}

/* One life of the server: killed after `life_ns`, unless it ends by itself.
 * Returns 1 when nothing was left to do. */
static int server_live(const char *path, uint64_t life_ns, char *said)
{
    struct err err = {0};
    auto_fd int read_fd = -1;
    auto_fd int write_fd = -1;
    int status;
    int64_t id;

    assert_done(io_pipe(&read_fd, &write_fd, &err));
    pid_t pid = fork();
    if (pid == 0)
        server_loop(path, write_fd);
    fd_close(&write_fd);
    clock_sleep_ns(life_ns);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    while (read(read_fd, &id, sizeof id) == (ssize_t)sizeof id)
        said[id] = 1;
    if (WIFEXITED(status))
        assert_int_equal(WEXITSTATUS(status), 0);
    return WIFEXITED(status);
}

static void test_matches_finish_exactly_once_through_kills(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    enum { MATCHES = 300 };
    char said[MATCHES + 1] = {0};
    int64_t a = enter_bot(world->db, "a");
    int64_t b = enter_bot(world->db, "b");
    int kills = 0;

    assert_done(db_begin(world->db, &err));
    for (int i = 0; i < MATCHES; i++)
        make_match(world->db, a, b);
    assert_done(db_commit(world->db, &err));
    db_close(world->db);
    world->db = NULL;
    for (; kills < 500; kills++)
        /* Longer from round to round: a slow host must come to an end too. */
        if (server_live(world->path,
                        (uint64_t)(kills % 20 + 5) * 3000000 *
                            (uint64_t)(kills / 100 + 1),
                        said))
            break;
    assert_in_range(kills, 5, 499);

    assert_int_equal(ask(world->path, "PRAGMA quick_check"), 0); /* "ok" */
    assert_int_equal(ask(world->path, "SELECT count(*) FROM matches WHERE "
                                      "status = 'finished'"),
                     MATCHES);
    assert_int_equal(ask(world->path, "SELECT max(finish_number) FROM matches"),
                     MATCHES);
    assert_int_equal(ask(world->path, "SELECT count(*) FROM turns"),
                     MATCHES * CRASH_TURNS);
    assert_int_equal(ask(world->path, "SELECT count(*) FROM match_logs"),
                     MATCHES);
    assert_int_equal(ask(world->path, "SELECT sum(games) FROM ratings"),
                     2 * MATCHES);
    for (int id = 1; id <= MATCHES; id++) {
        auto_free char *sql = mem_format(
            "SELECT count(*) FROM matches WHERE id = %d AND status = "
            "'finished'",
            id);
        if (said[id])
            assert_int_equal(ask(world->path, sql), 1);
    }
    world->db = db_open(world->path, DB_WRITE, &err);
    assert_non_null(world->db);
}

/* ---- the ladder on the database --------------------------------------------
 */

static void test_the_ladder_fills_up_to_its_caps(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err err = {0};
    unsigned queued;
    struct job_counts counts;
    struct ladder_spec spec = {
        .game = "tron", .slots = 2, .most = 3, .most_pending = 4, .now_ns = 5};

    assert_done(ladder_fill(db, &spec, &queued, &err));
    assert_int_equal(queued, 0);
    enter_bot(db, "a");
    assert_done(ladder_fill(db, &spec, &queued, &err));
    assert_int_equal(queued, 0); /* nobody to play */
    enter_bot(db, "b");
    make_bot(db, owner_of(db), "c"); /* not ready: does not play */
    assert_done(ladder_fill(db, &spec, &queued, &err));
    assert_int_equal(queued, 3);
    assert_done(ladder_fill(db, &spec, &queued, &err));
    assert_int_equal(queued, 1); /* then both wait for four */
    assert_done(job_count(db, &counts, &err));
    assert_int_equal(counts.queued[JOB_MATCH], 4);
}

static void test_a_rated_match_moves_both_ratings_once(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err err = {0};
    int64_t a = enter_bot(db, "a");
    int64_t b = enter_bot(db, "b");
    struct job job = {0};
    struct rating won;
    struct rating lost;
    struct match_row match = {0};
    int64_t id = make_match(db, a, b);

    lease(db, &job);
    assert_done(match_row_start(db, id, 5, &err));
    assert_int_equal(finish_match(db, &job, &err), 1);
    assert_int_equal(finish_match(db, &job, &err), 0);
    assert_int_equal(rating_find(db, a, &won, &err), 1);
    assert_int_equal(rating_find(db, b, &lost, &err), 1);
    assert_int_equal(won.wins, 1);
    assert_int_equal(won.games, 1);
    assert_int_equal(lost.losses, 1);
    assert_true(fabs(won.rating - 1500 + lost.rating - 1500) < 1e-9);
    assert_true(won.rating > 1600);
    assert_int_equal(match_row_find(db, id, &match, &err), 1);
    assert_true(match.result[0].rating_known);
    assert_true(match.result[0].rating == won.rating);
    match_row_release(&match);
}

static void test_a_new_version_inherits_its_rating(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err err = {0};
    int64_t first = enter_bot(db, "a");
    struct rating rating = {
        .bot_id = first, .rating = 1800, .deviation = 80, .games = 50};

    assert_done(rating_put(db, &rating, &err));
    int64_t second = enter_bot(db, "a");
    assert_int_equal(rating_find(db, second, &rating, &err), 1);
    assert_true(rating.rating == 1800);
    assert_true(rating.deviation > 80);
    assert_int_equal(rating.games, 0);
}

static void test_a_bot_does_not_play_itself_for_points(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err err = {0};
    int64_t a = enter_bot(db, "a");
    int64_t bot[2] = {a, a};
    struct match_row_spec spec = {
        .game = "tron", .bot_id = bot, .slots = 2, .seed = "1", .rated = true};
    int64_t id;

    assert_int_equal(match_row_add(db, &spec, &id, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    spec.rated = false;
    assert_done(match_row_add(db, &spec, &id, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_world(test_priority_goes_first_then_age),
        with_world(test_an_equal_job_is_not_queued_twice),
        with_world(test_an_old_fence_opens_nothing),
        with_world(test_a_lease_that_ran_out_is_found),
        with_world(test_a_match_fails_after_three_attempts),
        with_world(test_a_build_fails_after_two_and_says_so),
        with_world(test_a_restart_queues_leased_work_without_counting),
        with_world(test_the_state_of_a_job_can_be_asked),
        with_world(test_no_job_has_two_holders_over_four_processes),
        with_world(test_matches_finish_exactly_once_through_kills),
        with_world(test_the_ladder_fills_up_to_its_caps),
        with_world(test_a_rated_match_moves_both_ratings_once),
        with_world(test_a_new_version_inherits_its_rating),
        with_world(test_a_bot_does_not_play_itself_for_points),
    };

    alarm(110);
    log_set_level(LOG_ALARM + 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
