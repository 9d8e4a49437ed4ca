/* blockmap: which source lines each counter of a module stands for, and whom
 * each block calls.
 *
 * Filled by place.c, function by function and block by block, written as
 * blocks.json; the profiler joins it with a turn's counters. It depends on the
 * module alone and is the same on every host.
 *
 *     {"files":["bot.c",...],
 *      "functions":[{"symbol":"f","name":"f","file":0,"line":3,"type":"i32
 * (ptr)", "counters":2,
 *        "blocks":[{"counter":0,"charge":7,"lines":[[file,line,n],...],
 *                   "calls":[[file,line,"g"],[file,line,"","void (i32)"]]}],
 *        "sites":[{"counter":1,"lines":[[file,line,1]]}]}]}
 *
 * `symbol` is unique in the module, `name` is what the source calls it. The n
 * of a block's lines sum to its charge; a counter of `blocks` counts
 * executions, one of `sites` counts instructions. An instruction without a line
 * belongs to the line before it in its block, else to its function's. Inlined
 * code belongs to the file and line where it was written. `calls` stands where
 * a block calls something: the callee's symbol, or "" and the type of a
 * function pointer's target. The block's executions are the call's, unless a
 * call before it in the block did not return.
 */
#pragma once

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

struct blockmap {
    struct blockmap_file *files;
    size_t file_count, file_capacity;
    char **prefixes; /* pairs: name, path */
    size_t prefix_count;
    struct buf functions; /* finished functions, as JSON */
    size_t function_count;

    /* The function that is open. */
    LLVMValueRef function;
    uint32_t counters;
    struct blockmap_line home; /* where the function begins */
    struct buf blocks, sites;
    /* The block that is open. */
    uint32_t counter;
    uint64_t charge;
    struct blockmap_line *lines;
    size_t line_count, line_capacity;
    struct blockmap_line last;
    struct buf calls;
};

void blockmap_init(struct blockmap *map);
void blockmap_release(struct blockmap *map);

/* Paths below `path` are shown as "<name>/...". Both strings are copied. */
void blockmap_add_prefix(struct blockmap *map, const char *name,
                         const char *path);

void blockmap_open_function(struct blockmap *map, LLVMValueRef function);
/* Closes it; returns how many counters it has. */
uint32_t blockmap_close_function(struct blockmap *map);

/* Opens a block and returns its counter. Close it before the next. */
uint32_t blockmap_open_block(struct blockmap *map);
void blockmap_add_instruction(struct blockmap *map, LLVMValueRef inst,
                              uint64_t cost);
/* Returns the block's charge; a block of charge 0 is left out. */
uint64_t blockmap_close_block(struct blockmap *map);

/* A bulk site at `inst`; returns its counter. May come inside a block. */
uint32_t blockmap_add_site(struct blockmap *map, LLVMValueRef inst);

/* Appends the JSON document. */
void blockmap_format(const struct blockmap *map, struct buf *out);
