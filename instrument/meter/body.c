#include "instrument/meter/body.h"

#include "instrument/meter/bulk.h"
#include "instrument/meter/fold.h"
#include "instrument/meter/frequency.h"
#include "instrument/meter/ir.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A folded loop is a path with no check. */
#define FOLD_MAX (BOUND_PATH / 2)

void body_release(struct body *body)
{
    free(body->block);
    free(body->site);
    *body = (struct body){0};
}

/* ---- blocks ---------------------------------------------------------------
 */

static struct body_block *insert_block(struct body *body, uint32_t at,
                                       LLVMBasicBlockRef ref)
{
    if (body->block_count == body->block_capacity) {
        body->block_capacity =
            body->block_capacity ? 2 * body->block_capacity : 64;
        body->block = mem_realloc(body->block,
                                  body->block_capacity * sizeof *body->block);
    }
    memmove(body->block + at + 1, body->block + at,
            (body->block_count - at) * sizeof *body->block);
    body->block_count++;
    body->block[at] = (struct body_block){.ref = ref, .piece = FLOW_NONE};
    return &body->block[at];
}

static void add_site(struct body *body, LLVMValueRef call, uint32_t number)
{
    if (body->site_count == body->site_capacity) {
        body->site_capacity =
            body->site_capacity ? 2 * body->site_capacity : 16;
        body->site =
            mem_realloc(body->site, body->site_capacity * sizeof *body->site);
    }
    body->site[body->site_count++] =
        (struct body_site){.call = call, .number = number};
}

static bool returns_twice(LLVMValueRef inst)
{
    return ir_is_call_of(inst, "__bout_setjmp");
}

/* The block's head becomes a block of its own, which goes on to the rest. */
static LLVMBasicBlockRef split_before(LLVMValueRef inst)
{
    LLVMBasicBlockRef rest = LLVMGetInstructionParent(inst);
    LLVMBasicBlockRef head = ir_split_before(inst);
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(ir_context_of(inst));

    ir_at_end(builder, head, inst);
    LLVMBuildBr(builder, rest);
    return head;
}

static void close_block(struct body *body, LLVMBasicBlockRef ref,
                        uint32_t piece, struct blockmap *map)
{
    struct body_block *block = insert_block(body, body->block_count, ref);

    block->piece = piece;
    block->charge = blockmap_close_block(map);
}

/* The branches to a block's own pieces that splitting puts in cost nothing. */
static void open_block(struct body *body, LLVMBasicBlockRef ref,
                       const struct charge *charge, struct blockmap *map)
{
    uint32_t piece = blockmap_open_block(map);
    uint64_t sum = 0;
    bool cut = false;

    for (LLVMValueRef inst = LLVMGetFirstInstruction(ref); inst;
         inst = LLVMGetNextInstruction(inst)) {
        uint64_t cost = charge_instruction(charge, inst);
        uint64_t price = 0;
        bool is_site = bulk_is_call(inst) && !bulk_is_known(inst, &price);

        cost = charge_add(cost, price);
        if (cut || (sum && charge_add(sum, cost) > COST_BLOCK_MAX &&
                    !LLVMIsAPHINode(inst))) {
            close_block(body, split_before(inst), piece, map);
            piece = blockmap_open_block(map);
            sum = 0;
        }
        sum = charge_add(sum, cost);
        blockmap_add_instruction(map, inst, cost);
        if (is_site)
            add_site(body, inst, blockmap_add_site(map, inst));
        cut = returns_twice(inst);
    }
    close_block(body, ref, piece, map);
}

void body_open(struct body *body, LLVMValueRef function,
               const struct charge *charge, struct blockmap *map)
{
    uint32_t count = LLVMCountBasicBlocks(function);
    auto_free LLVMBasicBlockRef *all = mem_calloc(count, sizeof *all);

    *body = (struct body){.function = function};
    LLVMGetBasicBlocks(function, all);
    for (uint32_t i = 0; i < count; i++)
        open_block(body, all[i], charge, map);
}

/* ---- cuts -----------------------------------------------------------------
 */

static bool is_counted_call(LLVMValueRef inst)
{
    return LLVMIsACallInst(inst) && !ir_intrinsic(inst) && !bulk_is_call(inst);
}

