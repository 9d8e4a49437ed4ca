/* match: one match from start-up to its results.
 *
 *   referee_open          the game says what it is
 *   turn 0 of each bot    start-up; its output is ignored
 *   referee_start         the game is told the seed and who failed already;
 *                         it answers whom it asks, with their views
 *   step 1, 2, ...        each asked bot gets its view and plays one turn,
 *                         one after the other in slot order, on one core;
 *                         referee_step tells what became of each; the answer
 *                         judges the replies and holds the next views
 *   results               when the game is over, bots are ended where they wait
 *
 * What a turn's end means is player.c's; what is said to the referee frame.c's;
 * the bytes of the log are match_log.c's. Everything here that fails is a
 * failure of ours, and the match is queued again.
 */
#include "runner/match/match.h"

#include "instrument/bot/page.h"
#include "profiler/profile.h"
#include "runner/base/cleanup.h"
#include "runner/base/log.h"
#include "runner/build/place.h"
#include "runner/match/blocks.h"
#include "runner/match/ending.h"
#include "runner/match/match_log.h"
#include "runner/match/player.h"
#include "runner/match/referee.h"
#include "runner/match/seat.h"

#include <stdio.h>
#include <string.h>

/* A match on its way. */
struct play {
    struct zygote *zygote;
    const struct match_spec *spec;
    struct limits limits; /* spec's, with the game's turns */
    struct referee referee;
    struct frame_report report; /* points into the referee's last answer */
    struct player player[MATCH_MAX_SLOTS];
    struct box box[MATCH_MAX_SLOTS];
    bool boxed[MATCH_MAX_SLOTS];
    struct blocks blocks[MATCH_MAX_SLOTS];
    struct buf view[MATCH_MAX_SLOTS]; /* of the step, by slot */
    struct match_log log;
    struct match match;
};

static void play_release(struct play *play)
{
    for (unsigned slot = 0; slot < MATCH_MAX_SLOTS; slot++) {
        if (play->boxed[slot])
            box_end(&play->box[slot]);
        blocks_release(&play->blocks[slot]);
        buf_release(&play->view[slot]);
    }
    referee_close(&play->referee);
    match_release(&play->match);
}

void match_release(struct match *match)
{
    for (size_t i = 0; i < match->turn_count; i++) {
        free(match->turn[i].reply);
        free(match->turn[i].log);
        free(match->turn[i].counters);
        buf_release(&match->turn[i].blocks);
    }
    free(match->turn);
    buf_release(&match->log);
    *match = (struct match){0};
}

/* A copy of a frame's text as a string of at most size - 1 bytes. */
static void text_copy(char *to, size_t size, struct frame_text text)
{
    size_t kept = text.size < size ? text.size : size - 1;

    memcpy(to, text.bytes, kept);
    to[kept] = '\0';
}

int match_game_read(struct zygote *zygote, struct build *game,
                    struct match_game *out, struct err *err)
{
    struct limits limits;
    struct referee referee;
    struct frame_hello hello;

    limits_init(&limits, 0, 0, 0);
    const struct referee_spec spec = {
        .game = game,
        .limits = &limits,
        .slots = 1,
    };
    int status = referee_open(&referee, zygote, &spec, &hello, err);
    if (status == 0) {
        *out = (struct match_game){
            .min_slots = hello.min_slots,
            .max_slots = hello.max_slots,
            .turn_soft = hello.turn_soft,
            .turns = hello.turns,
            .view_bytes = hello.view_bytes,
            .turn_bank = hello.turn_bank,
        };
        text_copy(out->name, sizeof out->name, hello.name);
        text_copy(out->label, sizeof out->label, hello.label);
    }
    referee_close(&referee);
    return status;
}

/* Whose fault it is, wherever it is met. */
static int start_failed(struct err *err)
{
    return err_wrap(err, "no match of this game starts: it or one of its maps "
                         "is wrong, which is its organiser's to mend");
}

