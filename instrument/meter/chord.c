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

/* Where something is put in: before an instruction, on the way from block to
 * block of the flow (from one to itself: inside of it). */
struct spot {
    LLVMValueRef inst;
    uint32_t from, to;
};

static LLVMValueRef build_increment(const struct editor *editor, uint32_t word)
{
    return chord_change(editor->builder,
                        hold_address(editor->chord->holds, word),
                        ir_i64(editor->context, 1), false);
}

static void build_note(const struct editor *editor, uint32_t stop)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(editor->context);
    LLVMValueRef address =
        plan_address(editor->chord->body->function, editor->chord->plan, stop);

    LLVMSetAlignment(LLVMBuildStore(editor->builder,
                                    LLVMConstPtrToInt(address, i64),
                                    ir_hidden(editor->module, "__bout_check")),
                     8);
}

/* What is cold: which check it is, and the call. */
static LLVMBasicBlockRef refuel_block(const struct editor *editor,
                                      const struct spot *spot, uint32_t stop)
{
    const struct holds *holds = editor->chord->holds;
    LLVMBuilderRef builder = editor->builder;
    LLVMBasicBlockRef rest = LLVMGetInstructionParent(spot->inst);
    LLVMBasicBlockRef block = ir_append_block(editor->chord->body->function);

    ir_at_end(builder, block, spot->inst);
    hold_before_call(holds, builder, spot->from, spot->to);
    build_note(editor, stop);
    LLVMValueRef call =
        ir_call(builder, "__bout_refuel",
                LLVMVoidTypeInContext(editor->context), NULL, 0);
    LLVMSetInstructionCallConv(call, PRESERVE_ALL);
    LLVMSetFunctionCallConv(LLVMGetCalledValue(call), PRESERVE_ALL);
    hold_behind_call(holds, builder, spot->from, spot->to);
    LLVMBuildBr(builder, rest);
    return block;
}

/* The end of the head that was split off before the spot's instruction;
 * `is_over` is computed there. */
static void build_branch(const struct editor *editor, const struct spot *spot,
                         LLVMBasicBlockRef head, LLVMValueRef is_over,
                         uint32_t stop)
{
    LLVMBasicBlockRef cold = refuel_block(editor, spot, stop);

    ir_at_end(editor->builder, head, spot->inst);
    ir_set_unlikely(LLVMBuildCondBr(editor->builder, is_over, cold,
                                    LLVMGetInstructionParent(spot->inst)));
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

/* A counter, and a check where it is one. */
static void place_chord(const struct editor *editor,
                        const struct tree_edge *edge, const struct spot *spot)
{
    const struct tree *tree = editor->chord->tree;

    if (edge->word >= tree->fuel_count) {
        ir_at(editor->builder, spot->inst);
        build_increment(editor, edge->word);
        return;
    }
    uint32_t stop = tree->fuel_count + tree->counter_count + edge->word;
    LLVMBasicBlockRef head = ir_split_before(spot->inst);
    ir_at_end(editor->builder, head, spot->inst);
    LLVMValueRef fuel = build_increment(editor, edge->word);
    LLVMValueRef is_over = LLVMBuildICmp(editor->builder, LLVMIntSGE, fuel,
                                         ir_i64(editor->context, 0), "");
    build_branch(editor, spot, head, is_over, stop);
}

/* Of each flow's edge on which something is put in; inst is NULL elsewhere. */
static void find_spots(const struct editor *editor, struct spot *spot)
{
    const struct flow *flow = editor->chord->flow;
    const struct tree *tree = editor->chord->tree;

    for (uint32_t i = 0; i < flow->edge_count; i++)
        spot[i] = (struct spot){NULL, flow->edge[i].from, flow->edge[i].to};
    for (uint32_t i = 0; i < tree->edge_count; i++) {
        const struct tree_edge *edge = &tree->edge[i];

        if (edge->is_chord && edge->kind == TREE_FLOW)
            spot[edge->of].inst = edge_place(editor, edge->of);
    }
    for (uint32_t i = 0; i < flow->edge_count; i++)
        if (!spot[i].inst &&
            hold_is_boundary(editor->chord->holds, spot[i].from, spot[i].to))
            spot[i].inst = edge_place(editor, i);
}

static void place_chords(const struct editor *editor, const struct spot *spot)
{
    const struct tree *tree = editor->chord->tree;

    for (uint32_t i = 0; i < tree->edge_count; i++) {
        const struct tree_edge *edge = &tree->edge[i];

        if (!edge->is_chord)
            continue;
        if (edge->kind == TREE_FLOW)
            place_chord(editor, edge, &spot[edge->of]);
        if (edge->kind == TREE_RETURN)
            place_chord(editor, edge,
                        &(struct spot){
                            body_end(editor->chord->body->block[edge->of].ref),
                            edge->of, edge->of});
    }
}

/* All edges are split before anything is put in: a check splits the block that
 * it stands in, and what leads there then leads to its head. On a way out of a
 * loop its counters are written before a check looks, on a way in they are read
 * behind it. */
void chord_place_edges(const struct chord *chord)
{
    struct editor editor = open_editor(chord);
    const struct flow *flow = chord->flow;
    auto_free struct spot *spot =
        mem_calloc(flow->edge_count + 1, sizeof *spot);

    find_spots(&editor, spot);
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        if (!spot[i].inst)
            continue;
        ir_at(editor.builder, spot[i].inst);
        hold_leave(chord->holds, editor.builder, spot[i].from, spot[i].to);
    }
    place_chords(&editor, spot);
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        if (!spot[i].inst)
            continue;
        ir_at(editor.builder, spot[i].inst);
        hold_enter(chord->holds, editor.builder, spot[i].from, spot[i].to);
    }
    LLVMDisposeBuilder(editor.builder);
}

/* ---- sites ----------------------------------------------------------------
 */

static void place_site(const struct editor *editor, uint32_t number)
{
    const struct chord *chord = editor->chord;
    const struct body_site *site = &chord->body->site[number];
    uint32_t sites = chord->body->site_count;
    uint32_t stop = tree_word_count(chord->tree) - sites + number;
    const struct spot spot = {site->call, site->block, site->block};
    LLVMBuilderRef builder = editor->builder;
    LLVMBasicBlockRef head = ir_split_before(site->call);

    ir_at_end(builder, head, site->call);
    LLVMValueRef price = bulk_build_price(builder, site->call);
    chord_change(
        builder,
        hold_address(chord->holds, tree_site_word(chord->tree, sites, number)),
        price, false);
    LLVMValueRef left = chord_change(
        builder, ir_hidden(editor->module, "__bout_allowance"), price, true);
    LLVMValueRef is_over = LLVMBuildICmp(builder, LLVMIntSLT, left,
                                         ir_i64(editor->context, 0), "");
    build_branch(editor, &spot, head, is_over, stop);
}

void chord_place_blocks(const struct chord *chord)
{
    struct editor editor = open_editor(chord);

    for (uint32_t i = 0; i < chord->tree->edge_count; i++) {
        const struct tree_edge *edge = &chord->tree->edge[i];

        if (edge->is_chord && edge->kind == TREE_BLOCK)
            place_chord(&editor, edge,
                        &(struct spot){chord->body->block[edge->of].first,
                                       edge->of, edge->of});
    }
    for (uint32_t i = 0; i < chord->body->site_count; i++)
        place_site(&editor, i);
    LLVMDisposeBuilder(editor.builder);
}
