/* replay: reads a match log (contract section 8) and plays it again.
 *
 * A log may come from anywhere: everything in it is checked before it is used.
 * replay_open reads a file, replay_parse borrows bytes; replay_release gives
 * back what either took.
 */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/err.h"
#include "runner/match/limits.h"
#include "runner/match/match.h"

#include <jansson.h>

#define REPLAY_MAX_BYTES (256u << 20)

struct replay {
    const char *bytes; /* plain; borrowed, or those of `file` */
    size_t size;
    struct buf file; /* replay_open's */
    json_t *head;    /* the first line */
    json_t **step;   /* step[n] is turn n's line */
    size_t step_count;
    json_t *end; /* {"results", "chain"} */
    /* Taken out of the head. */
    const char *game; /* inside head, as the next two */
    const char *game_version;
    const char *fingerprint;
    char seed[MATCH_SEED_SIZE];
    struct limits limits;
    unsigned slots;
    const char *build[MATCH_MAX_SLOTS]; /* as the log names them */
};

/* A file: plain, or compressed with zstd as the service stores it. */
int replay_open(struct replay *replay, const char *path, struct err *err);

/* ERR_INPUT names the line: not JSON, a key that is missing or of the wrong
 * type, a turn out of order, a broken chain. */
int replay_parse(struct replay *replay, const void *bytes, size_t size,
                 struct err *err);
void replay_release(struct replay *replay);

/* The slot's entry in turn `turn`, or NULL (it was not asked). Borrowed. */
const json_t *replay_entry(const struct replay *replay, uint32_t turn,
                           unsigned slot);

/* Appends an entry's "view" or "reply" as bytes. 1: done; 0: the log keeps only
 * its hash. */
int replay_text(const json_t *entry, const char *key, struct buf *to);

/* Is this build the slot's? */
bool replay_is_build(const struct replay *replay, unsigned slot,
                     const struct build *build);

/* What a match is played again with; borrowed. */
struct replay_cast {
    struct build *game;
    struct build *bot[MATCH_MAX_SLOTS];
};

/* Plays the match again with the counters of every turn. 1: byte for byte the
 * same, and *match (match_release) is filled; 0 and -1 as below. */
int replay_profile(struct zygote *zygote, const struct replay *replay,
                   const struct replay_cast *cast, struct match *match,
                   struct err *why, struct err *err);

/* Plays the match again. 1: byte for byte the same; 0: not, and *why says where
 * (ERR_INPUT's kind of sentence); -1: it could not be played. */
int replay_verify(struct zygote *zygote, const struct replay *replay,
                  const struct replay_cast *cast, struct err *why,
                  struct err *err);
