/* decode: reads a profile's stream, from a file or as it comes from a socket.
 *
 *     decoder_init(&decoder, take, user);
 *     decoder_feed(&decoder, bytes, size);   any number of times, any sizes
 *     decoder_end(&decoder);
 *
 * It may join late, and go on behind damage: it then looks for the next head.
 * Nothing in a stream is trusted: sizes are bounded, unknown kinds are damage.
 * `take` gets each block, frame and message when its text is complete. A block
 * comes before its children. Ticks are as written: `ticks_per_second` tells.
 */
#pragma once

#include "profiler/record.h"
#include "runner/base/buf.h"

#include <stdbool.h>
#include <stddef.h>

#define DECODE_TEXT_RECORDS_MAX 4096 /* a longer text is damage */

struct decode_item {
    enum record_kind kind;
    uint32_t id, parent, thread, processor;
    uint64_t start, end;
    const char *text; /* NUL-terminated; valid during the call */
};

struct decoder {
    void (*take)(void *user, const struct decode_item *item);
    void *user;
    unsigned char window[sizeof(struct record)];
    size_t window_size;
    bool is_joined;       /* a head was seen, and nothing wrong since */
    bool is_swapped;      /* the writer has the other byte order */
    struct record record; /* whose text is not complete, if `missing` */
    uint32_t missing;     /* records of text to come */
    struct buf text;
    /* What is known of the stream. */
    char *identifier; /* NULL before a head */
    uint64_t ticks_per_second;
    bool has_ended;      /* the end record was seen */
    uint64_t lost;       /* blocks, as the end record says */
    uint64_t damages;    /* times that it lost its place */
    uint64_t bytes_left; /* passed over */
};

void decoder_init(struct decoder *decoder,
                  void (*take)(void *user, const struct decode_item *item),
                  void *user);
void decoder_release(struct decoder *decoder);
void decoder_feed(struct decoder *decoder, const void *bytes, size_t size);

/* Counts an incomplete record at the end as damage. */
void decoder_end(struct decoder *decoder);

/* A copy of strangers' text, to be freed: what is not printable ASCII or UTF-8
 * becomes '?'. */
char *decode_clean(const char *text);

/* ---- a tree of what was decoded --------------------------------------------
 */

/* Blocks of one name in one place of the tree, over all threads. */
struct decode_tree; /* opaque */

struct decode_tree *decode_tree_new(void);
void decode_tree_free(struct decode_tree *tree);

/* `take` for a decoder, with the tree as user. */
void decode_tree_take(void *tree, const struct decode_item *item);

/* Blocks of one name in one place. */
struct decode_node {
    const char *name; /* printable UTF-8 */
    unsigned depth;   /* 0: in no block */
    uint64_t calls;
    uint64_t ticks; /* in all, with the blocks inside */
    uint64_t own;   /* without them */
};

/* A block before those in it, in the order of their first appearance. */
void decode_tree_walk(const struct decode_tree *tree,
                      void (*take)(void *user, const struct decode_node *node),
                      void *user);

/* For reading: the tree with calls and times, frames, locks, messages. */
void decode_tree_format(const struct decode_tree *tree,
                        const struct decoder *decoder, struct buf *out);
