/* profiles: cached counts of executions, by turn and counter.
 *
 * A chunk holds PROFILE_CHUNK_TURNS turns of one slot: for each counter the
 * executions in each of the chunk's turns (not cumulative), counter-major as
 * varints, zstd; behind that the
 * streams of the turns' own blocks (runner/match/blocks.h). A missing chunk
 * only means that the turns have to be played again. Source: research figures
 * behind the layout in profiles.c.
 */
#pragma once

#include "db/db.h"

#define PROFILE_CHUNK_TURNS 16

struct profile_chunk {
    uint32_t first_turn; /* a multiple of PROFILE_CHUNK_TURNS */
    uint32_t turns;      /* that it holds, at most PROFILE_CHUNK_TURNS */
    uint32_t counters;
    uint64_t *count; /* [turn - first_turn][counter], owned */
    struct buf blocks[PROFILE_CHUNK_TURNS]; /* owned */
};

void profile_chunk_release(struct profile_chunk *chunk);

/* The stored form, and back. A damaged form is ERR_SYSTEM. */
void profile_chunk_format(const struct profile_chunk *chunk, struct buf *out);
int profile_chunk_parse(const void *bytes, size_t size,
                        struct profile_chunk *chunk, struct err *err);

/* Writer. Replaces what is there. */
int profile_chunk_put(struct db *db, int64_t match_id, unsigned slot,
                      const struct profile_chunk *chunk, struct err *err);

/* Reader. The chunk that holds `turn`. 1, 0 (not cached, or not as far as this
 * turn), -1. */
int profile_chunk_find(struct db *db, int64_t match_id, unsigned slot,
                       uint32_t turn, struct profile_chunk *chunk,
                       struct err *err);
