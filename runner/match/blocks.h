/* blocks: what a bot said of itself by <bout/profile.h>, turn by turn.
 *
 * blocks_take after each turn of a box that was given profile_bytes, then
 * blocks_release. A turn's part is a stream of its own (profiler/record.def):
 * ticks are instructions since the turn began; a block that is open at its end
 * ends there, and begins again with the next turn.
 */
#pragma once

#include "runner/base/buf.h"
#include "runner/jail/box.h"

/* Room for the events of a turn: in a match, where the price of a call keeps a
 * turn far below it, and for a program alone. */
#define BLOCKS_TURN_BYTES (2u << 20)
#define BLOCKS_ALONE_BYTES (8u << 20)
/* Of streams that are kept of one bot in a match; later turns only have their
 * end record, with what was lost. */
#define BLOCKS_MATCH_BYTES (32u << 20)

struct blocks_open {
    char *name; /* owned */
    size_t at;  /* its record in the stream of this turn */
};

struct blocks {
    struct blocks_open *open; /* outermost first */
    size_t open_count;
    size_t kept_bytes;
    /* Of the turn that is being taken. */
    struct buf *out;
    uint32_t last_id;
};

/* Adds the stream of the turn that has just ended to `out`; nothing where the
 * bot said nothing. */
void blocks_take(struct blocks *blocks, const struct box *box,
                 const struct turn *turn, struct buf *out);
void blocks_release(struct blocks *blocks);
