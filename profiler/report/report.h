/* report: a block profile, and the files made from it.
 *
 * One model feeds every format: the block tables of bot and library (what each
 * counter means), the executable's layout (where each function's counters are)
 * and, for each turn, how far every counter moved. Writers only print rows.
 *
 * Calling order: profile_new, profile_add_turn for each turn in order,
 * profile_write any number of times, profile_free.
 * Totals of every format equal the sum of the turns' stored counts: each
 * block's executions are a counter, or follow from counters (words.h).
 */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/err.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

struct profile; /* opaque */

enum profile_format {
#define FORMAT(NAME, name, ending, media_type, function) PROFILE_##NAME,
#include "profiler/report/format.def"
    PROFILE_FORMAT_COUNT
};

/* "csv" -> PROFILE_CSV; -1 for an unknown name. */
int profile_format_find(const char *name);
const char *profile_format_name(enum profile_format format);
const char *profile_format_media_type(enum profile_format format);
/* What its files' names end in: "csv", "pb.gz". */
const char *profile_format_ending(enum profile_format format);

/* The tables are borrowed until profile_free: blocks.json of the bot's build
 * and of the library, layout.json of the executable. ERR_INPUT when they do
 * not fit together. */
struct profile *profile_new(const json_t *bot_blocks,
                            const json_t *library_blocks, const json_t *layout,
                            struct err *err);
void profile_free(struct profile *profile);

/* Words that profile_add_turn takes: the layout's counters and 3 system
 * charges, [read], [write], [page]. */
size_t profile_words(const struct profile *profile);

/* How far each word moved in this turn: `now` less `before` (NULL: zero).
 * Returns the turn's instructions. */
uint64_t profile_add_turn(struct profile *profile, uint32_t turn, unsigned slot,
                          const uint64_t *before, const uint64_t *now);

/* To the turn that was added last: the stream (record.def) of what the program
 * said of itself by profile.h, a copy. Blocks of size 0 are none. */
void profile_add_blocks(struct profile *profile, const void *stream,
                        size_t size);

/* The sum over all turns added. Equals the stored counts' sum. */
uint64_t profile_total(const struct profile *profile);

/* Of a build that has both placements: the first turn and place at which they
 * disagree about a block's executions is ERR_SYSTEM. */
int profile_compare(const struct profile *profile, struct err *err);

/* The limit of a turn, so that readers see which turns were over it and by how
 * much in all. Optional. */
void profile_set_turn_soft(struct profile *profile, uint64_t instructions);

/* Source text by path, for the annotated text format; borrowed. Optional. */
void profile_set_source(struct profile *profile, const char *path,
                        const char *bytes, size_t size);

/* What format "trace" is for a match: the turns of all slots, one profile each,
 * beside each other. */
int profile_write_trace(const struct profile *const *profile, size_t count,
                        struct buf *out);

int profile_write(const struct profile *profile, enum profile_format format,
                  struct buf *out, struct err *err);