int match_game_try(struct zygote *zygote, struct build *game,
                   const struct match_game *about, struct err *err)
{
    struct limits limits;
    struct referee referee;
    struct frame_hello hello;
    struct frame_report report;

    limits_init(&limits, about->turn_soft, about->turn_bank, about->turns);
    if (limits.view_bytes < about->view_bytes)
        limits.view_bytes = about->view_bytes;
    const struct referee_spec spec = {
        .game = game,
        .limits = &limits,
        .slots = about->min_slots,
    };
    const struct referee_begin begin = {
        .seed = 1,
        .turns = (uint32_t)limits.turns,
    };
    const struct frame_context context = {
        .slots = about->min_slots,
        .view_bytes = limits.view_bytes,
    };
    int status = referee_open(&referee, zygote, &spec, &hello, err);
    if (status == 0 &&
        referee_start(&referee, &begin, &context, &report, err) < 0)
        status = start_failed(err);
    referee_close(&referee);
    return status;
}

/* ---- one turn of one bot ----------------------------------------------------
 */

static int bot_spawn(struct play *play, unsigned slot, struct err *err)
{
    const struct seat seat = {
        .build = play->spec->bot[slot],
        .limits = &play->limits,
        .seed = play->spec->seed,
        .slot = slot,
        .profile_bytes = play->spec->profile ? BLOCKS_TURN_BYTES : 0,
    };

    profile_begin_block("spawn");
    int spawned = seat_spawn(play->zygote, &seat, &play->box[slot], err);
    profile_end_block();
    if (spawned < 0)
        return -1;
    play->boxed[slot] = true;
    return 0;
}

static struct match_turn *row_add(struct match *match)
{
    /* Doubles at each power of two. */
    if ((match->turn_count & (match->turn_count - 1)) == 0)
        match->turn = mem_realloc(
            match->turn, (match->turn_count ? match->turn_count * 2 : 1) *
                             sizeof *match->turn);
    return &match->turn[match->turn_count++];
}

uint64_t *match_counters(const struct box *box)
{
    size_t count = box->counters_count;
    uint64_t *copy = mem_alloc((count + MATCH_SYSTEM_COUNTERS) * sizeof *copy);

    if (count)
        memcpy(copy, box_counters(box), count * sizeof *copy);
    copy[count] = box->hidden->read_charge;
    copy[count + 1] = box->hidden->write_charge;
    copy[count + 2] = box->hidden->page_charge;
    return copy;
}

static bool is_twice(const struct match_spec *spec, uint32_t turn,
                     unsigned slot)
{
    const struct match_place *before = spec->starved_before;

    return before && before->turn == turn && before->slot == slot;
}

static bool is_no_end(const struct turn *end)
{
    return end->end == TURN_STARVED || end->end == TURN_KILLED;
}

/* A turn without an end of the bot's doing: our failure, but the second time at
 * the same place its loss, so that no bot can turn a loss into our failure. */
static int judge_no_end(const struct match_spec *spec, uint32_t turn,
                        unsigned slot, struct turn *end, struct err *err)
{
    bool was_killed = end->end == TURN_KILLED;
    const char *what =
        was_killed ? "it was killed from outside" : "the host was starved";
    const char *comma = *end->detail ? ", " : "";

    if (!is_twice(spec, turn, slot)) {
        if (spec->starved)
            *spec->starved = (struct match_place){turn, slot};
        return err_set(err, was_killed ? ERR_SYSTEM : ERR_BUSY,
                       "turn %u, slot %u: %s%s%s", turn, slot, what, comma,
                       end->detail);
    }
    log_line(LOG_ALARM, "match",
             "turn %u, slot %u: no end on two workers (%s%s%s): verdict net",
             turn, slot, what, comma, end->detail);
    end->detail[0] = '\0';
    end->end = TURN_NET;
    end->counted = false;
    return 0;
}

/* The bot's turn `turn` with what is in its view buffer. */
static int bot_turn(struct play *play, unsigned slot, uint32_t turn,
                    struct frame_move *move, struct err *err)
{
    struct player *player = &play->player[slot];
    uint64_t budget = player_budget(player, turn);
    const struct turn_spec spec = {
        .view = play->view[slot].data,
        .view_size = play->view[slot].size,
        .budget = budget,
        .cpu_ns = limits_cpu_ns(budget),
    };
    struct turn end;

