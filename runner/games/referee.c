/* referee: the main program of every game; built together with the one file
 * that defines `game`, by the same toolchain as a bot, and jailed like one.
 *
 * Worker and referee talk in frames over standard input and output, one round
 * trip a step. Numbers are little-endian: u32 and u64 unsigned, i64 two's
 * complement. A text is u32 size and that many bytes. A frame is u32 size of
 * what follows it, then u32 kind, then:
 *
 *   referee, at start-up:
 *     3 HELLO   u32 min_slots, u32 max_slots, u64 turn_soft, u32 turns,
 *               u64 view_bytes, u64 turn_bank, text name, text label
 *   worker, once the bots have had their start-up:
 *     1 START   u64 seed, u32 slots, u32 out (bit mask: gone at start-up),
 *               u32 turns (the most steps of this match)
 *   worker, for each step:
 *     2 STEP    u32 moves, then for each slot that was asked, in that order:
 *               u32 slot, u32 act, text reply
 *               act: 0 its reply; 1 no reply that counts, so the pass move;
 *               2 no reply, the bot is gone; 3 its last reply, gone after it
 *   referee, after START and after each STEP:
 *     4 REPORT  u32 moves, then for each move of the step, in that order:
 *               u32 legal (1 where there was no reply), text reason;
 *               u32 over: 0 goes on, 1 ended by the step (or by turns),
 *               2 ended because bots left after it;
 *               u32 slots, i64 score a slot; text state (describe);
 *               u32 asked, then for each slot asked next, rising:
 *               u32 slot, text view
 *
 * A step: every reply is parsed; a slot without one, or with one that the game
 * refuses, gets the pass move. Slots that are gone without a legal reply are
 * taken out before the moves are applied, those that left a legal last reply
 * after it: that is why `over` tells 1 from 2. A slot whose reply is refused is
 * out (contract 4). Slots that are gone are never asked; where the game asks
 * them all the same they pass. The match is over when the game says so, when
 * `turns` steps are played, or when nobody is left.
 *
 * A broken promise (a frame that is not as above, no memory) ends the referee:
 * the worker then says that the game failed.
 */
#include "runner/game.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { START = 1, STEP = 2, HELLO = 3, REPORT = 4 };
enum { ACT_REPLY = 0, ACT_PASS = 1, ACT_OUT = 2, ACT_LAST_REPLY = 3 };
enum { OVER_NOT = 0, OVER_ENDED = 1, OVER_LEFT = 2 };
enum { MAX_SLOTS = 8 };

struct move {
    uint32_t slot;
    uint32_t act;
    const char *reply;
    uint32_t size;
    int legal;
    const char *reason;
};

struct referee {
    void *state;
    uint32_t slots;
    uint32_t turns; /* the most steps */
    uint32_t step;  /* played */
    uint32_t out;   /* bit mask */
    uint32_t over;
    uint32_t moves;
    struct move move[MAX_SLOTS];
    struct game_text in;   /* the frame from the worker, without its size */
    struct game_text text; /* a view or description on its way */
    struct game_text frame;
};

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "referee: %s\n", what);
    exit(1);
}

/* ---- texts ------------------------------------------------------------------
 */

static void text_reserve(struct game_text *text, size_t extra)
{
    size_t capacity = text->capacity ? text->capacity : 1024;

    while (capacity - text->size < extra)
        capacity *= 2;
    if (capacity == text->capacity)
        return;
    text->bytes = realloc(text->bytes, capacity);
    if (!text->bytes)
        fail("out of memory");
    text->capacity = capacity;
}

