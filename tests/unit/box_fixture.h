/* box_fixture: raw bots for the tests of the jail. One zygote for all tests of
 * a program; bots are built into $BUILD/hostile, or taken from $HOSTILE_BOTS by
 * a user who may not build there. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/jail/box.h"

#include <stdlib.h>
#include <string.h>

#define FIXTURE_VIEW_BYTES 65536u
#define FIXTURE_REPLY_BYTES 4096u
#define FIXTURE_LOG_BYTES 4096u
#define FIXTURE_BUDGET 1000000u

static struct zygote *fixture_zygote;
static struct err fixture_err;

static inline const char *fixture_folder(void)
{
    static char path[512];
    const char *build = getenv("BUILD");

    if (getenv("HOSTILE_BOTS"))
        return getenv("HOSTILE_BOTS");
    snprintf(path, sizeof path, "%s/hostile", build ? build : "build");
    return path;
}

static inline int fixture_set_up(void **state)
{
    char command[600];

    (void)state;
    snprintf(command, sizeof command, "tests/hostile/native/build.sh %s >&2",
             fixture_folder());
    if (!getenv("HOSTILE_BOTS") && system(command) != 0)
        return -1;
    fixture_zygote = zygote_start(0, &fixture_err);
    if (!fixture_zygote)
        print_error("%s\n", fixture_err.msg);
    return fixture_zygote ? 0 : -1;
}

static inline int fixture_tear_down(void **state)
{
    (void)state;
    zygote_stop(fixture_zygote);
    return 0;
}

static inline struct box_spec fixture_spec(const char *name)
{
    char path[600];
    auto_buf struct buf elf = {0};

    snprintf(path, sizeof path, "%s/%s", fixture_folder(), name);
    if (io_read_file(path, 1u << 24, &elf, &fixture_err) < 0)
        fail_msg("%s", fixture_err.msg);
    return (struct box_spec){
        .name = "slot 1",
        .elf_fd = io_sealed_memfd(name, elf.data, elf.size, &fixture_err),
        .counters_count = 1000,
        .data_bytes = 4096,
        .memory_bytes = 4u << 20,
        .stack_bytes = 64u << 10,
        .view_bytes = FIXTURE_VIEW_BYTES,
        .reply_bytes = FIXTURE_REPLY_BYTES,
        .log_bytes = FIXTURE_LOG_BYTES,
    };
}

static inline void fixture_spawn(const char *name, struct box *box)
{
    struct box_spec spec = fixture_spec(name);

    if (box_spawn(fixture_zygote, &spec, box, &fixture_err) < 0 ||
        box_await_start(box, &fixture_err) < 0)
        fail_msg("%s: %s", name, fixture_err.msg);
    close(spec.elf_fd);
}

/* The net of a turn: 100 ms, and $HOSTILE_SLOW times that on a machine that is
 * an emulated one. */
static inline uint64_t fixture_net_ns(void)
{
    const char *slow = getenv("HOSTILE_SLOW");

    return 100000000 * (slow ? strtoul(slow, NULL, 10) : 1);
}

static inline struct turn fixture_turn_bytes(struct box *box, const void *view,
                                             size_t size)
{
    struct turn_spec spec = {
        .view = view,
        .view_size = size,
        .budget = FIXTURE_BUDGET,
        .cpu_ns = fixture_net_ns(),
    };
    struct turn turn;

    if (box_turn(box, &spec, &turn, &fixture_err) < 0)
        fail_msg("%s", fixture_err.msg);
    return turn;
}

static inline struct turn fixture_turn(struct box *box, const char *view)
{
    return fixture_turn_bytes(box, view, strlen(view));
}

/* Start-up must ask for input; then turn 1. */
static inline struct turn fixture_first_turn(struct box *box, const void *view,
                                             size_t size)
{
    struct turn turn = fixture_turn(box, "");

    assert_int_equal(turn.end, TURN_ASKED);
    return fixture_turn_bytes(box, view, size);
}
