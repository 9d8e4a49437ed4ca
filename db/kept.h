/* kept: what played matches of an earlier toolchain. Builds are put aside by
 * bot_accept_again (bots.h) where matches refer to them, and go where the bot's
 * current one goes.
 * "Writer", "Reader" as in db/bots.h.
 */
#pragma once

#include "db/bots.h"

/* Writer. The bot's build is put aside if it is of another toolchain than
 * `fingerprint` and played a match. */
int kept_build_put(struct db *db, int64_t bot_id, const char *fingerprint,
                   struct err *err);

/* Reader. The bot's build of that toolchain, kept or current; NULL: the current
 * one. 1, 0 (there is none), -1. build_row_release it. */
int kept_build_find(struct db *db, int64_t bot_id, const char *fingerprint,
                    struct build_row *build, struct err *err);

/* Writer. The library's block table (JSON text) of a toolchain; kept once. */
int kept_library_put(struct db *db, const char *fingerprint, const char *blocks,
                     struct err *err);
/* Reader. 1: added to `blocks`; 0, -1. */
int kept_library_find(struct db *db, const char *fingerprint,
                      struct buf *blocks, struct err *err);

/* Reader. 1: all is there to play the match again under that toolchain, 0, -1.
 */
int kept_is_whole(struct db *db, int64_t match_id, const char *fingerprint,
                  struct err *err);
