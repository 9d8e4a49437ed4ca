#include "instrument/meter/hold.h"

#include "instrument/meter/ir.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <stdlib.h>

/* Counters of one loop; more would push out what the loop itself needs. */
#define HOLD_MAX 3u
/* Of the header's frequency: a counter that is hit less stays in memory. */
#define HOLD_SHARE 8u
/* Blocks of a loop that is looked at: hot ones are small. */
#define HOLD_BLOCKS 64u
/* General registers that a loop's own values and its counters may take. */
#define HOLD_REGISTERS 13u

void hold_release(struct holds *holds)
{
    free(holds->at);
    *holds = (struct holds){0};
}

/* ---- which loops ----------------------------------------------------------
 */

static bool has_inner(const struct flow *flow, const struct loop *loop)
{
    for (uint32_t i = 0; i < loop->block_count; i++)
        if (flow->block[loop->block[i]].loop != loop->header)
            return true;
    return false;
}

static bool is_quiet(const struct flow *flow, uint32_t number)
{
    const struct flow_block *block = &flow->block[number];

    if (block->is_setjmp || block->is_entered_again || block->is_pinned)
        return false;
    for (uint32_t i = 0; i < block->call_count; i++) {
        const struct flow_summary *callee = &flow->call[block->call + i].callee;

        if (callee->checks || callee->stops)
            return false;
    }
    return true;
}

static bool may_hold(const struct flow *flow, const struct loop *loop)
{
    if (loop->block_count > HOLD_BLOCKS || has_inner(flow, loop))
        return false;
    for (uint32_t i = 0; i < loop->block_count; i++)
        if (!is_quiet(flow, loop->block[i]))
            return false;
    return true;
}

/* ---- registers ------------------------------------------------------------
 */

static bool takes_register(LLVMValueRef value)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));

    return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
}

static bool is_in(const struct hold_spec *spec, const struct loop *loop,
                  LLVMBasicBlockRef ref)
{
    for (uint32_t i = 0; i < loop->block_count; i++)
        if (spec->body->block[loop->block[i]].ref == ref)
            return true;
    return false;
}

static void note(struct ir_list *list, LLVMValueRef value)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i] == value)
            return;
    ir_list_add(list, value);
}

/* Values from outside that a block of the loop uses, and the loop's own that
 * live from one round to the next. */
static void gather(const struct hold_spec *spec, const struct loop *loop,
                   LLVMBasicBlockRef ref, struct ir_list *list)
{
    for (LLVMValueRef inst = LLVMGetFirstInstruction(ref); inst;
         inst = LLVMGetNextInstruction(inst)) {
        if (LLVMIsAPHINode(inst) && takes_register(inst) &&
            ref == spec->body->block[loop->header].ref)
            note(list, inst);
        for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
            LLVMValueRef value = LLVMGetOperand(inst, (unsigned)i);

            if (!LLVMIsAArgument(value) && !LLVMIsAInstruction(value))
                continue;
            if (takes_register(value) &&
                (LLVMIsAArgument(value) ||
                 !is_in(spec, loop, LLVMGetInstructionParent(value))))
                note(list, value);
        }
    }
}

/* How many counters the loop may hold. */
static uint32_t room(const struct hold_spec *spec, const struct loop *loop)
{
    auto_ir_list struct ir_list list = {0};

    if (!may_hold(spec->flow, loop))
        return 0;
    for (uint32_t i = 0; i < loop->block_count; i++) {
        gather(spec, loop, spec->body->block[loop->block[i]].ref, &list);
        if (list.count >= HOLD_REGISTERS)
            return 0;
    }
    uint32_t left = HOLD_REGISTERS - (uint32_t)list.count;

    return left < HOLD_MAX ? left : HOLD_MAX;
}

/* ---- which counters -------------------------------------------------------
 */

struct candidate {
    uint32_t loop;
    uint32_t word;
    uint64_t frequency;
};

static int by_loop_often_first(const void *a, const void *b)
{
    const struct candidate *x = a;
    const struct candidate *y = b;

    if (x->loop != y->loop)
        return x->loop < y->loop ? -1 : 1;
    if (x->frequency != y->frequency)
        return x->frequency > y->frequency ? -1 : 1;
    return x->word < y->word ? -1 : x->word > y->word;
}

static int by_word(const void *a, const void *b)
{
    const struct hold *x = a;
    const struct hold *y = b;

    return x->word < y->word ? -1 : x->word > y->word;
}

/* False for what no code counts, or none that stands in a loop. */
static bool is_in_loop(const struct flow *flow, const struct tree_edge *edge,
                       struct candidate *candidate)
{
    if (!edge->is_chord)
        return false;
    candidate->word = edge->word;
    if (edge->kind == TREE_BLOCK) {
        candidate->loop = flow->block[edge->of].loop;
        candidate->frequency = flow->block[edge->of].frequency;
    } else if (edge->kind == TREE_FLOW) {
        candidate->loop = loop_of_edge(flow, &flow->edge[edge->of]);
        candidate->frequency = flow->edge[edge->of].frequency;
    } else {
        return false;
    }
    return candidate->loop != FLOW_NONE;
}