static LLVMValueRef call_number(LLVMBasicBlockRef ref, uint32_t number)
{
    for (LLVMValueRef inst = LLVMGetFirstInstruction(ref); inst;
         inst = LLVMGetNextInstruction(inst))
        if (is_counted_call(inst) && number-- == 0)
            return inst;
    assert(!"a cut before no call");
    return NULL;
}

/* Before call `at` of the block, of which `passed` are in pieces before. */
static void cut_before_call(struct body *body, uint32_t number, uint32_t at)
{
    struct body_block whole = body->block[number];
    LLVMValueRef call = call_number(whole.ref, at);
    struct body_block *head = insert_block(body, number, split_before(call));

    head->charge = whole.charge;
    head->piece = whole.piece;
    head->is_cut = whole.is_cut;
    body->block[number + 1].charge = 0;
    body->block[number + 1].piece = FLOW_NONE;
    body->block[number + 1].is_cut = true;
}

static void cut_before_all(struct body *body, uint32_t number)
{
    LLVMBasicBlockRef ref = body->block[number].ref;

    insert_block(body, number, split_before(ir_first_non_phi(ref)))->is_cut =
        true;
}

static int by_block_downwards(const void *a, const void *b)
{
    const struct bound_cut *x = a;
    const struct bound_cut *y = b;

    if (x->block != y->block)
        return x->block > y->block ? -1 : 1;
    return x->call > y->call ? -1 : x->call < y->call;
}

LLVMValueRef body_end(LLVMBasicBlockRef ref)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(ref);
    LLVMValueRef before = LLVMGetPreviousInstruction(end);

    if (before && LLVMIsACallInst(before) &&
        LLVMGetTailCallKind(before) == LLVMTailCallKindMustTail)
        return before;
    return end;
}

/* A block that only ends gets an instruction that is no machine code, so that
 * what counts its start comes before what counts the way out. */
void body_mark(struct body *body)
{
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(ir_context_of(body->function));

    for (uint32_t i = 0; i < body->block_count; i++) {
        struct body_block *block = &body->block[i];

        block->first = ir_first_non_phi(block->ref);
        if (block->first != body_end(block->ref))
            continue;
        ir_at(builder, block->first);
        block->first =
            ir_call_intrinsic(builder, "llvm.donothing", NULL, 0, NULL, 0);
    }
    for (uint32_t i = 0; i < body->site_count; i++)
        body->site[i].block =
            body_find(body, LLVMGetInstructionParent(body->site[i].call));
}

/* From the last to the first, so that numbers before stay what they are. */
void body_cut(struct body *body, const struct bound *bound)
{
    auto_free struct bound_cut *cut =
        mem_calloc(bound->cut_count + 1, sizeof *cut);

    memcpy(cut, bound->cut, bound->cut_count * sizeof *cut);
    qsort(cut, bound->cut_count, sizeof *cut, by_block_downwards);
    for (uint32_t i = 0; i < bound->cut_count; i++) {
        if (cut[i].call == BOUND_UNFOLD)
            body->block[cut[i].block].is_unfolded = true;
        else if (cut[i].call == BOUND_BEFORE_ALL)
            cut_before_all(body, cut[i].block);
        else
            cut_before_call(body, cut[i].block, cut[i].call);
    }
}

/* ---- the flow -------------------------------------------------------------
 */

struct numbered {
    LLVMBasicBlockRef ref;
    uint32_t number;
};

struct numbers {
    struct numbered *at;
    uint32_t count;
};

/* By address, for finding alone. */
static int by_ref(const void *a, const void *b)
{
    const struct numbered *x = a;
    const struct numbered *y = b;

    return (uintptr_t)x->ref < (uintptr_t)y->ref
               ? -1
               : (uintptr_t)x->ref > (uintptr_t)y->ref;
}

static uint32_t number_of(const struct numbers *numbers, LLVMBasicBlockRef ref)
{
    const struct numbered key = {.ref = ref};
    const struct numbered *found =
        bsearch(&key, numbers->at, numbers->count, sizeof key, by_ref);

    assert(found);
    return found->number;
}

uint32_t body_find(const struct body *body, LLVMBasicBlockRef ref)
{
    for (uint32_t i = 0; i < body->block_count; i++)
        if (body->block[i].ref == ref)
            return i;
    return FLOW_NONE;
}

