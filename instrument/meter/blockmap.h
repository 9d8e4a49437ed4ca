/* blockmap: which source lines the counters of a module stand for, and whom
 * each block calls.
 *
 * Filled by place.c, function by function and block by block, written as
 * blocks.json; the profiler joins it with a turn's counters. It depends on the
 * module alone and is the same on every host.
 *
 *     {"files":["bot.c",...],
 *      "functions":[{"symbol":"f","name":"f","file":0,"line":3,
 *        "type":"i32 (ptr)","fuel":1,"counters":2,"stops":1,"reference":0,
 *        "derived":[[0,1,1,-1],...],
 *        "blocks":[{"word":4,"charge":7,"lines":[[file,line,n],...],
 *                   "calls":[[file,line,"g"],[file,line,"","void (i32)"]]}],
 *        "sites":[{"word":2,"lines":[[file,line,1]]}]}]}
 *
 * `symbol` is unique in the module, `name` is what the source calls it. A
 * function's words are its fuel counters, its counters, its stops, its counters
 * of the reference placement, and then the derived ones: each the sum of
 * word * factor over its pairs, of words before it (tree.h). The word of a
 * block counts its executions, that of a site instructions. With both
 * placements a block's "reference" is the word by which the reference counts
 * it. The n of a block's lines sum to its charge. An instruction without a line
 * belongs to the line before it in its block, else to its function's. Inlined
 * code belongs to the file and line where it was written. `calls` stands where
 * a block calls something: the callee's symbol, or "" and the type of a
 * function pointer's target. The block's executions are the call's, unless a
 * call before it in the block did not return.
 */
#pragma once

#include "instrument/meter/tree.h"
#include "runner/base/buf.h"
#include "runner/base/err.h"

#include <llvm-c/Core.h>
#include <stddef.h>
#include <stdint.h>

struct blockmap_line {
    uint32_t file;
    uint32_t line;
    uint64_t instructions;
};

struct blockmap_file {
    LLVMMetadataRef node; /* the DIFile that was seen last for this path */
    char *path;
};

/* A block as it is charged. */
struct blockmap_piece {
    uint64_t charge;
    uint32_t line, line_count; /* in map.lines */
    size_t call, call_size;    /* in map.calls */
};

/* The words of the function that is closed. */
struct blockmap_words {
    const struct tree *tree;
    const uint32_t *block;     /* by number */
    const uint32_t *site;      /* by number */
    const uint32_t *reference; /* by number of the block, or NULL */
    uint32_t reference_count;
};

struct blockmap {
    struct blockmap_file *files;
    size_t file_count, file_capacity;
    char **prefixes; /* pairs: name, path */
    size_t prefix_count;
    struct buf functions; /* finished functions, as JSON */
    size_t function_count;

    /* The function that is open. */
    LLVMValueRef function;
    struct blockmap_line home; /* where the function begins */
    struct blockmap_piece *blocks;
    struct blockmap_line *sites;
    size_t block_count, block_capacity, site_count, site_capacity;
    struct blockmap_line *lines; /* of all of them */
    size_t line_count, line_capacity;
    struct blockmap_line last; /* of the instruction before, in its block */
    struct buf calls;          /* of all blocks, as JSON */
};

void blockmap_init(struct blockmap *map);
void blockmap_release(struct blockmap *map);

/* Paths below `path` are shown as "<name>/...". Both strings are copied. */
void blockmap_add_prefix(struct blockmap *map, const char *name,
                         const char *path);

void blockmap_open_function(struct blockmap *map, LLVMValueRef function);
void blockmap_close_function(struct blockmap *map,
                             const struct blockmap_words *words);

/* Opens a block and returns its number. Close it before the next. */
uint32_t blockmap_open_block(struct blockmap *map);
void blockmap_add_instruction(struct blockmap *map, LLVMValueRef inst,
                              uint64_t cost);
/* Returns the block's charge; a block of charge 0 is left out. */
uint64_t blockmap_close_block(struct blockmap *map);

/* A bulk site at `inst`, of the block that is open; returns its number. */
uint32_t blockmap_add_site(struct blockmap *map, LLVMValueRef inst);

/* Appends the JSON document. */
void blockmap_format(const struct blockmap *map, struct buf *out);
