/* body: a function of a module as it is charged: its blocks, what each costs,
 * its bulk sites, and the control flow between them as numbers.
 *
 * Calling order: body_open splits the blocks where charges must be split and
 * describes them to the blockmap; body_flow as often as body_cut has cut.
 */
#pragma once

#include "instrument/meter/blockmap.h"
#include "instrument/meter/bound.h"
#include "instrument/meter/charge.h"
#include "instrument/meter/flow.h"

#include <llvm-c/Core.h>

struct body_block {
    LLVMBasicBlockRef ref;
    uint64_t charge;
    uint32_t piece;     /* of the blockmap; FLOW_NONE: made by a cut */
    LLVMValueRef first; /* body_mark: where what is put in goes */
    bool is_cut;        /* it has to be a check */
    bool is_unfolded;
};

struct body_site {
    LLVMValueRef call;
    uint32_t number; /* of the blockmap */
    uint32_t block;  /* body_mark: where it stands */
};

struct body {
    LLVMValueRef function;
    struct body_block *block;
    uint32_t block_count, block_capacity;
    struct body_site *site;
    uint32_t site_count, site_capacity;
};

/* What a call means; `context` is whoever knows the callees. */
struct body_calls {
    struct flow_summary (*summary)(void *context, LLVMValueRef call);
    void *context;
};

/* A piece is a block: one that costs more than COST_BLOCK_MAX is several, and
 * what follows a call that returns twice is one of its own, since it runs again
 * at each longjmp. */
void body_open(struct body *body, LLVMValueRef function,
               const struct charge *charge, struct blockmap *map);
void body_release(struct body *body);
#define auto_body __attribute__((cleanup(body_release)))

/* The flow, closed; loops that always run as often are folded. */
void body_flow(const struct body *body, const struct body_calls *calls,
               struct flow *flow);
/* Splits blocks where bound_find said. */
void body_cut(struct body *body, const struct bound *bound);

/* Notes each block's first instruction, and each site's block, once none is cut
 * any more. */
void body_mark(struct body *body);

/* Where a block's last counters go: before its end, or the musttail call that
 * has to stand right before that. */
LLVMValueRef body_end(LLVMBasicBlockRef ref);

/* The number of a block, of the flow and of body->block. */
uint32_t body_find(const struct body *body, LLVMBasicBlockRef ref);
