/* A switch of very many cases to a tree of comparisons with a small switch at
 * each leaf. What code generation does with one (jump tables, the probability
 * of each way, a PHI's values) grows with the square of its cases: 10,000 of
 * them took a minute. The tree is decided here, so it is the same for every
 * target, and charged as what it is.
 */
#include "instrument/meter/edge.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <stdlib.h>

/* What a switch may keep. */
#define LEAF_CASES 256u

struct choice {
    int64_t value;
    LLVMValueRef constant;
    LLVMBasicBlockRef to;
};

/* A way from a leaf, in the order in which they are made. */
struct way {
    LLVMBasicBlockRef from, to;
    size_t number;
};

/* One switch at work. */
struct splitter {
    LLVMValueRef inst;
    LLVMValueRef function;
    LLVMBuilderRef builder;
    LLVMBasicBlockRef otherwise;
    const struct choice *choice; /* by value */
    struct way *way;
    size_t way_count;
};

static int by_value(const void *a, const void *b)
{
    const struct choice *x = a;
    const struct choice *y = b;

    return (x->value > y->value) - (x->value < y->value);
}

/* By address, for finding those of one destination alone. */
static int by_destination(const void *a, const void *b)
{
    const struct way *x = a;
    const struct way *y = b;

    if (x->to != y->to)
        return (uintptr_t)x->to < (uintptr_t)y->to ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* ---- the tree -------------------------------------------------------------
 */

static void add_way(struct splitter *splitter, LLVMBasicBlockRef from,
                    LLVMBasicBlockRef to)
{
    struct way *way = &splitter->way[splitter->way_count];

    *way = (struct way){from, to, splitter->way_count};
    splitter->way_count++;
}

static void build_leaf(struct splitter *splitter, LLVMBasicBlockRef at,
                       size_t first, size_t count)
{
    LLVMValueRef leaf =
        LLVMBuildSwitch(splitter->builder, LLVMGetOperand(splitter->inst, 0),
                        splitter->otherwise, (unsigned)count);

    add_way(splitter, at, splitter->otherwise);
    for (size_t i = first; i < first + count; i++) {
        LLVMAddCase(leaf, splitter->choice[i].constant, splitter->choice[i].to);
        add_way(splitter, at, splitter->choice[i].to);
    }
}

/* As deep as a logarithm of the cases. */
static void build_tree(struct splitter *splitter, LLVMBasicBlockRef at,
                       size_t first, size_t count)
{
    ir_at_end(splitter->builder, at, splitter->inst);
    if (count <= LEAF_CASES) {
        build_leaf(splitter, at, first, count);
        return;
    }
    size_t half = count / 2;
    LLVMBasicBlockRef below = ir_append_block(splitter->function);
    LLVMBasicBlockRef above = ir_append_block(splitter->function);
    LLVMValueRef is_below = LLVMBuildICmp(
        splitter->builder, LLVMIntSLT, LLVMGetOperand(splitter->inst, 0),
        splitter->choice[first + half].constant, "");
    LLVMBuildCondBr(splitter->builder, is_below, below, above);
    build_tree(splitter, below, first, half);
    build_tree(splitter, above, first + half, count - half);
}

/* ---- the destinations' PHIs -----------------------------------------------
 */

/* Destination after destination, by the first way to each. */
static void mend_phis(struct splitter *splitter, LLVMBasicBlockRef from)
{
    size_t count = splitter->way_count;
    struct way *way = splitter->way;
    auto_free size_t *length = mem_calloc(count + 1, sizeof *length);
    auto_free size_t *start = mem_calloc(count + 1, sizeof *start);
    auto_free LLVMBasicBlockRef *now = mem_calloc(count + 1, sizeof(void *));

    qsort(way, count, sizeof *way, by_destination);
    for (size_t i = 0, k; i < count; i = k) {
        for (k = i; k < count && way[k].to == way[i].to; k++)
            ;
        start[way[i].number] = i;
        length[way[i].number] = k - i;
    }
    for (size_t i = 0; i < count; i++)
        now[i] = way[i].from;
    for (size_t i = 0; i < count; i++)
        if (length[i])
            edge_move_phis(way[start[i]].to, from, &now[start[i]], length[i]);
}

/* ---- a switch -------------------------------------------------------------
 */

static bool is_huge(LLVMValueRef inst)
{
    return LLVMGetInstructionOpcode(inst) == LLVMSwitch &&
           LLVMGetNumSuccessors(inst) > LEAF_CASES + 1 &&
           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(inst, 0))) <= 64;
}

static void split(LLVMValueRef inst, LLVMBuilderRef builder)
{
    LLVMBasicBlockRef from = LLVMGetInstructionParent(inst);
    unsigned count = LLVMGetNumSuccessors(inst) - 1;
    auto_free struct choice *choice = mem_calloc(count, sizeof *choice);
    /* Each leaf holds more than half of what it may. */
    auto_free struct way *way =
        mem_calloc(count + count / (LEAF_CASES / 2) + 1, sizeof *way);
    struct splitter splitter = {
        .inst = inst,
        .function = LLVMGetBasicBlockParent(from),
        .builder = builder,
        .otherwise = LLVMGetSwitchDefaultDest(inst),
        .choice = choice,
        .way = way,
    };

    /* Operands: the value, the default, then each case's value and block. */
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef constant = LLVMGetOperand(inst, 2 + 2 * i);

        choice[i] = (struct choice){LLVMConstIntGetSExtValue(constant),
                                    constant, LLVMGetSuccessor(inst, i + 1)};
    }
    qsort(choice, count, sizeof *choice, by_value);
    build_tree(&splitter, from, 0, count);
    mend_phis(&splitter, from);
    LLVMInstructionEraseFromParent(inst);
}

int lower_switch(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list functions = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    (void)err;
    ir_bodies(module, &functions);
    for (size_t i = 0; i < functions.count; i++)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(functions.at[i]); b;
             b = LLVMGetNextBasicBlock(b))
            if (is_huge(LLVMGetBasicBlockTerminator(b)))
                split(LLVMGetBasicBlockTerminator(b), builder);
    return 0;
}