    profile_begin_block("turn");
    int ended = box_turn(&play->box[slot], &spec, &end, err);
    profile_end_block();
    if (ended < 0)
        return err_wrap(err, "turn %u, slot %u", turn, slot);
    if (is_no_end(&end) && judge_no_end(play->spec, turn, slot, &end, err) < 0)
        return -1;
    struct match_turn *row = row_add(&play->match);
    enum frame_act act = player_take(player, turn, budget, &end, row);
    if (player->out)
        build_place(play->spec->bot[slot], player_stop_address(&end),
                    player->place, sizeof player->place);
    if (play->spec->profile) {
        row->counters = match_counters(&play->box[slot]);
        blocks_take(&play->blocks[slot], &play->box[slot], &end, &row->blocks);
    }
    *move = (struct frame_move){
        .slot = slot,
        .act = act,
        .reply = {row->reply, row->reply_size},
    };
    return 0;
}

/* ---- the steps --------------------------------------------------------------
 */

/* Writes the rows from `first` on as one line. */
static void log_rows(struct play *play, uint32_t turn, size_t first)
{
    struct match_log_entry entry[MATCH_MAX_SLOTS];
    size_t count = play->match.turn_count - first;

    for (size_t i = 0; i < count; i++) {
        const struct match_turn *row = &play->match.turn[first + i];
        const struct buf *view = &play->view[row->slot];
        entry[i] = (struct match_log_entry){view->data, view->size, row};
    }
    match_log_step(&play->log, turn, entry, count);
}

/* Ends the processes of bots that are out. */
static void end_the_gone(struct play *play)
{
    for (unsigned slot = 0; slot < play->spec->slots; slot++) {
        if (!play->boxed[slot] || !play->player[slot].out)
            continue;
        box_end(&play->box[slot]);
        play->boxed[slot] = false;
    }
}

static unsigned out_mask(const struct play *play)
{
    unsigned mask = 0;

    for (unsigned slot = 0; slot < play->spec->slots; slot++)
        if (play->player[slot].out)
            mask |= 1u << slot;
    return mask;
}

static int play_startup(struct play *play, struct err *err)
{
    struct frame_move ignored;

    for (unsigned slot = 0; slot < play->spec->slots; slot++) {
        play->player[slot] = (struct player){
            .slot = slot,
            .limits = &play->limits,
        };
        if (bot_spawn(play, slot, err) < 0 ||
            bot_turn(play, slot, 0, &ignored, err) < 0)
            return -1;
    }
    log_rows(play, 0, 0);
    end_the_gone(play);

    const struct referee_begin begin = {
        .seed = match_game_seed(play->spec->seed),
        .out = out_mask(play),
        .turns = (uint32_t)play->limits.turns,
    };
    const struct frame_context context = {
        .slots = play->spec->slots,
        .out = begin.out,
        .view_bytes = play->limits.view_bytes,
    };
    int status =
        referee_start(&play->referee, &begin, &context, &play->report, err);
    return status < 0 && err->kind != ERR_BUSY ? start_failed(err) : status;
}

static int play_step(struct play *play, struct err *err)
{
    struct frame_move move[MATCH_MAX_SLOTS];
    uint32_t turn = ++play->match.turns;
    size_t first = play->match.turn_count;
    unsigned asked = play->report.asked;
    const struct frame_context context = {
        .slots = play->spec->slots,
        .out = out_mask(play),
        .view_bytes = play->limits.view_bytes,
        .move = move,
        .moves = asked,
    };

    for (unsigned i = 0; i < asked; i++) {
        unsigned slot = play->report.ask[i].slot;
        struct frame_text view = play->report.ask[i].view;

        buf_clear(&play->view[slot]);
        buf_add(&play->view[slot], view.bytes, view.size);
        if (bot_turn(play, slot, turn, &move[i], err) < 0)
            return -1;
    }
    if (referee_step(&play->referee, &context, &play->report, err) < 0)
        return err_wrap(err, "turn %u", turn);
    for (unsigned i = 0; i < asked; i++)
        player_judge(&play->player[move[i].slot], play->report.judge[i].legal,
                     play->report.judge[i].reason, play->report.over,
                     &play->match.turn[first + i]);
    log_rows(play, turn, first);
    end_the_gone(play);
    if (play->spec->progress)
        play->spec->progress(play->spec->user, turn);
    return 0;
}

