/* match_log: writes the match log of contract section 8.
 *
 * JSON lines with a fixed key order, compact, one newline after each:
 *
 *   {"bout":1,"game":"tron","game_version":"HASH","fingerprint":"HASH",
 *    "seed":7,"limits":{...},"builds":["HASH",...]}
 *   {"turn":0,"slots":[{"slot":0,"view":"","reply":"...","status":"ok",
 *    "instructions":5,"memory_bytes":4096},...],"chain":"HASH"}
 *   ...
 *   {"results":[{"slot":0,"rank":1,"score":3,"verdict":"ok","detail":"",
 *    "instructions":99},...],"chain":"HASH"}
 *
 * Turn 0 is start-up: its view is "". `instructions` is null in a turn that
 * ended in a fault. Text that is not UTF-8 or holds NUL is under `view_base64`,
 * `reply_base64`. Once a line in full would take the log over match_log_bytes,
 * that line and all later ones keep `view_sha256` and `reply_sha256` instead.
 *
 * `chain` is hex SHA-256 of the previous chain (64 hex digits) and the line
 * without its `,"chain":"..."` member and newline; the first line's stands for
 * SHA-256 of that line without its newline. A build is written as SHA-256 of
 * "bout log", the seed as it is in the log without quotes, and the build hash.
 */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/hash.h"
#include "runner/match/match.h"

#include <stdbool.h>

struct match_log {
    struct buf *to; /* borrowed: the plain bytes */
    uint64_t cap;   /* match_log_bytes */
    bool hashed;    /* the cap was reached */
    char chain[HASH_HEX_SIZE];
};

struct match_log_head {
    const char *game;
    const char *game_version;
    const char *fingerprint;
    const char *seed;
    const struct limits *limits;
    const char *build[MATCH_MAX_SLOTS]; /* build hashes, not yet mixed */
    unsigned slots;
};

/* One slot's part of a step. */
struct match_log_entry {
    const char *view;
    size_t view_size;
    const struct match_turn *row;
};

void match_log_begin(struct match_log *log, struct buf *to,
                     const struct match_log_head *head);
void match_log_step(struct match_log *log, uint32_t turn,
                    const struct match_log_entry *entry, size_t count);
void match_log_end(struct match_log *log, const struct match_result *result,
                   unsigned slots);

/* How a log names a build. */
void match_log_build(const char *seed, const char *build_hash,
                     char out[HASH_HEX_SIZE]);

/* The chain after `line` (without newline and chain member). `chain` may be
 * NULL: the first line. `out` may be `chain`. */
void match_log_chain(const char *chain, const char *line, size_t size,
                     char out[HASH_HEX_SIZE]);

/* Appends `"KEY":"text"` or `"KEY_base64":"..."`. */
void match_log_text(struct buf *to, const char *key, const char *bytes,
                    size_t size);