/* The compiler's weight of the way, if it said one; else 0. */
static uint64_t said_weight(LLVMValueRef end, unsigned way)
{
    LLVMContextRef context = ir_context_of(end);
    LLVMValueRef node =
        LLVMGetMetadata(end, LLVMGetMDKindIDInContext(context, "prof", 4));

    if (!node)
        return 0;
    unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node);
    auto_free LLVMValueRef *operand = mem_calloc(count + 1, sizeof *operand);
    LLVMGetMDNodeOperands(node, operand);
    unsigned ways = LLVMGetNumSuccessors(end);
    if (count < ways + 1 || !LLVMIsAConstantInt(operand[count - ways + way]))
        return 0;
    return LLVMConstIntGetZExtValue(operand[count - ways + way]) + 1;
}

static bool is_cold(LLVMBasicBlockRef ref)
{
    return LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(ref));
}

/* Where the compiler said nothing. What no case of a switch names is less
 * likely than what one does: often it cannot be at all. */
static uint64_t usual_weight(LLVMValueRef end, unsigned way)
{
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, way);

    if (is_cold(to))
        return 1;
    return LLVMIsASwitchInst(end) && to == LLVMGetSwitchDefaultDest(end) ? 2048
                                                                         : 4096;
}

static void add_ways(const struct numbers *numbers, LLVMBasicBlockRef ref,
                     uint32_t number, struct flow *flow)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(ref);
    unsigned ways = LLVMGetNumSuccessors(end);
    auto_free uint64_t *weight = mem_calloc(ways + 1, sizeof *weight);
    uint64_t whole = 0;

    for (unsigned i = 0; i < ways; i++) {
        weight[i] = said_weight(end, i);
        if (!weight[i])
            weight[i] = usual_weight(end, i);
        whole += weight[i];
    }
    for (unsigned i = 0; i < ways; i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);

        if (to == ref && flow->block[number].times > 1)
            continue;
        flow_add_edge(flow, number, number_of(numbers, to),
                      (uint32_t)(weight[i] * FLOW_ONE / whole));
    }
}

static void add_calls(const struct body_calls *calls, LLVMBasicBlockRef ref,
                      uint32_t number, struct flow *flow)
{
    struct flow_block *block = &flow->block[number];

    for (LLVMValueRef inst = LLVMGetFirstInstruction(ref); inst;
         inst = LLVMGetNextInstruction(inst)) {
        if (!is_counted_call(inst))
            continue;
        struct flow_summary callee = calls->summary(calls->context, inst);

        block->is_pinned |= callee.stops;
        flow_add_call(flow, number, &callee);
        block->is_setjmp |= returns_twice(inst);
    }
}

static bool has_site(const struct body *body, LLVMBasicBlockRef ref)
{
    for (uint32_t i = 0; i < body->site_count; i++)
        if (LLVMGetInstructionParent(body->site[i].call) == ref)
            return true;
    return false;
}

static void fold(const struct body *body, uint32_t number,
                 struct flow_block *block)
{
    LLVMBasicBlockRef ref = body->block[number].ref;

    if (body->block[number].is_unfolded || block->call_count || !block->cost ||
        has_site(body, ref))
        return;
    uint64_t times = fold_times(ref, FOLD_MAX / block->cost);
    if (!times)
        return;
    block->times = times;
    block->cost *= times;
}

void body_flow(const struct body *body, const struct body_calls *calls,
               struct flow *flow)
{
    struct numbers numbers = {.count = body->block_count};
    auto_free struct numbered *at =
        mem_calloc(body->block_count + 1, sizeof *at);

    numbers.at = at;
    for (uint32_t i = 0; i < body->block_count; i++)
        at[i] = (struct numbered){body->block[i].ref, i};
    qsort(at, numbers.count, sizeof *at, by_ref);
    flow_open(flow, body->block_count);
    for (uint32_t i = 0; i < body->block_count; i++) {
        LLVMBasicBlockRef ref = body->block[i].ref;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(ref);
        struct flow_block *block = &flow->block[i];

        block->cost = body->block[i].charge;
        block->is_forced = body->block[i].is_cut;
        block->leaves = LLVMGetNumSuccessors(end) == 0;
        block->returns = LLVMIsAReturnInst(end);
        add_calls(calls, ref, i, flow);
        fold(body, i, block);
        add_ways(&numbers, ref, i, flow);
    }
    for (uint32_t i = 0; i < flow->edge_count; i++)
        if (flow->block[flow->edge[i].from].is_setjmp)
            flow->block[flow->edge[i].to].is_entered_again = true;
    flow_close(flow);
    bound_force(flow);
}
