/* fake_worker: a worker for test_lease: leases real jobs and does tiny work.
 * What it does with a match is chosen by the match's seed:
 *
 *     1   plays at once
 *     2   dies at its first attempt, plays at the next
 *     3   dies at every attempt
 *     4   fails, and says why
 *     5   takes 30 ms
 *     6   sends a result that is no match
 *     7   waits until the test's folder holds `go`
 */
#pragma once

#include "db/jobs.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/io.h"
#include "runner/work/lease.h"
#include "runner/work/wire.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#define HASH_A \
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define FOLDER_ENV "TEST_LEASE_FOLDER"

static inline void fake_match(struct parcel *result)
{
    char reply[] = "up";
    char log[] = "hm";
    struct build game = {.hash = HASH_A, .fingerprint = HASH_A};
    struct match_spec spec = {.game = &game, .slots = 2};
    uint64_t counters[3][2] = {{1, 10}, {3, 10}, {6, 40}};
    struct match_turn turn[3];
    struct match match = {.slots = 2,
                          .turns = 2,
                          .turn = turn,
                          .turn_count = 3,
                          .replay_sha256 = HASH_A};

    for (uint32_t i = 0; i < 3; i++)
        turn[i] = (struct match_turn){.turn = i,
                                      .counted = true,
                                      .instructions = i + 1,
                                      .reply = reply,
                                      .reply_size = 2,
                                      .log = log,
                                      .log_size = i == 2 ? 2 : 0,
                                      .counters = counters[i]};
    match.result[0] = (struct match_result){.rank = 1, .score = 5};
    match.result[1] = (struct match_result){.rank = 2,
                                            .verdict = VERDICT_CRASH,
                                            .detail = "null pointer",
                                            .private_detail = "bot.c:3 in f"};
    buf_add_str(&match.log, "{\"bout\":1}\n");
    wire_put_match(result, &match, &spec);
    wire_put_profile(result, turn, 3, 0, 2, 2);
    buf_release(&match.log);
}

static inline void wait_for_go(void)
{
    auto_free char *go = mem_format("%s/go", getenv(FOLDER_ENV));

    while (!io_exists(go))
        clock_sleep_ns(2000000);
}

static inline int fake_play(const struct work *work, struct parcel *result,
                            struct err *err)
{
    const char *seed = parcel_text(&work->parcel, "seed", err);
    int64_t first_fence = 1;

    if (!seed)
        return -1;
    if (seed[0] == '3' || (seed[0] == '2' && work->fence == first_fence))
        raise(SIGKILL);
    if (seed[0] == '4')
        return err_set(err, ERR_SYSTEM, "the \"referee\" crashed");
    if (seed[0] == '8') {
        const json_t *place = json_object_get(work->parcel.head, "starved");
        if (json_array_size(place) != 2)
            return err_set(err, ERR_BUSY, "starved");
        if (json_integer_value(json_array_get(place, 0)) != 5 ||
            json_integer_value(json_array_get(place, 1)) != 1)
            return err_set(err, ERR_SYSTEM, "another place");
    }
    if (seed[0] == '5')
        clock_sleep_ns(30000000);
    if (seed[0] == '6')
        return 0;
    if (seed[0] == '7')
        wait_for_go();
    fake_match(result);
    return 0;
}

/* A source that says "bad" is rejected; "die" kills the worker. */
static inline int fake_build(struct lease *lease, const struct work *work,
                             struct parcel *result, struct err *err)
{
    struct build_source source = {0};
    struct build build = {.hash = HASH_A,
                          .fingerprint = HASH_A,
                          .target = (char[]){"x86_64"},
                          .module = (char[]){"m"},
                          .module_size = 1,
                          .elf = (char[]){"e"},
                          .elf_size = 1};

    if (wire_get_files(&work->parcel, &source, err) < 0)
        return -1;
    bool bad = !strcmp(source.file[0].bytes, "bad");
    bool die = !strcmp(source.file[0].bytes, "die");
    build_source_release(&source);
    if (die)
        raise(SIGKILL);
    if (lease_extend(lease, work, "checking", err) < 0)
        return -1;
    json_object_set_new(result->head, "ready", json_boolean(!bad));
    json_object_set_new(result->head, "diagnostics",
                        bad ? json_pack("[{s:s}]", "message", "bad")
                            : json_array());
    build.blocks = json_object();
    build.layout = json_pack("{s:i, s:i}", "counters", 2, "data_bytes", 0);
    if (!bad)
        wire_put_build(result, &build);
    json_decref(build.blocks);
    json_decref(build.layout);
    return 0;
}

/* Asks for the builds of a match's bots, as a real worker does. */
static inline int fake_fetch(struct lease *lease, const struct work *work,
                             struct err *err)
{
    const json_t *bots = json_object_get(work->parcel.head, "bots");

    for (size_t i = 0; i < json_array_size(bots); i++) {
        struct build *build = lease_build(
            lease, json_integer_value(json_array_get(bots, i)), NULL, err);
        if (!build)
            return -1;
        build_free(build);
    }
    return 0;
}

static inline int worker_main(void)
{
    struct lease *lease = lease_open(3);
    struct err err = {0};
    struct work work = {0};
    int got;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while ((got = lease_take(lease, &work, &err)) == 1) {
        auto_parcel struct parcel result = {.head = json_object()};
        struct err why = {0};
        int done = 0;
        if (!strcmp(work.kind, "build"))
            done = fake_build(lease, &work, &result, &why);
        else if (!strcmp(work.kind, "verify"))
            json_object_set_new(result.head, "equal", json_true());
        else if (fake_fetch(lease, &work, &why) < 0)
            done = -1;
        else if (!strcmp(work.kind, "match"))
            done = fake_play(&work, &result, &why);
        else
            fake_match(&result); /* profile: only its chunks count */
        bool busy = done < 0 && why.kind == ERR_BUSY;
        struct match_place starved = {busy ? 5 : UINT32_MAX, 1};
        if ((done == 0
                 ? lease_finish(lease, &work, &result, &err)
                 : lease_give_up(lease, &work, &starved, why.msg, &err)) < 0)
            return 1;
        work_release(&work);
        if (busy) /* the other worker's turn */
            clock_sleep_ns(500000000);
    }
    lease_close(lease);
    return got < 0;
}
