/* What is kept of matches, and the leaderboard. */
#include "db/ratings.h"
#include "tests/unit/db_fixture.h"

static void test_a_match_wants_ready_bots_of_its_game(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    int64_t ann = make_user(world->db, "ann");
    int64_t bot[2] = {make_ready_bot(world->db, ann, "a"),
                      make_bot(world->db, ann, "b")};
    struct match_row_spec spec = {
        .game = "tron", .bot_id = bot, .slots = 2, .seed = "1"};
    int64_t id;

    assert_int_equal(match_row_add(world->db, &spec, &id, &err), -1);
    assert_int_equal(err.kind, ERR_CONFLICT);
    bot[1] = 99;
    assert_int_equal(match_row_add(world->db, &spec, &id, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    bot[1] = bot[0];
    spec.game = "chess";
    assert_int_equal(match_row_add(world->db, &spec, &id, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
}

static void finish_match(struct db *db, int64_t id, const struct job *job,
                         int expected)
{
    struct err err = {0};
    char long_reply[5000];
    struct result_row result[2] = {{.slot = 0,
                                    .rank = 1,
                                    .score = 3,
                                    .verdict = (char[]){"ok"},
                                    .detail = (char[]){""},
                                    .private_detail = (char[]){""},
                                    .instructions = 100},
                                   {.slot = 1,
                                    .rank = 2,
                                    .score = 1,
                                    .verdict = (char[]){"crash"},
                                    .detail = (char[]){"null pointer"},
                                    .private_detail = (char[]){"bot.c:3"},
                                    .instructions = 50}};
    struct turn_row turn[2] = {{.turn = 0,
                                .slot = 0,
                                .status = "ok",
                                .counted = true,
                                .instructions = 9,
                                .reply = (char[]){"up\n"},
                                .reply_size = 3},
                               {.turn = 1,
                                .slot = 1,
                                .status = "stopped",
                                .reply = long_reply,
                                .reply_size = sizeof long_reply,
                                .log = (char[]){"oops"},
                                .log_size = 4,
                                .cpu_known = true,
                                .cpu_ns = 8}};
    struct match_finish finish = {.match_id = id,
                                  .job_id = job->id,
                                  .fence = job->fence,
                                  .result = result,
                                  .slots = 2,
                                  .turn = turn,
                                  .turn_count = 2,
                                  .turns = 1,
                                  .log = "{}\n",
                                  .log_size = 3,
                                  .replay_sha256 = "00ff",
                                  .game_version = "v",
                                  .fingerprint = "f",
                                  .now_ns = 20};

    memset(long_reply, 'z', sizeof long_reply);
    assert_done(db_begin(db, &err));
    int got = match_row_finish(db, &finish, &err);
    if (got < 0)
        fail_msg("%s", err.msg);
    assert_int_equal(got, expected);
    assert_done(db_commit(db, &err));
}

static void lease(struct db *db, struct job *job)
{
    struct err err = {0};

    assert_int_equal(job_lease(db, "test", 1000, job, &err), 1);
    assert_done(match_row_start(db, job->subject_id, 15, &err));
}

static void test_a_finished_match_reads_back_whole(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    int64_t ann = make_user(world->db, "ann");
    int64_t bot[2] = {make_ready_bot(world->db, ann, "a"),
                      make_ready_bot(world->db, ann, "b")};
    int64_t id = make_match(world->db, bot[0], bot[1]);
    struct job job = {0};
    struct match_row match = {0};
    struct turn_row_list turns = {0};
    auto_buf struct buf text = {0};

    assert_int_equal(match_row_find(world->db, id, &match, &err), 1);
    assert_int_equal(match.status, MATCH_QUEUED);
    assert_int_equal(match.queue_position, 1);
    match_row_release(&match);
    lease(world->db, &job);
    finish_match(world->db, id, &job, 1);
    job_release(&job);

    assert_int_equal(match_row_find(world->db, id, &match, &err), 1);
    assert_int_equal(match.status, MATCH_FINISHED);
    assert_int_equal(match.slots, 2);
    assert_string_equal(match.result[1].verdict, "crash");
    assert_string_equal(match.result[1].private_detail, "bot.c:3");
    assert_string_equal(match.result[0].bot_name, "a");
    assert_string_equal(match.replay_sha256, "00ff");
    assert_int_equal(match.verified, MATCH_UNVERIFIED);
    match_row_release(&match);

    struct turn_cursor start = {.turn = -1};
    assert_done(turn_row_list(world->db, id, start, 1, &turns, &err));
    assert_int_equal(turns.count, 1);
    assert_true(turns.more);
    assert_string_equal(turns.row[0].reply, "up\n");
    turn_row_list_release(&turns);
    struct turn_cursor next = {.turn = 0, .slot = 0};
    assert_done(turn_row_list(world->db, id, next, 1, &turns, &err));
    assert_int_equal(turns.row[0].reply_size, 5000);
    assert_false(turns.row[0].counted);
    assert_int_equal(turns.row[0].cpu_ns, 8);
    assert_false(turns.more);
    turn_row_list_release(&turns);

    assert_int_equal(match_log_find(world->db, id, &text, &err), 1);
    assert_string_equal(text.data, "{}\n");
    buf_clear(&text);
    assert_int_equal(turn_log_find(world->db, id, 1, 1, &text, &err), 1);
    assert_string_equal(text.data, "oops");
    assert_int_equal(turn_log_find(world->db, id, 0, -1, &text, &err), 0);
}

static void test_a_cancelled_match_takes_no_result(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    int64_t ann = make_user(world->db, "ann");
    int64_t bot[2] = {make_ready_bot(world->db, ann, "a"),
                      make_ready_bot(world->db, ann, "b")};
    int64_t id = make_match(world->db, bot[0], bot[1]);
    struct job job = {0};
    struct match_row match = {0};

    lease(world->db, &job);
    assert_done(match_row_cancel(world->db, id, 16, &err));
    finish_match(world->db, id, &job, 0);
    job_release(&job);
    assert_int_equal(match_row_find(world->db, id, &match, &err), 1);
    assert_int_equal(match.status, MATCH_CANCELLED);
    match_row_release(&match);
    assert_int_equal(match_row_cancel(world->db, id, 17, &err), -1);
    assert_int_equal(err.kind, ERR_CONFLICT);

    /* Not with a bot that a new match would be refused for. */
    assert_done(bot_suspend(world->db, bot[0], "it crashed", &err));
    assert_int_equal(match_row_requeue(world->db, id, 0, 18, &err), -1);
    assert_int_equal(err.kind, ERR_CONFLICT);
    assert_done(bot_resume(world->db, bot[0], &err));
    assert_done(match_row_requeue(world->db, id, 0, 18, &err));
    lease(world->db, &job);
    finish_match(world->db, id, &job, 1);
    job_release(&job);
}

/* Its match was under way when it was dropped: that is stored all the same. */
static void test_who_crashes_too_often_is_suspended_if_it_is_there(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    int64_t ann = make_user(world->db, "ann");
    int64_t bot[2] = {make_ready_bot(world->db, ann, "a"),
                      make_ready_bot(world->db, ann, "b")};
    struct bot row = {0};

    for (int round = 0; round < 2; round++) {
        int64_t id = make_match(world->db, bot[0], bot[1]);
        struct job job = {0};

        lease(world->db, &job);
        finish_match(world->db, id, &job, 1);
        job_release(&job);
        if (round == 1)
            assert_done(bot_drop(world->db, bot[1], 20, &err));
        assert_done(bot_note_faults(world->db, id, 1, &err));
        assert_int_equal(bot_find(world->db, bot[1], &row, &err), 1);
        assert_int_equal(row.status, round ? BOT_READY : BOT_SUSPENDED);
        bot_release(&row);
        if (round == 0)
            assert_done(bot_resume(world->db, bot[1], &err));
    }
}

static void test_matches_are_filtered_by_bot_name_and_status(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    int64_t ann = make_user(world->db, "ann");
    int64_t bot[3] = {make_ready_bot(world->db, ann, "a"),
                      make_ready_bot(world->db, ann, "b"),
                      make_ready_bot(world->db, ann, "c")};
    struct match_row_list list = {0};

    make_match(world->db, bot[0], bot[1]);
    int64_t second = make_match(world->db, bot[1], bot[2]);
    struct match_filter by_bot = {
        .bot_id = bot[2], .status = MATCH_STATUS_COUNT, .rated = -1};
    assert_done(match_row_list(world->db, &by_bot, 0, 10, &list, &err));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.row[0].id, second);
    assert_int_equal(list.row[0].slots, 2);
    match_row_list_release(&list);

    struct match_filter by_name = {.game = "tron",
                                   .bot_name = "b",
                                   .status = MATCH_STATUS_COUNT,
                                   .rated = -1};
    assert_done(match_row_list(world->db, &by_name, 0, 1, &list, &err));
    assert_int_equal(list.count, 1);
    assert_true(list.more);
    match_row_list_release(&list);

    struct match_filter finished = {.status = MATCH_FINISHED, .rated = -1};
    assert_done(match_row_list(world->db, &finished, 0, 10, &list, &err));
    assert_int_equal(list.count, 0);
    match_row_list_release(&list);
}

static void test_the_leaderboard_ranks_active_versions(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    int64_t ann = make_user(world->db, "ann");
    const double value[4] = {1500, 1700, 1500, 1400};
    const char *name[4] = {"a", "b", "c", "d"};
    struct standing_list list = {0};
    struct standing_cursor after = {0};
    int64_t rank[4];
    int seen = 0;

    for (int i = 0; i < 4; i++) {
        struct rating rating = {.bot_id =
                                    make_ready_bot(world->db, ann, name[i]),
                                .rating = value[i],
                                .deviation = 350};
        assert_done(rating_put(world->db, &rating, &err));
    }
    do {
        assert_done(standing_list(world->db, "tron", after, 1, &list, &err));
        if (list.count == 1) {
            rank[seen++] = list.row[0].rank;
            after = (struct standing_cursor){list.row[0].rating.rating,
                                             list.row[0].bot_id};
        }
        bool more = list.more;
        standing_list_release(&list);
        if (!more)
            break;
    } while (seen < 4);
    assert_int_equal(seen, 4);
    assert_int_equal(rank[0], 1);
    assert_int_equal(rank[1], 2);
    assert_int_equal(rank[2], 2);
    assert_int_equal(rank[3], 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_world(test_a_match_wants_ready_bots_of_its_game),
        with_world(test_a_finished_match_reads_back_whole),
        with_world(test_a_cancelled_match_takes_no_result),
        with_world(test_who_crashes_too_often_is_suspended_if_it_is_there),
        with_world(test_matches_are_filtered_by_bot_name_and_status),
        with_world(test_the_leaderboard_ranks_active_versions),
    };

    alarm(60);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
