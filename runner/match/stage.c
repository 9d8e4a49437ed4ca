#include "runner/match/stage.h"

#include "runner/base/cleanup.h"

#include <inttypes.h>
#include <string.h>

int stage_open(struct stage *stage, struct zygote *zygote, struct build *game,
               const struct replay *replay, struct err *err)
{
    struct frame_hello hello;
    struct referee_spec spec = {
        .game = game,
        .limits = &replay->limits,
        .slots = replay->slots,
    };

    *stage = (struct stage){.replay = replay};
    match_stream_key(replay->seed, "game", 0, spec.key);
    if (referee_open(&stage->referee, zygote, &spec, &hello, err) < 0)
        return -1;
    if (replay->slots >= hello.min_slots && replay->slots <= hello.max_slots)
        return 0;
    return err_set(err, ERR_INPUT, "the log is not of this game: %u slots",
                   replay->slots);
}

void stage_close(struct stage *stage)
{
    referee_close(&stage->referee);
}

/* ---- what the referee was told ----------------------------------------------
 */

/* The slot has no entry after this turn, and its result is not `ok`: it went
 * out in it. */
static bool went_out(const struct replay *replay, uint32_t turn, unsigned slot)
{
    const json_t *result =
        json_array_get(json_object_get(replay->end, "results"), slot);
    const char *verdict = json_string_value(json_object_get(result, "verdict"));

    for (size_t later = turn + 1; later < replay->step_count; later++)
        if (replay_entry(replay, (uint32_t)later, slot))
            return false;
    return verdict && strcmp(verdict, "ok") != 0;
}

static enum frame_act act_of(const struct replay *replay, uint32_t turn,
                             unsigned slot, const json_t *entry)
{
    const char *status = json_string_value(json_object_get(entry, "status"));
    bool replied = !strcmp(status, "ok") || !strcmp(status, "illegal");
    bool gone = went_out(replay, turn, slot) && strcmp(status, "illegal") != 0;

    if (replied)
        return gone ? FRAME_LAST_REPLY : FRAME_REPLY;
    return gone ? FRAME_OUT : FRAME_PASS;
}

static unsigned out_at_startup(const struct replay *replay)
{
    unsigned out = 0;

    for (unsigned slot = 0; slot < replay->slots; slot++) {
        const json_t *entry = replay_entry(replay, 0, slot);
        const char *status =
            json_string_value(json_object_get(entry, "status"));
        if (status && !strcmp(status, "stopped"))
            out |= 1u << slot;
    }
    return out;
}

/* ---- one step ---------------------------------------------------------------
 */

static int check_view(const struct stage *stage, uint32_t turn, unsigned at,
                      const json_t *entry, struct err *err)
{
    const struct frame_text view = stage->report.ask[at].view;
    auto_buf struct buf logged = {0};

    if (!entry || !replay_text(entry, "view", &logged))
        return err_set(err, entry ? ERR_MISSING : ERR_INPUT,
                       entry ? "turn %" PRIu32 ": the log was cut: it keeps "
                               "hashes only from here on"
                             : "turn %" PRIu32 ": the log lacks a slot that "
                               "the game asks",
                       turn);
    if (logged.size == view.size &&
        !memcmp(logged.data ? logged.data : "", view.bytes, view.size))
        return 0;
    return err_set(err, ERR_INPUT,
                   "turn %" PRIu32 ": the view in the log is not what this "
                   "game shows",
                   turn);
}

/* The moves of the turn, from the log; replies are put one after the other
 * into `text`. */
static int read_moves(struct stage *stage, uint32_t turn,
                      struct frame_move *move, struct buf *text,
                      struct err *err)
{
    size_t start[MATCH_MAX_SLOTS + 1] = {0};

    for (unsigned i = 0; i < stage->report.asked; i++) {
        unsigned slot = stage->report.ask[i].slot;
        const json_t *entry = replay_entry(stage->replay, turn, slot);

        if (check_view(stage, turn, i, entry, err) < 0)
            return -1;
        start[i] = text->size;
        move[i] = (struct frame_move){
            .slot = slot, .act = act_of(stage->replay, turn, slot, entry)};
        if (!replay_text(entry, "reply", text))
            return err_set(err, ERR_MISSING,
                           "turn %" PRIu32 ": the log was cut", turn);
        start[i + 1] = text->size;
    }
    for (unsigned i = 0; i < stage->report.asked; i++)
        move[i].reply = (struct frame_text){
            text->data ? text->data + start[i] : "", start[i + 1] - start[i]};
    return 0;
}

static int play_step(struct stage *stage, struct err *err)
{
    struct frame_move move[MATCH_MAX_SLOTS];
    auto_buf struct buf text = {0};
    uint32_t turn = stage->turn + 1;
    const struct frame_context context = {
        .slots = stage->replay->slots,
        .out = stage->out,
        .view_bytes = stage->replay->limits.view_bytes,
        .move = move,
        .moves = stage->report.asked,
    };

    if (turn >= stage->replay->step_count)
        return err_set(err, ERR_INPUT,
                       "the log ends before the game does: it is not of this "
                       "game");
    if (read_moves(stage, turn, move, &text, err) < 0 ||
        referee_step(&stage->referee, &context, &stage->report, err) < 0)
        return -1;
    for (unsigned i = 0; i < context.moves; i++)
        if (move[i].act == FRAME_OUT || move[i].act == FRAME_LAST_REPLY ||
            !stage->report.judge[i].legal)
            stage->out |= 1u << move[i].slot;
    stage->turn = turn;
    return 1;
}

static int play_start(struct stage *stage, struct err *err)
{
    const struct replay *replay = stage->replay;

    stage->begun = true;
    stage->out = out_at_startup(replay);
    const struct referee_begin begin = {
        .seed = match_game_seed(replay->seed),
        .out = stage->out,
        .turns = (uint32_t)replay->limits.turns,
    };
    const struct frame_context context = {
        .slots = replay->slots,
        .out = stage->out,
        .view_bytes = replay->limits.view_bytes,
    };
    if (referee_start(&stage->referee, &begin, &context, &stage->report, err) <
        0)
        return -1;
    return 1;
}

int stage_next(struct stage *stage, struct frame_text *state, struct err *err)
{
    int more = 0;

    if (!stage->begun)
        more = play_start(stage, err);
    else if (stage->report.over == FRAME_GOES_ON)
        more = play_step(stage, err);
    if (more > 0)
        *state = stage->report.state;
    return more;
}
