/* referee: a game's program while it runs one match; the worker's side.
 *
 * Calling order: referee_open (start-up; what the game says about itself),
 * referee_start once, referee_step for each step, referee_close at any time.
 * What comes back points into the referee's last answer and is valid until the
 * next call. Whatever goes wrong in here (a crash, an overrun, a frame that
 * makes no sense) is the game's fault and so a failure of ours: ERR_SYSTEM
 * "the game failed: ...", or ERR_BUSY where the host was starved.
 */
#pragma once

#include "runner/jail/box.h"
#include "runner/match/exec.h"
#include "runner/match/frame.h"
#include "runner/match/match.h"

struct referee {
    struct exec exec; /* of a game in any language; else a box */
    bool is_exec;
    struct box box;
    bool open;
    uint32_t turn; /* of its own: the frames it has answered */
    struct buf frame;
    struct turn answer;
};

struct referee_spec {
    struct build *game;          /* borrowed */
    const struct limits *limits; /* of the match: they bound its frames */
    unsigned slots;
    uint8_t key[32]; /* of its random stream */
};

int referee_open(struct referee *referee, struct zygote *zygote,
                 const struct referee_spec *spec, struct frame_hello *hello,
                 struct err *err);

struct referee_begin {
    uint64_t seed;
    unsigned out;   /* bit mask of slots that failed at start-up */
    uint32_t turns; /* most steps */
};
int referee_start(struct referee *referee, const struct referee_begin *begin,
                  const struct frame_context *context,
                  struct frame_report *report, struct err *err);

/* Sends context->move, one for each slot that was asked. */
int referee_step(struct referee *referee, const struct frame_context *context,
                 struct frame_report *report, struct err *err);

void referee_close(struct referee *referee);
