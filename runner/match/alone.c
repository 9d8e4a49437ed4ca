#include "runner/match/alone.h"

#include "runner/base/cleanup.h"
#include "runner/build/place.h"
#include "runner/match/player.h"
#include "runner/match/replay.h"
#include "runner/match/seat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void alone_release(struct alone *alone)
{
    for (size_t i = 0; i < alone->turn_count; i++) {
        free(alone->turn[i].reply);
        free(alone->turn[i].log);
        free(alone->turn[i].counters);
        buf_release(&alone->turn[i].blocks);
    }
    free(alone->turn);
    blocks_release(&alone->blocks);
    buf_release(&alone->out);
    buf_release(&alone->log);
    *alone = (struct alone){0};
}

/* One turn: its row, its output, and what became of the program. */
static int alone_turn(struct alone *alone, struct box *box,
                      const struct turn_spec *spec, bool profile,
                      struct err *err)
{
    uint32_t number = (uint32_t)alone->turn_count;
    struct turn end;

    if (box_turn(box, spec, &end, err) < 0)
        return err_wrap(err, "turn %" PRIu32, number);
    if (end.end == TURN_STARVED)
        return err_set(err, ERR_BUSY,
                       "turn %" PRIu32 ": the machine is too "
                       "busy: try again",
                       number);
    if (end.end == TURN_KILLED)
        return err_set(err, ERR_SYSTEM, "turn %" PRIu32 ": killed from outside",
                       number);
    alone->turn = mem_realloc(alone->turn, (number + 1) * sizeof *alone->turn);
    alone->turn[alone->turn_count++] = (struct match_turn){
        .turn = number,
        .status = end.end == TURN_ASKED ? TURN_STATUS_OK : TURN_STATUS_STOPPED,
        .counted = end.counted,
        .instructions = end.counted ? end.instructions : 0,
        .wall_ns = end.wall_ns,
        .cpu_ns = end.cpu_ns,
        .cpu_known = end.cpu_known,
        .memory_bytes = end.memory_bytes,
        .reply = mem_dup(end.reply, end.reply_size),
        .reply_size = end.reply_size,
        .log = mem_dup(end.log, end.log_size),
        .log_size = end.log_size,
        .counters = profile ? match_counters(box) : NULL,
    };
    if (profile)
        blocks_take(&alone->blocks, box, &end, &alone->turn[number].blocks);
    buf_add(&alone->out, end.reply, end.reply_size);
    buf_add(&alone->log, end.log, end.log_size);
    if (end.log_lost)
        buf_add_format(&alone->log, "\n[bout: %" PRIu64 " bytes cut here]\n",
                       end.log_lost);
    if (end.counted &&
        __builtin_add_overflow(alone->instructions, end.instructions,
                               &alone->instructions))
        alone->instructions = UINT64_MAX;
    if (end.end == TURN_EXITED)
        alone->exit_code = end.code;
    else if (end.end != TURN_ASKED)
        alone->verdict =
            player_verdict(&end, alone->detail, sizeof alone->detail);
    alone->stop_address = player_stop_address(&end);
    return end.end == TURN_ASKED;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Which of the limits it was. Memory, stack and output have a name already, or
 * need none: there is one limit of the kind. */
static void alone_name_limit(struct alone *alone, const struct limits *limits,
                             uint64_t budget)
{
    bool start = alone->turn_count == 1;
    const char *name = "turn_hard";
    uint64_t value = limits->turn_hard;

    if (alone->verdict == VERDICT_MEMORY) {
        name = "memory_bytes";
        value = limits->memory_bytes;
    } else if (alone->verdict == VERDICT_STACK) {
        name = "stack_bytes";
        value = limits->stack_bytes;
    } else if (alone->verdict == VERDICT_OUTPUT) {
        name = "reply_bytes";
        value = limits->reply_bytes;
    } else if (alone->verdict != VERDICT_BUDGET) {
        return;
    } else if (budget == (start ? limits->startup : limits->match_total)) {
        name = start ? "startup" : "match_total";
        value = budget;
    }
    snprintf(alone->detail, sizeof alone->detail, "over %s of %" PRIu64, name,
             value);
}

static int alone_all(struct zygote *zygote, const struct alone_spec *spec,
                     struct alone *alone, struct err *err)
{
    struct limits limits = spec->limits;
    struct box box;
    const struct seat seat = {
        .build = spec->build,
        .limits = &limits,
        .seed = spec->seed,
        .slot = spec->slot,
        .profile_bytes = spec->profile ? BLOCKS_ALONE_BYTES : 0,
    };

    if (spec->input_size > limits.view_bytes)
        return err_set(err, ERR_TOO_BIG,
                       "the input has %zu bytes, more than view_bytes (%" PRIu64
                       ")",
                       spec->input_size, limits.view_bytes);
    /* No larger a mapping than this input needs. */
    limits.view_bytes = spec->input_size ? spec->input_size : 1;
    if (seat_spawn(zygote, &seat, &box, err) < 0)
        return -1;

