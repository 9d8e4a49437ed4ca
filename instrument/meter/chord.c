#include "instrument/meter/chord.h"

#include "instrument/meter/bulk.h"
#include "instrument/meter/edge.h"
#include "instrument/meter/ir.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

/* llvm/IR/CallingConv.h: PreserveAll. */
#define PRESERVE_ALL 15u

/* While code is put in. */
struct editor {
    const struct chord *chord;
    LLVMBuilderRef builder;
    LLVMContextRef context;
    LLVMModuleRef module;
};

static struct editor open_editor(const struct chord *chord)
{
    LLVMModuleRef module = LLVMGetGlobalParent(chord->body->function);
    LLVMContextRef context = LLVMGetModuleContext(module);

    return (struct editor){
        .chord = chord,
        .builder = LLVMCreateBuilderInContext(context),
        .context = context,
        .module = module,
    };
}

LLVMValueRef chord_change(LLVMBuilderRef builder, LLVMValueRef at,
                          LLVMValueRef amount, bool subtract)
{
    LLVMValueRef was = LLVMBuildLoad2(builder, LLVMTypeOf(amount), at, "");
    LLVMValueRef is = subtract ? LLVMBuildSub(builder, was, amount, "")
                               : LLVMBuildAdd(builder, was, amount, "");

    LLVMSetAlignment(was, 8);
    LLVMSetAlignment(LLVMBuildStore(builder, is, at), 8);
    return is;
}

static LLVMValueRef address(const struct editor *editor, uint32_t word)
{
    return plan_address(editor->chord->body->function, editor->chord->plan,
                        word);
}

static LLVMValueRef build_increment(const struct editor *editor, uint32_t word)
{
    return chord_change(editor->builder, address(editor, word),
                        ir_i64(editor->context, 1), false);
}

/* What is cold: which check it is, and the call. */
static LLVMBasicBlockRef refuel_block(const struct editor *editor,
                                      LLVMBasicBlockRef rest,
                                      LLVMValueRef location_of, uint32_t stop)
{
    LLVMBuilderRef builder = editor->builder;
    LLVMBasicBlockRef block = ir_append_block(editor->chord->body->function);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(editor->context);

    ir_at_end(builder, block, location_of);
    LLVMSetAlignment(
        LLVMBuildStore(builder, LLVMConstPtrToInt(address(editor, stop), i64),
                       ir_hidden(editor->module, "__bout_check")),
        8);
    LLVMValueRef call =
        ir_call(builder, "__bout_refuel",
                LLVMVoidTypeInContext(editor->context), NULL, 0);
    LLVMSetInstructionCallConv(call, PRESERVE_ALL);
    LLVMSetFunctionCallConv(LLVMGetCalledValue(call), PRESERVE_ALL);
    LLVMBuildBr(builder, rest);
    return block;
}

/* Splits before `inst`; `value` was computed at the end of its head. */
static void build_branch(const struct editor *editor, LLVMValueRef inst,
                         LLVMBasicBlockRef head, LLVMValueRef is_over,
                         uint32_t stop)
{
    LLVMBasicBlockRef rest = LLVMGetInstructionParent(inst);
    LLVMBasicBlockRef cold = refuel_block(editor, rest, inst, stop);

    ir_at_end(editor->builder, head, inst);
    ir_set_unlikely(LLVMBuildCondBr(editor->builder, is_over, cold, rest));
}

/* ---- counters -------------------------------------------------------------
 */

/* The block that leads from one to the other alone. */
static LLVMValueRef edge_place(const struct editor *editor, uint32_t number)
{
    const struct flow_edge *edge = &editor->chord->flow->edge[number];
    const struct flow_block *from = &editor->chord->flow->block[edge->from];
    LLVMBasicBlockRef from_ref = editor->chord->body->block[edge->from].ref;
    const struct body_block *to = &editor->chord->body->block[edge->to];

    /* A folded loop's edge back is not in the flow. */
    if (from->edge_count == 1 && from->times == 1)
        return LLVMGetBasicBlockTerminator(from_ref);
    if (editor->chord->flow->block[edge->to].in_count == 1 && edge->to != 0 &&
        editor->chord->flow->block[edge->to].times == 1)
        return to->first;
    return LLVMGetBasicBlockTerminator(edge_split(from_ref, to->ref));
}

/* A counter, and a check where it is one, before `inst`. */
static void place_chord(const struct editor *editor,
                        const struct tree_edge *edge, LLVMValueRef inst)
{
    const struct tree *tree = editor->chord->tree;

    if (edge->word >= tree->fuel_count) {
        ir_at(editor->builder, inst);
        build_increment(editor, edge->word);
        return;
    }
    uint32_t stop = tree->fuel_count + tree->counter_count + edge->word;
    LLVMBasicBlockRef head = ir_split_before(inst);
    ir_at_end(editor->builder, head, inst);
    LLVMValueRef fuel = build_increment(editor, edge->word);
    LLVMValueRef is_over = LLVMBuildICmp(editor->builder, LLVMIntSGE, fuel,
                                         ir_i64(editor->context, 0), "");
    build_branch(editor, inst, head, is_over, stop);
}

/* All edges are split before anything is put in: a check splits the block that
 * it stands in, and what leads there then leads to its head. */
void chord_place_edges(const struct chord *chord)
{
    struct editor editor = open_editor(chord);
    const struct tree *tree = chord->tree;
    auto_free LLVMValueRef *place =
        mem_calloc(tree->edge_count + 1, sizeof(LLVMValueRef));

    for (uint32_t i = 0; i < tree->edge_count; i++) {
        const struct tree_edge *edge = &tree->edge[i];

        if (edge->is_chord && edge->kind == TREE_FLOW)
            place[i] = edge_place(&editor, edge->of);
        else if (edge->is_chord && edge->kind == TREE_RETURN)
            place[i] = body_end(chord->body->block[edge->of].ref);
    }
    for (uint32_t i = 0; i < tree->edge_count; i++)
        if (place[i])
            place_chord(&editor, &tree->edge[i], place[i]);
    LLVMDisposeBuilder(editor.builder);
}

/* ---- sites ----------------------------------------------------------------
 */

static void place_site(const struct editor *editor, uint32_t number)
{
    LLVMValueRef call = editor->chord->body->site[number].call;
    uint32_t sites = editor->chord->body->site_count;
    uint32_t stop = tree_word_count(editor->chord->tree) - sites + number;
    LLVMBuilderRef builder = editor->builder;
    LLVMBasicBlockRef head = ir_split_before(call);

    ir_at_end(builder, head, call);
    LLVMValueRef price = bulk_build_price(builder, call);
    chord_change(
        builder,
        address(editor, tree_site_word(editor->chord->tree, sites, number)),
        price, false);
    LLVMValueRef left = chord_change(
        builder, ir_hidden(editor->module, "__bout_allowance"), price, true);
    LLVMValueRef is_over = LLVMBuildICmp(builder, LLVMIntSLT, left,
                                         ir_i64(editor->context, 0), "");
    build_branch(editor, call, head, is_over, stop);
}

void chord_place_blocks(const struct chord *chord)
{
    struct editor editor = open_editor(chord);

    for (uint32_t i = 0; i < chord->tree->edge_count; i++) {
        const struct tree_edge *edge = &chord->tree->edge[i];

        if (edge->is_chord && edge->kind == TREE_BLOCK)
            place_chord(&editor, edge, chord->body->block[edge->of].first);
    }
    for (uint32_t i = 0; i < chord->body->site_count; i++)
        place_site(&editor, i);
    LLVMDisposeBuilder(editor.builder);
}
