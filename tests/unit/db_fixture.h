/* db_fixture: a fresh database a test, and rows to begin with. */
#pragma once

#include "db/bots.h"
#include "db/jobs.h"
#include "db/matches.h"
#include "db/tokens.h"
#include "db/users.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

struct world {
    char *folder;
    char *path;
    struct db *db;
};

static inline int world_open(void **state)
{
    struct err err = {0};
    struct world *world = mem_calloc(1, sizeof *world);

    world->folder = io_make_temp_folder("test-db", &err);
    world->path = mem_format("%s/bout.db", world->folder);
    world->db = db_open(world->path, DB_WRITE, &err);
    assert_non_null(world->db);
    *state = world;
    return 0;
}

static inline int world_close(void **state)
{
    struct world *world = *state;
    struct err err;

    db_close(world->db);
    io_remove_tree(world->folder, &err);
    free(world->folder);
    free(world->path);
    free(world);
    return 0;
}

#define assert_done(call)                       \
    do {                                        \
        if ((call) < 0)                         \
            fail_msg("%s: %s", #call, err.msg); \
    } while (0)

static inline int64_t make_user(struct db *db, const char *name)
{
    struct err err = {0};
    int64_t id = 0;

    assert_done(user_add(db, name, ROLE_USER, 1, &id, &err));
    return id;
}

static inline int64_t make_bot(struct db *db, int64_t owner, const char *name)
{
    struct err err = {0};
    struct bot_file file = {.path = (char[]){"bot.c"},
                            .bytes = (char[]){"int main(){}"},
                            .size = 12};
    struct bot_spec spec = {.owner_id = owner,
                            .name = name,
                            .game = "tron",
                            .file = &file,
                            .file_count = 1,
                            .now_ns = 5};
    int64_t id = 0;

    assert_done(bot_add(db, &spec, &id, &err));
    return id;
}

static inline int64_t make_ready_bot(struct db *db, int64_t owner,
                                     const char *name)
{
    struct err err = {0};
    int64_t id = make_bot(db, owner, name);
    struct build_row build = {.hash = (char[]){"abc"},
                              .fingerprint = (char[]){"def"},
                              .target = (char[]){"x86_64"},
                              .module = (char[]){"module"},
                              .module_size = 6,
                              .blocks = (char[]){"[]"},
                              .layout = (char[]){"{}"},
                              .elf = (char[]){"elf"},
                              .elf_size = 3};

    assert_done(bot_accept(db, id, &build, "[]", 6, &err));
    assert_done(job_cancel(db, JOB_BUILD, id, 6, &err));
    return id;
}

static inline int64_t make_match(struct db *db, int64_t a, int64_t b)
{
    struct err err = {0};
    int64_t bot[2] = {a, b};
    struct match_row_spec spec = {.game = "tron",
                                  .bot_id = bot,
                                  .slots = 2,
                                  .seed = "7",
                                  .rated = true,
                                  .now_ns = 10};
    int64_t id = 0;

    assert_done(match_row_add(db, &spec, &id, &err));
    return id;
}

#define with_world(test) \
    cmocka_unit_test_setup_teardown(test, world_open, world_close)
