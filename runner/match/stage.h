/* stage: the public states of an old match, for viewers.
 *
 * The log holds what each bot read and printed; what the game shows to viewers
 * (describe) comes from its referee, which is run again with the replies of the
 * log. No bot runs. Each view that the referee makes must be the one in the
 * log, so a state never belongs to another match.
 *
 * Order: stage_open, stage_next until it returns 0, stage_close at any time.
 */
#pragma once

#include "runner/match/referee.h"
#include "runner/match/replay.h"

struct stage {
    struct referee referee;
    const struct replay *replay; /* borrowed */
    struct frame_report report;  /* points into the referee's last answer */
    uint32_t turn;               /* that the state came after */
    unsigned out;                /* bit mask of slots that are gone */
    bool begun;
};

/* `game` is the build that the log names (borrowed until stage_close). */
int stage_open(struct stage *stage, struct zygote *zygote, struct build *game,
               const struct replay *replay, struct err *err);

/* 1: *state is the public state after turn stage->turn (0: before the first
 * step), valid until the next call; 0: there is none left; -1: the log keeps
 * only hashes from here on (ERR_MISSING), is not of this referee (ERR_INPUT),
 * or the referee failed. */
int stage_next(struct stage *stage, struct frame_text *state, struct err *err);

void stage_close(struct stage *stage);