/* What a bot that is out read and wrote last. */
static void end_told(struct play *play, unsigned slot)
{
    struct match *match = &play->match;

    for (size_t i = match->turn_count; i-- > 0;) {
        if (match->turn[i].slot != slot)
            continue;
        ending_set(&match->result[slot], &match->turn[i], play->view[slot].data,
                   play->view[slot].size);
        return;
    }
}

static void play_finish(struct play *play)
{
    struct match *match = &play->match;

    match->slots = play->spec->slots;
    match->level = zygote_level(play->zygote);
    for (unsigned slot = 0; slot < match->slots; slot++) {
        player_result(&play->player[slot], &match->result[slot]);
        match->result[slot].score = play->report.score[slot];
        if (match->result[slot].verdict != VERDICT_OK)
            end_told(play, slot);
    }
    player_rank(match->result, match->slots);
    match_log_end(&play->log, match->result, match->slots);
    hash_bytes_hex(match->log.data, match->log.size, match->replay_sha256);
}

/* ---- the whole --------------------------------------------------------------
 */

static int check_fingerprints(const struct match_spec *spec, struct err *err)
{
    for (unsigned slot = 0; slot < spec->slots; slot++)
        if (strcmp(spec->bot[slot]->fingerprint, spec->game->fingerprint) != 0)
            return err_set(err, ERR_CONFLICT,
                           "slot %u: built by another version of the "
                           "toolchain than the game; build it again",
                           slot);
    return 0;
}

static int play_open(struct play *play, struct err *err)
{
    const struct match_spec *spec = play->spec;
    struct frame_hello hello;
    struct referee_spec referee = {
        .game = spec->game,
        .limits = &play->limits,
        .slots = spec->slots,
    };
    char name[64];

    match_stream_key(spec->seed, "game", 0, referee.key);
    if (referee_open(&play->referee, play->zygote, &referee, &hello, err) < 0)
        return -1;
    text_copy(name, sizeof name, hello.name);
    if (strcmp(name, spec->game_name) != 0)
        return err_set(err, ERR_CONFLICT,
                       "the game of this match is '%s', its referee says that "
                       "it is '%s'",
                       spec->game_name, name);
    if (spec->slots < hello.min_slots || spec->slots > hello.max_slots)
        return err_set(err, ERR_INPUT, "%s is for %u to %u bots, not %u", name,
                       hello.min_slots, hello.max_slots, spec->slots);
    if (limits_check_views(&play->limits, name, hello.view_bytes, err) < 0)
        return -1;
    if (!play->limits.turns || play->limits.turns > hello.turns)
        play->limits.turns = hello.turns;

    struct match_log_head head = {
        .game = spec->game_name,
        .game_version = spec->game->hash,
        .fingerprint = spec->game->fingerprint,
        .seed = spec->seed,
        .limits = &play->limits,
        .slots = spec->slots,
    };
    for (unsigned slot = 0; slot < spec->slots; slot++)
        head.build[slot] = spec->bot[slot]->hash;
    match_log_begin(&play->log, &play->match.log, &head);
    return 0;
}

static int play_all(struct play *play, struct err *err)
{
    if (play_open(play, err) < 0 || play_startup(play, err) < 0)
        return -1;
    while (play->report.over == FRAME_GOES_ON) {
        if (play->match.turns >= play->limits.turns)
            return err_set(err, ERR_SYSTEM,
                           "the game failed: no end after %u "
                           "turns",
                           play->match.turns);
        if (play_step(play, err) < 0)
            return -1;
    }
    play_finish(play);
    return 0;
}

int match_play(struct zygote *zygote, const struct match_spec *spec,
               struct match *match, struct err *err)
{
    if (!spec->slots || spec->slots > MATCH_MAX_SLOTS)
        return err_set(err, ERR_INPUT, "a match is for 1 to %d bots",
                       MATCH_MAX_SLOTS);
    if (check_fingerprints(spec, err) < 0)
        return -1;

    auto_free struct play *play = mem_calloc(1, sizeof *play);
    play->zygote = zygote;
    play->spec = spec;
    play->limits = spec->limits;
    int status = play_all(play, err);
    if (status == 0) {
        *match = play->match;
        play->match = (struct match){0};
    }
    play_release(play);
    return status;
}