    struct turn_spec turn = {
        .budget = least(limits.turn_hard, limits.startup),
        .cpu_ns = limits_cpu_ns(limits.turn_hard),
    };
    int asks = alone_turn(alone, &box, &turn, spec->profile, err);
    if (asks > 0) {
        turn.view = spec->input;
        turn.view_size = spec->input_size;
        turn.last = true;
        turn.budget =
            least(limits.turn_hard - alone->instructions, limits.match_total);
        asks = alone_turn(alone, &box, &turn, spec->profile, err);
    }
    box_end(&box);
    alone_name_limit(alone, &spec->limits, turn.budget);
    build_place(spec->build, alone->stop_address, alone->private_detail,
                sizeof alone->private_detail);
    if (asks > 0)
        return err_set(err, ERR_SYSTEM,
                       "the program asks for more input after "
                       "its end");
    return asks;
}

int alone_run(struct zygote *zygote, const struct alone_spec *spec,
              struct alone *alone, struct err *err)
{
    *alone = (struct alone){.verdict = VERDICT_OK, .exit_code = -1};
    if (alone_all(zygote, spec, alone, err) < 0) {
        alone_release(alone);
        return -1;
    }
    return 0;
}

/* ---- turns of an old match --------------------------------------------------
 */

/* The count must be the stored one. */
static int check_count(const struct match_turn *row, const json_t *entry,
                       struct err *err)
{
    const json_t *stored = json_object_get(entry, "instructions");
    uint64_t count = row->instructions < LIMITS_MAX_NUMBER ? row->instructions
                                                           : LIMITS_MAX_NUMBER;

    if (row->counted ? (uint64_t)json_integer_value(stored) == count &&
                           json_is_integer(stored)
                     : json_is_null(stored))
        return 0;
    return err_set(err, ERR_SYSTEM,
                   "turn %" PRIu32 ", slot %" PRIu32 ": %" PRIu64
                   " instructions now, %" PRIu64 " in the log",
                   row->turn, row->slot, row->instructions,
                   (uint64_t)json_integer_value(stored));
}

/* One slot of an old match on its way through its own turns. */
struct again {
    const struct replay *replay;
    struct box *box;
    struct player player;
    struct alone *alone;
};

/* 1: it asks for the next turn; 0: its part in the match has ended. */
static int again_turn(struct again *again, uint32_t number, const json_t *entry,
                      struct err *err)
{
    struct player *player = &again->player;
    struct alone *alone = again->alone;
    auto_buf struct buf view = {0};

    if (!replay_text(entry, "view", &view))
        return err_set(err, ERR_MISSING,
                       "the log keeps only a hash of what slot %u read in turn "
                       "%" PRIu32,
                       player->slot, number);
    uint64_t budget = player_budget(player, number);
    const struct turn_spec spec = {
        .view = view.data,
        .view_size = view.size,
        .budget = budget,
        .cpu_ns = limits_cpu_ns(budget),
    };
    int asks = alone_turn(alone, again->box, &spec, true, err);
    if (asks < 0)
        return -1;
    struct match_turn *row = &alone->turn[alone->turn_count - 1];
    row->turn = number;
    row->slot = player->slot;
    if (number > 0)
        player_spend(player, row->instructions);
    if (check_count(row, entry, err) < 0)
        return -1;
    return asks;
}

static int again_turns(struct again *again, uint32_t last_turn, struct err *err)
{
    const struct replay *replay = again->replay;
    int asks = 1;

    for (uint32_t turn = 0;
         asks > 0 && turn <= last_turn && turn < replay->step_count; turn++) {
        const json_t *entry = replay_entry(replay, turn, again->player.slot);
        if (entry)
            asks = again_turn(again, turn, entry, err);
    }
    return asks;
}

static int again_all(struct zygote *zygote, const struct alone_again *spec,
                     const struct replay *replay, struct alone *alone,
                     struct err *err)
{
    struct box box;
    const struct seat seat = {
        .build = spec->build,
        .limits = &replay->limits,
        .seed = replay->seed,
        .slot = spec->slot,
        .profile_bytes = BLOCKS_TURN_BYTES,
    };

    if (spec->slot >= replay->slots ||
        !replay_is_build(replay, spec->slot, spec->build))
        return err_set(err, ERR_INPUT,
                       "this build did not play slot %u of that match",
                       spec->slot);
    if (seat_spawn(zygote, &seat, &box, err) < 0)
        return -1;
    struct again again = {
        .replay = replay,
        .box = &box,
        .player = {.slot = spec->slot, .limits = &replay->limits},
        .alone = alone,
    };
    int asks = again_turns(&again, spec->last_turn, err);
    box_end(&box);
    return asks < 0 ? -1 : 0;
}

int alone_replay(struct zygote *zygote, const struct alone_again *spec,
                 struct alone *alone, struct err *err)
{
    struct replay replay;

    *alone = (struct alone){.verdict = VERDICT_OK, .exit_code = -1};
    if (replay_parse(&replay, spec->log, spec->log_size, err) < 0)
        return -1;
    int status = again_all(zygote, spec, &replay, alone, err);
    replay_release(&replay);
    if (status < 0)
        alone_release(alone);
    return status;
}
