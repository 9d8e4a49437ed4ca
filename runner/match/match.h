/* match: plays one match to its end, or replays one, from builds that exist.
 *
 * Fully determined by (game version, builds, seed, limits): the log's bytes are
 * equal wherever and whenever it is played. A bot's fault is its verdict; -1
 * with ERR_SYSTEM is a failure of ours (the referee crashed, the host starved
 * a bot, the jail failed) after which the match is queued again.
 */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/err.h"
#include "runner/base/hash.h"
#include "runner/build/build.h"
#include "runner/jail/box.h"
#include "runner/match/limits.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define MATCH_MAX_SLOTS 8

enum verdict {
#define VERDICT(name, text, sentence) VERDICT_##name,
#include "runner/verdict.def"
    VERDICT_COUNT
};

const char *verdict_text(enum verdict verdict);
const char *verdict_sentence(enum verdict verdict);
const char *crash_text(int code);

enum turn_status {
#define TURN_STATUS(name, text) TURN_STATUS_##name,
#include "runner/verdict.def"
    TURN_STATUS_COUNT
};

const char *turn_status_text(enum turn_status status);

/* What a game says about itself. */
struct match_game {
    char name[64];
    char label[64];
    unsigned min_slots;
    unsigned max_slots;
    uint64_t turn_soft;  /* 0: the service's default */
    uint32_t turns;      /* most steps of a match */
    uint64_t view_bytes; /* of its largest view */
    uint64_t turn_bank;  /* most instructions that are saved; 0: none */
};

/* Starts the referee, takes what it says first, ends it. limits_init wants its
 * turn_soft, turn_bank and turns. */
int match_game_read(struct zygote *zygote, struct build *game,
                    struct match_game *out, struct err *err);

/* Does a match of it start? Not with a map that is no map, or where the referee
 * fails at its first view: that is its organiser's fault, to be known before
 * anybody's bot is tried. `about` is what match_game_read gave. */
int match_game_try(struct zygote *zygote, struct build *game,
                   const struct match_game *about, struct err *err);

/* A turn of a bot at which the host was starved, or the bot killed from
 * outside. */
struct match_place {
    uint32_t turn;
    uint32_t slot;
};

struct match_spec {
    const char *game_name;
    struct build *game; /* borrowed, as are the bots' */
    struct build *bot[MATCH_MAX_SLOTS];
    unsigned slots;
    const char *seed; /* as written in the log: decimal or 64 hex digits */
    struct limits limits;
    bool profile; /* keep the counters of every turn */
    /* NULL, or where the host was starved, or a bot killed from outside, when
     * another worker played this: once more there, and it is the bot's doing,
     * verdict `net` (contract 3). */
    const struct match_place *starved_before;
    struct match_place *starved; /* NULL, or filled where that happens */
    void (*progress)(void *user, unsigned turn); /* may be NULL */
    void *user;
};

/* One row of GET .../turns. */
struct match_turn {
    uint32_t turn;
    uint32_t slot;
    enum turn_status status;
    bool counted; /* else instructions is null */
    uint64_t instructions;
    uint64_t wall_ns;
    uint64_t cpu_ns;
    bool cpu_known;
    uint64_t memory_bytes;
    char *reply; /* owned; bytes as printed, NUL-terminated beside */
    size_t reply_size;
    char *log; /* owned: stderr of the turn, with the mark where cut */
    size_t log_size;
    /* NULL, or with profile: the build's counters at the turn's end, summed
     * over all turns so far, then 3 words: [read], [write], [page] charges.
     * Owned; counters_count + MATCH_SYSTEM_COUNTERS words. */
    uint64_t *counters;
    struct buf blocks; /* with profile: the bot's own, blocks.h; owned */
};

#define MATCH_SYSTEM_COUNTERS 3

/* A copy of a box's counters in that form, between turns. To be freed. */
uint64_t *match_counters(const struct box *box);

struct match_result {
    enum verdict verdict;
    char detail[256]; /* public: the reason ("null pointer", "exit code 3") */
    char private_detail[512]; /* owner: "bot.c:17 in search", may be "" */
    char ending[2048];        /* owner, of a bot that went out: ending.h */
    unsigned rank;            /* 1 is best; equal scores share a rank */
    int64_t score;
    uint64_t instructions; /* all turns, null counts left out */
    uint32_t last_turn;    /* the turn at which it went out, or the last */
};

struct match {
    unsigned slots;
    unsigned turns; /* steps played */
    struct match_result result[MATCH_MAX_SLOTS];
    struct match_turn *turn; /* sorted by (turn, slot) */
    size_t turn_count;
    struct buf log; /* the match log, plain bytes (contract 8) */
    char replay_sha256[HASH_HEX_SIZE];
    enum jail_level level;
};

void match_release(struct match *match);

/* Plays. *match starts as {0} and is filled on success only. */
int match_play(struct zygote *zygote, const struct match_spec *spec,
               struct match *match, struct err *err);

/* {"status":"finished", "game", "seed", "results":[...], "turns",
 * "replay_sha256", ...}: the document of GET /v1/matches/{id} without what only
 * a database knows. `names` are shown as the bots. New reference. */
json_t *match_json(const struct match_spec *spec, const struct match *match,
                   char *const *names);

/* A seed as people write it (decimal of at most 2^53-1, or 64 hex digits) in
 * the one form that is stored, logged and hashed: no leading zeros, lower case.
 * ERR_INPUT otherwise. */
#define MATCH_SEED_SIZE 65
int match_seed_parse(const char *text, char seed[MATCH_SEED_SIZE],
                     struct err *err);

/* JSON of a seed: a number if decimal, else a string. New reference. */
json_t *match_seed_json(const char *seed);

/* The key of a ChaCha20 stream: BLAKE2b-256 of (seed as written, purpose,
 * slot); the head of seed.c says how they are put together. Purposes: "slot"
 * for a bot, "game" for the referee. */
void match_stream_key(const char *seed, const char *purpose, unsigned slot,
                      uint8_t key[32]);

/* What the referee's create is given: from the purpose "game seed". */
uint64_t match_game_seed(const char *seed);