/* The chords that are worth it, by loop, the most frequent first. `left` holds
 * how many each loop may hold, by its header. */
static uint32_t collect(const struct hold_spec *spec, const uint32_t *left,
                        struct candidate *list)
{
    const struct flow *flow = spec->flow;
    uint32_t count = 0;

    for (uint32_t i = 0; i < spec->tree->edge_count; i++) {
        struct candidate one;

        if (is_in_loop(flow, &spec->tree->edge[i], &one) && left[one.loop] &&
            one.frequency >= flow->block[one.loop].frequency / HOLD_SHARE)
            list[count++] = one;
    }
    qsort(list, count, sizeof *list, by_loop_often_first);
    return count;
}

void hold_find(struct holds *holds, const struct hold_spec *spec)
{
    LLVMValueRef function = spec->body->function;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(ir_context_of(function));
    auto_free struct candidate *list =
        mem_calloc(spec->tree->edge_count + 1, sizeof *list);
    auto_free uint32_t *left =
        mem_calloc(spec->flow->block_count + 1, sizeof *left);

    for (uint32_t i = 0; i < spec->loops->count; i++)
        left[spec->loops->at[i].header] = room(spec, &spec->loops->at[i]);
    uint32_t count = collect(spec, left, list);
    *holds = (struct holds){.at = mem_calloc(count + 1, sizeof *holds->at),
                            .body = spec->body,
                            .flow = spec->flow,
                            .plan = spec->plan};
    for (uint32_t i = 0; i < count; i++) {
        if (!left[list[i].loop])
            continue;
        left[list[i].loop]--;
        holds->at[holds->count++] =
            (struct hold){.word = list[i].word,
                          .loop = list[i].loop,
                          .slot = ir_entry_alloca(function, i64, 8)};
    }
    qsort(holds->at, holds->count, sizeof *holds->at, by_word);
}

/* ---- code -----------------------------------------------------------------
 */

LLVMValueRef hold_address(const struct holds *holds, uint32_t word)
{
    const struct hold key = {.word = word};
    const struct hold *found =
        holds->count
            ? bsearch(&key, holds->at, holds->count, sizeof key, by_word)
            : NULL;

    return found ? found->slot
                 : plan_address(holds->body->function, holds->plan, word);
}

static void copy(LLVMBuilderRef builder, LLVMValueRef from, LLVMValueRef to)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(ir_context_of(from));
    LLVMValueRef value = LLVMBuildLoad2(builder, i64, from, "");

    LLVMSetAlignment(value, 8);
    LLVMSetAlignment(LLVMBuildStore(builder, value, to), 8);
}

static void write_one(const struct holds *holds, LLVMBuilderRef builder,
                      const struct hold *hold)
{
    copy(builder, hold->slot,
         plan_address(holds->body->function, holds->plan, hold->word));
}

static void read_one(const struct holds *holds, LLVMBuilderRef builder,
                     const struct hold *hold)
{
    copy(builder, plan_address(holds->body->function, holds->plan, hold->word),
         hold->slot);
}

static bool leaves(const struct holds *holds, const struct hold *hold,
                   uint32_t from, uint32_t to)
{
    return loop_has(holds->flow, hold->loop, from) &&
           !loop_has(holds->flow, hold->loop, to);
}

static bool stays(const struct holds *holds, const struct hold *hold,
                  uint32_t from, uint32_t to)
{
    return loop_has(holds->flow, hold->loop, from) &&
           loop_has(holds->flow, hold->loop, to);
}

bool hold_is_boundary(const struct holds *holds, uint32_t from, uint32_t to)
{
    if (holds->flow->block[from].loop == holds->flow->block[to].loop)
        return false;
    for (uint32_t i = 0; i < holds->count; i++)
        if (leaves(holds, &holds->at[i], from, to) ||
            leaves(holds, &holds->at[i], to, from))
            return true;
    return false;
}

void hold_leave(const struct holds *holds, LLVMBuilderRef builder,
                uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < holds->count; i++)
        if (leaves(holds, &holds->at[i], from, to))
            write_one(holds, builder, &holds->at[i]);
}

void hold_enter(const struct holds *holds, LLVMBuilderRef builder,
                uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < holds->count; i++)
        if (leaves(holds, &holds->at[i], to, from))
            read_one(holds, builder, &holds->at[i]);
}

void hold_before_call(const struct holds *holds, LLVMBuilderRef builder,
                      uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < holds->count; i++)
        if (stays(holds, &holds->at[i], from, to))
            write_one(holds, builder, &holds->at[i]);
}

/* The runtime changes fuel alone. */
void hold_behind_call(const struct holds *holds, LLVMBuilderRef builder,
                      uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < holds->count; i++)
        if (holds->at[i].word < holds->plan->fuel_count &&
            stays(holds, &holds->at[i], from, to))
            read_one(holds, builder, &holds->at[i]);
}