static void text_add(struct game_text *text, const void *bytes, size_t size)
{
    text_reserve(text, size);
    if (size)
        memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

void game_print(struct game_text *text, const char *format, ...)
{
    va_list args;
    va_list again;

    va_start(args, format);
    va_copy(again, args);
    text_reserve(text, 256);
    size_t room = text->capacity - text->size;
    int size = vsnprintf(text->bytes + text->size, room, format, args);
    if (size < 0)
        fail("a format that cannot be printed");
    if ((size_t)size >= room) {
        text_reserve(text, (size_t)size + 1);
        vsnprintf(text->bytes + text->size, (size_t)size + 1, format, again);
    }
    text->size += (size_t)size;
    va_end(again);
    va_end(args);
}

/* ---- frames out -------------------------------------------------------------
 */

static void add_u32(struct game_text *text, uint32_t number)
{
    unsigned char bytes[4];

    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    text_add(text, bytes, sizeof bytes);
}

static void add_u64(struct game_text *text, uint64_t number)
{
    add_u32(text, (uint32_t)number);
    add_u32(text, (uint32_t)(number >> 32));
}

static void add_text(struct game_text *text, const char *bytes, size_t size)
{
    add_u32(text, (uint32_t)size);
    text_add(text, bytes, size);
}

static void frame_send(const struct game_text *frame)
{
    struct game_text size = {0};

    add_u32(&size, (uint32_t)frame->size);
    fwrite(size.bytes, 1, size.size, stdout);
    fwrite(frame->bytes, 1, frame->size, stdout);
    fflush(stdout);
    free(size.bytes);
}

static void send_hello(struct referee *referee)
{
    struct game_text *frame = &referee->frame;

    frame->size = 0;
    add_u32(frame, HELLO);
    add_u32(frame, game.min_slots);
    add_u32(frame, game.max_slots);
    add_u64(frame, game.limits.turn_soft);
    add_u32(frame, game.limits.turns);
    add_u64(frame, game.limits.view_bytes);
    add_u64(frame, game.limits.turn_bank);
    add_text(frame, game.name, strlen(game.name));
    add_text(frame, game.label, strlen(game.label));
    frame_send(frame);
}

static int is_out(const struct referee *referee, uint32_t slot)
{
    return (int)(referee->out >> slot & 1);
}

static void add_asks(struct referee *referee)
{
    struct game_text *frame = &referee->frame;
    uint32_t asked = 0;
    size_t count_at = frame->size;

    add_u32(frame, 0);
    for (uint32_t slot = 0; slot < referee->slots && !referee->over; slot++) {
        if (is_out(referee, slot) || !game.asked(referee->state, slot))
            continue;
        referee->text.size = 0;
        game.view(referee->state, slot, &referee->text);
        add_u32(frame, slot);
        add_text(frame, referee->text.bytes, referee->text.size);
        asked++;
    }
    if (!referee->over && !asked)
        fail("the game goes on but asks nobody");
    frame->bytes[count_at] = (char)asked;
}

static void send_report(struct referee *referee)
{
    struct game_text *frame = &referee->frame;

    frame->size = 0;
    add_u32(frame, REPORT);
    add_u32(frame, referee->moves);
    for (uint32_t i = 0; i < referee->moves; i++) {
        add_u32(frame, referee->move[i].legal ? 1 : 0);
        add_text(frame, referee->move[i].reason,
                 strlen(referee->move[i].reason));
    }
    add_u32(frame, referee->over);
    add_u32(frame, referee->slots);
    for (uint32_t slot = 0; slot < referee->slots; slot++)
        add_u64(frame, (uint64_t)game.score(referee->state, slot));
    referee->text.size = 0;
    game.describe(referee->state, &referee->text);
    add_text(frame, referee->text.bytes, referee->text.size);
    add_asks(referee);
    frame_send(frame);
}

/* ---- frames in --------------------------------------------------------------
 */

static uint32_t u32_at(const char *bytes)
{
    uint32_t number = 0;

    for (int i = 0; i < 4; i++)
        number |= (uint32_t)(unsigned char)bytes[i] << (8 * i);
    return number;
}

/* Takes a u32 off the front of what is left of the frame. */
static uint32_t take_u32(const char **at, const char *end)
{
    if (end - *at < 4)
        fail("a frame ends too early");
    *at += 4;
    return u32_at(*at - 4);
}

/* 1: the next frame is in referee->in; 0: nothing follows. */
static int frame_receive(struct referee *referee)
{
    char head[4];
    size_t got = fread(head, 1, sizeof head, stdin);

    if (got == 0)
        return 0;
    if (got != sizeof head)
        fail("half a frame");
    size_t size = u32_at(head);
    referee->in.size = 0;
    text_reserve(&referee->in, size);
    if (fread(referee->in.bytes, 1, size, stdin) != size)
        fail("half a frame");
    referee->in.size = size;
    return 1;
}

static void go_out(struct referee *referee, uint32_t slot)
{
    if (is_out(referee, slot))
        return;
    referee->out |= 1u << slot;
    game.out(referee->state, slot);
}

/* Over by the game's word, by the number of steps, or for want of players. */
static int is_over(const struct referee *referee)
{
    return game.over(referee->state) || referee->step >= referee->turns ||
           referee->out == (1u << referee->slots) - 1;
}

static void receive_start(struct referee *referee)
{
    const char *at = referee->in.bytes;
    const char *end = at + referee->in.size;

    if (take_u32(&at, end) != START)
        fail("the first frame is not a start");
    uint64_t seed = take_u32(&at, end);
    seed |= (uint64_t)take_u32(&at, end) << 32;
    referee->slots = take_u32(&at, end);
    uint32_t out = take_u32(&at, end);
    referee->turns = take_u32(&at, end);
    if (referee->slots < game.min_slots || referee->slots > game.max_slots)
        fail("the game is not for so many slots");
    referee->state = game.create(seed, referee->slots);
    if (!referee->state)
        fail("the game could not be created");
    for (uint32_t slot = 0; slot < referee->slots; slot++)
        if (out >> slot & 1)
            go_out(referee, slot);
    referee->over = is_over(referee) ? OVER_ENDED : OVER_NOT;
}

static void receive_moves(struct referee *referee)
{
    const char *at = referee->in.bytes;
    const char *end = at + referee->in.size;

    if (take_u32(&at, end) != STEP)
        fail("a frame is not a step");
    referee->moves = take_u32(&at, end);
    if (referee->moves > referee->slots)
        fail("too many moves");
    for (uint32_t i = 0; i < referee->moves; i++) {
        struct move *move = &referee->move[i];

        *move =
            (struct move){.slot = take_u32(&at, end), .legal = 1, .reason = ""};
        move->act = take_u32(&at, end);
        move->size = take_u32(&at, end);
        if (move->slot >= referee->slots || move->act > ACT_LAST_REPLY ||
            (size_t)(end - at) < move->size)
            fail("a move makes no sense");
        move->reply = at;
        at += move->size;
    }
}

static int has_reply(const struct move *move)
{
    return move->act == ACT_REPLY || move->act == ACT_LAST_REPLY;
}

static void take_move(struct referee *referee, struct move *move)
{
    const char *reason = "";

    if (has_reply(move))
        move->legal = game.parse(referee->state, move->slot, move->reply,
                                 move->size, &reason);
    if (!move->legal)
        move->reason = reason ? reason : "";
    if (!has_reply(move) || !move->legal)
        game.pass(referee->state, move->slot);
}

static void play_step(struct referee *referee)
{
    for (uint32_t slot = 0; slot < referee->slots; slot++)
        if (is_out(referee, slot) && game.asked(referee->state, slot))
            game.pass(referee->state, slot);
    for (uint32_t i = 0; i < referee->moves; i++)
        take_move(referee, &referee->move[i]);
    for (uint32_t i = 0; i < referee->moves; i++)
        if (referee->move[i].act == ACT_OUT || !referee->move[i].legal)
            go_out(referee, referee->move[i].slot);
    game.apply(referee->state);
    referee->step++;
    referee->over = is_over(referee) ? OVER_ENDED : OVER_NOT;
    if (referee->over)
        return;
    for (uint32_t i = 0; i < referee->moves; i++)
        if (referee->move[i].act == ACT_LAST_REPLY)
            go_out(referee, referee->move[i].slot);
    referee->over = is_over(referee) ? OVER_LEFT : OVER_NOT;
}

int main(void)
{
    static struct referee referee;

    send_hello(&referee);
    if (!frame_receive(&referee))
        return 0;
    receive_start(&referee);
    send_report(&referee);
    /* After the last report the worker ends the process where it waits. */
    while (frame_receive(&referee)) {
        if (referee.over)
            fail("a step after the end");
        receive_moves(&referee);
        play_step(&referee);
        send_report(&referee);
    }
    game.free(referee.state);
    return 0;
}
