/* The database over real SQLite files. */
#include "db/measures.h"
#include "db/pack.h"
#include "db/profiles.h"
#include "db/retention.h"
#include "db/settings.h"
#include "db/writer.h"
#include "tests/unit/db_fixture.h"

#include <pthread.h>
#include <sqlite3.h>

/* ---- the connection -------------------------------------------------------
 */

static void test_every_query_is_valid_sql(void **state)
{
    struct world *world = *state;

    for (int query = 0; query < QUERY_COUNT; query++) {
        struct err err = {0};
        auto_stmt struct stmt *st =
            stmt_prepare(world->db, (enum query)query, &err);
        if (!st)
            fail_msg("query %d: %s", query, err.msg);
    }
}

static void test_a_reopened_database_keeps_its_rows(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    struct user user = {0};
    int64_t id = make_user(world->db, "ann");

    db_close(world->db);
    world->db = db_open(world->path, DB_WRITE, &err);
    assert_non_null(world->db);
    assert_int_equal(user_find(world->db, id, &user, &err), 1);
    assert_string_equal(user.name, "ann");
    user_release(&user);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *raw = NULL;

    assert_int_equal(sqlite3_open(path, &raw), SQLITE_OK);
    assert_int_equal(sqlite3_exec(raw, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(raw);
}

static void test_another_programs_file_is_refused_and_kept(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    auto_free char *path = mem_format("%s/other.db", world->folder);
    auto_buf struct buf before = {0};
    auto_buf struct buf after = {0};

    run_sql(path, "CREATE TABLE mine (x); PRAGMA application_id=7;");
    io_read_file(path, 1 << 20, &before, &err);
    assert_null(db_open(path, DB_WRITE, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_non_null(strstr(err.msg, "not a database of bout"));
    io_read_file(path, 1 << 20, &after, &err);
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.data, after.data, before.size);
}

static void test_a_file_that_is_no_database_is_refused(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    auto_free char *path = mem_format("%s/text.db", world->folder);
    char text[4096];

    memset(text, 'x', sizeof text);
    assert_done(io_write_file(path, text, sizeof text, 0600, &err));
    assert_null(db_open(path, DB_WRITE, &err));
    assert_int_equal(err.kind, ERR_INPUT);
}

static void test_a_newer_database_is_refused(void **state)
{
    struct world *world = *state;
    struct err err = {0};

    db_close(world->db);
    world->db = NULL;
    run_sql(world->path, "PRAGMA user_version=9999");
    assert_null(db_open(world->path, DB_WRITE, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_non_null(strstr(err.msg, "newer"));
}

static void test_a_second_server_finds_the_folder_locked(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    auto_fd int first = db_lock(world->folder, &err);

    assert_true(first >= 0);
    assert_int_equal(db_lock(world->folder, &err), -1);
    assert_int_equal(err.kind, ERR_BUSY);
    fd_close(&first);
    auto_fd int third = db_lock(world->folder, &err);
    assert_true(third >= 0);
}

/* ---- users and bots -------------------------------------------------------
 */

static void test_a_token_is_found_by_its_hash_until_revoked(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    char token[TOKEN_SIZE];
    uint8_t hash[HASH_BYTES];
    struct user user = {0};
    int64_t id = make_user(world->db, "ann");

    token_make(token, hash);
    assert_int_equal(strlen(token), TOKEN_SIZE - 1);
    assert_done(token_add(world->db, id, hash, 1, &err));
    assert_int_equal(user_find_token(world->db, hash, 1, &user, &err), 1);
    assert_int_equal(user.id, id);
    user_release(&user);
    assert_done(token_revoke_all(world->db, id, 2, &err));
    assert_int_equal(user_find_token(world->db, hash, 1, &user, &err), 0);
}

static void test_a_user_name_is_unique_and_checked(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    int64_t id;

    make_user(world->db, "ann");
    assert_int_equal(user_add(world->db, "ann", ROLE_USER, 1, &id, &err), -1);
    assert_int_equal(err.kind, ERR_CONFLICT);
    assert_int_equal(user_add(world->db, "a b", ROLE_USER, 1, &id, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_int_equal(user_add(world->db, "", ROLE_USER, 1, &id, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
}

static void test_a_name_takes_versions_of_its_owner_only(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    int64_t ann = make_user(world->db, "ann");
    int64_t bob = make_user(world->db, "bob");
    int64_t first = make_ready_bot(world->db, ann, "snake");
    int64_t second = make_ready_bot(world->db, ann, "snake");
    struct bot bot = {0};
    struct bot_spec spec = {
        .owner_id = bob, .name = "snake", .game = "tron", .now_ns = 1};
    int64_t id;

    assert_int_equal(bot_add(world->db, &spec, &id, &err), -1);
    assert_int_equal(err.kind, ERR_CONFLICT);
    assert_int_equal(bot_find(world->db, second, &bot, &err), 1);
    assert_int_equal(bot.version, 2);
    assert_true(bot.active);
    assert_string_equal(bot.build_hash, "abc");
    bot_release(&bot);
    assert_int_equal(bot_find(world->db, first, &bot, &err), 1);
    assert_false(bot.active);
    bot_release(&bot);
}

static void test_sources_and_builds_come_back_as_given(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    int64_t id = make_ready_bot(world->db, make_user(world->db, "ann"), "s");
    struct bot_files files = {0};
    struct build_row build = {0};

    assert_done(bot_files(world->db, id, &files, &err));
    assert_int_equal(files.count, 1);
    assert_string_equal(files.file[0].path, "bot.c");
    assert_memory_equal(files.file[0].bytes, "int main(){}", 12);
    bot_files_release(&files);
    assert_int_equal(build_row_find(world->db, id, &build, &err), 1);
    assert_memory_equal(build.module, "module", 6);
    assert_memory_equal(build.elf, "elf", 3);
    assert_string_equal(build.target, "x86_64");
    build_row_release(&build);
    assert_int_equal(build_row_find(world->db, id + 1, &build, &err), 0);
    assert_int_equal(bot_files(world->db, id + 1, &files, &err), -1);
    assert_int_equal(err.kind, ERR_MISSING);
}

static void test_bots_are_listed_in_pages_newest_first(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    int64_t ann = make_user(world->db, "ann");
    struct bot_filter all = {.status = BOT_STATUS_COUNT};
    struct bot_list list = {0};
    int64_t before = 0;
    int seen = 0;

    for (int i = 0; i < 7; i++)
        make_bot(world->db, ann, "snake");
    do {
        assert_done(bot_list(world->db, &all, before, 3, &list, &err));
        for (size_t i = 0; i < list.count; i++, seen++) {
            assert_true(before == 0 || list.row[i].id < before);
            before = list.row[i].id;
        }
        bool more = list.more;
        bot_list_release(&list);
        if (!more)
            break;
    } while (seen < 100);
    assert_int_equal(seen, 7);

    struct bot_filter ready = {.status = BOT_READY};
    assert_done(bot_list(world->db, &ready, 0, 3, &list, &err));
    assert_int_equal(list.count, 0);
    bot_list_release(&list);
}

static void test_a_suspended_version_is_not_active(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    int64_t id = make_ready_bot(world->db, make_user(world->db, "ann"), "s");

    assert_done(bot_suspend(world->db, id, "why", &err));
    assert_int_equal(bot_activate(world->db, id, &err), -1);
    assert_int_equal(err.kind, ERR_CONFLICT);
    assert_done(bot_resume(world->db, id, &err));
    assert_done(bot_activate(world->db, id, &err));
    assert_int_equal(bot_activate(world->db, 999, &err), -1);
    assert_int_equal(err.kind, ERR_MISSING);
}

/* ---- profiles, ratings, small things ---------------------------------------
 */

static void test_a_profile_chunk_survives_its_stored_form(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    uint64_t count[6] = {0, 1, 127, 128, UINT64_MAX, (uint64_t)1 << 53};
    struct profile_chunk chunk = {
        .first_turn = 16,
        .turns = 2,
        .counters = 3,
        .count = count,
        .blocks = {[1] = {.data = (char[]){"what a bot said"}, .size = 15}}};
    struct profile_chunk back = {0};
    int64_t ann = make_user(world->db, "ann");
    int64_t bot[2] = {make_ready_bot(world->db, ann, "a"),
                      make_ready_bot(world->db, ann, "b")};
    int64_t id = make_match(world->db, bot[0], bot[1]);

    assert_done(profile_chunk_put(world->db, id, 1, &chunk, &err));
    assert_int_equal(profile_chunk_find(world->db, id, 1, 17, &back, &err), 1);
    assert_int_equal(back.counters, 3);
    assert_memory_equal(back.count, count, sizeof count);
    assert_int_equal(back.blocks[0].size, 0);
    assert_int_equal(back.blocks[1].size, 15);
    assert_string_equal(back.blocks[1].data, "what a bot said");
    profile_chunk_release(&back);
    assert_int_equal(profile_chunk_find(world->db, id, 1, 18, &back, &err), 0);
    assert_int_equal(profile_chunk_find(world->db, id, 1, 3, &back, &err), 0);
}

static void test_a_damaged_profile_chunk_is_an_error(void **state)
{
    struct err err = {0};
    struct profile_chunk back;
    auto_buf struct buf packed = {0};
    const char short_form[] = {1, 0, 16, 100}; /* promises 1600 counts */
    const char long_stream[] = {2, 0, 1, 1, 7, 9, 'x'}; /* promises 9 bytes */
    const char first_form[] = {1, 0, 1, 1,
                               7}; /* of before there were streams */

    (void)state;
    pack_add(&packed, short_form, sizeof short_form);
    assert_int_equal(profile_chunk_parse(packed.data, packed.size, &back, &err),
                     -1);
    assert_int_equal(profile_chunk_parse("garbage", 7, &back, &err), -1);
    buf_clear(&packed);
    pack_add(&packed, long_stream, sizeof long_stream);
    assert_int_equal(profile_chunk_parse(packed.data, packed.size, &back, &err),
                     -1);
    buf_clear(&packed);
    pack_add(&packed, first_form, sizeof first_form);
    assert_done(profile_chunk_parse(packed.data, packed.size, &back, &err));
    assert_int_equal(back.count[0], 7);
    assert_int_equal(back.blocks[0].size, 0);
    profile_chunk_release(&back);
}

static void test_a_match_has_measures_of_its_host(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    struct measures_row row = {0};
    int64_t ann = make_user(world->db, "ann");
    int64_t bot[2] = {make_ready_bot(world->db, ann, "a"),
                      make_ready_bot(world->db, ann, "b")};
    int64_t id = make_match(world->db, bot[0], bot[1]);

    assert_int_equal(measures_find(world->db, id, &row, &err), 0);
    assert_done(measures_put(world->db, id, "h", "{\"load\":1}", &err));
    assert_int_equal(measures_find(world->db, id, &row, &err), 1);
    assert_null(row.host); /* nobody has told of it */
    measures_row_release(&row);
    assert_done(host_put(world->db, "h", "{\"cores\":2}", &err));
    assert_done(host_put(world->db, "h", "{\"cores\":3}", &err));
    assert_done(host_put(world->db, "h", NULL, &err));
    assert_done(measures_put(world->db, id, "h", "{\"load\":2}", &err));
    assert_int_equal(measures_find(world->db, id, &row, &err), 1);
    assert_string_equal(row.host, "{\"cores\":2}");
    assert_string_equal(row.match, "{\"load\":2}");
    measures_row_release(&row);
}

static void test_an_idempotency_key_is_kept_once(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    struct repeat repeat = {.request_hash = {1, 2, 3},
                            .http_status = 202,
                            .location = (char[]){"/v1/bots/1"},
                            .body = (char[]){"{}"}};
    struct repeat found = {0};

    assert_int_equal(repeat_find(world->db, 1, "k", &found, &err), 0);
    assert_done(repeat_add(world->db, 1, "k", &repeat, 5, &err));
    assert_int_equal(repeat_add(world->db, 1, "k", &repeat, 5, &err), -1);
    assert_int_equal(err.kind, ERR_CONFLICT);
    assert_int_equal(repeat_find(world->db, 1, "k", &found, &err), 1);
    assert_int_equal(found.http_status, 202);
    assert_memory_equal(found.request_hash, repeat.request_hash, HASH_BYTES);
    repeat_release(&found);
    assert_int_equal(ended_drop(world->db, RETAINED_REPEATS, 5, &err), 0);
    assert_int_equal(ended_drop(world->db, RETAINED_REPEATS, 6, &err), 1);
    assert_int_equal(repeat_find(world->db, 1, "k", &found, &err), 0);
}

static void test_packed_bytes_keep_to_their_cap(void **state)
{
    struct err err = {0};
    auto_buf struct buf packed = {0};
    auto_buf struct buf plain = {0};
    char zeros[10000] = {0};

    (void)state;
    pack_add(&packed, zeros, sizeof zeros);
    assert_true(packed.size < 100);
    assert_int_equal(pack_open(packed.data, packed.size, 9999, &plain, &err),
                     -1);
    assert_int_equal(err.kind, ERR_TOO_BIG);
    assert_done(pack_open(packed.data, packed.size, 10000, &plain, &err));
    assert_int_equal(plain.size, 10000);
    assert_int_equal(
        pack_open(packed.data, packed.size - 1, 10000, &plain, &err), -1);
}

/* ---- the writer -----------------------------------------------------------
 */

static int add_user_fn(struct db *db, void *arg, struct err *err)
{
    int64_t id;

    return user_add(db, arg, ROLE_USER, 1, &id, err);
}

/* Adds, then fails: the row must not stay. */
static int add_and_fail_fn(struct db *db, void *arg, struct err *err)
{
    if (add_user_fn(db, arg, err) < 0)
        return -1;
    return err_set(err, ERR_INPUT, "changed my mind");
}

static void *post_many(void *arg)
{
    for (int i = 0; i < 200; i++) {
        struct err err;
        auto_free char *name = mem_format("u%d-%p", i, (void *)&err);
        if (writer_run(arg, i % 50 == 0, add_user_fn, name, &err) < 0)
            return arg;
    }
    return NULL;
}

static void test_the_writer_serves_many_threads(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    struct writer *writer = writer_open(world->path, &err);
    pthread_t thread[4];
    struct user_list list = {0};

    assert_non_null(writer);
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, post_many, writer);
    for (int i = 0; i < 4; i++) {
        void *failed;
        pthread_join(thread[i], &failed);
        assert_null(failed);
    }
    writer_close(writer);
    assert_done(user_list(world->db, 0, 5000, &list, &err));
    assert_int_equal(list.count, 800);
    user_list_release(&list);
}

static void test_a_failed_write_leaves_nothing(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    struct user user;
    struct writer *writer = writer_open(world->path, &err);
    char name[] = "zoe";

    assert_int_equal(writer_run(writer, false, add_and_fail_fn, name, &err),
                     -1);
    assert_string_equal(err.msg, "changed my mind");
    assert_int_equal(user_find_name(world->db, "zoe", &user, &err), 0);
    assert_done(writer_run(writer, true, add_user_fn, name, &err));
    writer_close(writer);
}

static void test_a_reader_cannot_write(void **state)
{
    struct world *world = *state;
    struct err err = {0};
    struct db *reader = db_open(world->path, DB_READ, &err);
    int64_t id;

    assert_non_null(reader);
    assert_int_equal(user_add(reader, "eve", ROLE_USER, 1, &id, &err), -1);
    db_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_world(test_every_query_is_valid_sql),
        with_world(test_a_reopened_database_keeps_its_rows),
        with_world(test_another_programs_file_is_refused_and_kept),
        with_world(test_a_file_that_is_no_database_is_refused),
        with_world(test_a_newer_database_is_refused),
        with_world(test_a_second_server_finds_the_folder_locked),
        with_world(test_a_token_is_found_by_its_hash_until_revoked),
        with_world(test_a_user_name_is_unique_and_checked),
        with_world(test_a_name_takes_versions_of_its_owner_only),
        with_world(test_sources_and_builds_come_back_as_given),
        with_world(test_bots_are_listed_in_pages_newest_first),
        with_world(test_a_suspended_version_is_not_active),
        with_world(test_a_profile_chunk_survives_its_stored_form),
        with_world(test_a_match_has_measures_of_its_host),
        cmocka_unit_test(test_a_damaged_profile_chunk_is_an_error),
        with_world(test_an_idempotency_key_is_kept_once),
        cmocka_unit_test(test_packed_bytes_keep_to_their_cap),
        with_world(test_the_writer_serves_many_threads),
        with_world(test_a_failed_write_leaves_nothing),
        with_world(test_a_reader_cannot_write),
    };

    alarm(60);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
