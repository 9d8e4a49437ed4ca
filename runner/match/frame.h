/* frame: what worker and referee say to each other, as bytes.
 *
 * runner/games/referee.c's head is the manual of the format. This is the
 * worker's side: frame_start and frame_step write what the referee is told,
 * frame_parse_hello and frame_parse_report read what it answers. A referee is
 * a stranger's program like any bot: the parsers are functions over bytes that
 * believe nothing, allocate nothing and accept only a frame that is whole and
 * has nothing after it. What they return points into the bytes.
 */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_MAX_SLOTS 8

/* First number of a frame after its size. */
enum frame_kind {
    FRAME_START = 1,
    FRAME_STEP = 2,
    FRAME_HELLO = 3,
    FRAME_REPORT = 4,
};

/* What became of a slot that was asked. */
enum frame_act {
    FRAME_REPLY = 0,      /* here is its reply */
    FRAME_PASS = 1,       /* no reply that counts: the pass move */
    FRAME_OUT = 2,        /* no reply, and the bot is gone from here on */
    FRAME_LAST_REPLY = 3, /* here is its reply; the bot is gone after it */
};

/* Why the game is over. */
enum frame_over {
    FRAME_GOES_ON = 0,
    FRAME_ENDED = 1, /* by the moves of the step (or the turn limit) */
    FRAME_LEFT = 2,  /* by bots that left after the step's moves */
};

/* Bytes that belong to the frame they came in. */
struct frame_text {
    const char *bytes;
    size_t size;
};

struct frame_move {
    unsigned slot;
    enum frame_act act;
    struct frame_text reply; /* FRAME_REPLY and FRAME_LAST_REPLY */
};

struct frame_hello {
    unsigned min_slots;
    unsigned max_slots;
    uint64_t turn_soft; /* 0: the service's default */
    uint32_t turns;
    uint64_t view_bytes; /* of its largest view */
    uint64_t turn_bank;  /* most instructions that are saved; 0: none */
    struct frame_text name;
    struct frame_text label;
};

struct frame_report {
    /* In the order of the step's moves; none after a start. */
    unsigned judged;
    struct {
        bool legal;
        struct frame_text reason; /* of a refusal */
    } judge[FRAME_MAX_SLOTS];
    enum frame_over over;
    unsigned slots;
    int64_t score[FRAME_MAX_SLOTS];
    struct frame_text state; /* describe: one JSON object */
    /* Who is asked in the next step, by rising slot; none when over. */
    unsigned asked;
    struct {
        unsigned slot;
        struct frame_text view;
    } ask[FRAME_MAX_SLOTS];
};

/* What a report has to fit: the match that it is about. */
struct frame_context {
    unsigned slots;
    unsigned out;      /* bit mask of slots that were gone before the step */
    size_t view_bytes; /* the most that a view may hold */
    /* The step that it answers; none after a start. Borrowed. */
    const struct frame_move *move;
    unsigned moves;
};

/* Append one frame. `out` is a bit mask of slots that are gone already. */
void frame_start(struct buf *to, uint64_t seed, unsigned slots, unsigned out,
                 uint32_t turns);
void frame_step(struct buf *to, const struct frame_move *move, size_t count);

/* The parts of a frame: frame_open, what is in it, frame_close with what
 * frame_open gave. */
size_t frame_open(struct buf *to, enum frame_kind kind);
void frame_put_u32(struct buf *to, uint32_t number);
void frame_put_u64(struct buf *to, uint64_t number);
void frame_put_text(struct buf *to, const char *bytes, size_t size);
void frame_close(struct buf *to, size_t start);

/* ERR_SYSTEM says what is wrong with the frame. */
int frame_parse_hello(const void *bytes, size_t size, struct frame_hello *hello,
                      struct err *err);
int frame_parse_report(const void *bytes, size_t size,
                       const struct frame_context *context,
                       struct frame_report *report, struct err *err);
