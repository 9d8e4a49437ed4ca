#include "instrument/meter/reference.h"

#include "instrument/meter/bulk.h"
#include "instrument/meter/chord.h"
#include "instrument/meter/ir.h"

struct reference {
    const struct body *body;
    const struct plan *plan;
    enum placement placement;
    uint32_t first; /* word of R.f[0] */
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMBasicBlockRef stop;
};

uint32_t reference_count(const struct body *body, enum placement placement)
{
    return placement_has_blocks(placement)
               ? body->block_count + body->site_count
               : 0;
}

static LLVMBasicBlockRef stop_block(struct reference *reference)
{
    if (reference->stop)
        return reference->stop;
    reference->stop = ir_append_block(reference->body->function);
    LLVMPositionBuilderAtEnd(reference->builder, reference->stop);
    LLVMSetCurrentDebugLocation2(reference->builder, NULL);
    ir_call(reference->builder, "__bout_stop",
            LLVMVoidTypeInContext(reference->context), NULL, 0);
    ir_call_intrinsic(reference->builder, "llvm.trap", NULL, 0, NULL, 0);
    LLVMBuildUnreachable(reference->builder);
    return reference->stop;
}

static void take_off(struct reference *reference, LLVMValueRef before,
                     LLVMValueRef amount)
{
    LLVMBuilderRef builder = reference->builder;
    LLVMValueRef remaining = ir_hidden(reference->module, "__bout_remaining");
    LLVMValueRef left = chord_change(builder, remaining, amount, true);

    if (reference->placement == PLACEMENT_BOTH)
        return;
    LLVMBasicBlockRef rest = LLVMGetInstructionParent(before);
    LLVMBasicBlockRef stop = stop_block(reference);
    LLVMBasicBlockRef head = ir_split_before(before);

    ir_at_end(builder, head, before);
    LLVMValueRef over = LLVMBuildICmp(builder, LLVMIntSLT, left,
                                      ir_i64(reference->context, 0), "");
    LLVMBuildCondBr(builder, over, stop, rest);
}

/* The counter comes first, so that the subtraction's own sign flag is tested.
 */
static void count(struct reference *reference, LLVMValueRef before,
                  uint32_t word, LLVMValueRef amount, bool is_price)
{
    LLVMValueRef one = ir_i64(reference->context, 1);

    if (placement_has_blocks(reference->placement))
        chord_change(reference->builder,
                     plan_address(reference->body->function, reference->plan,
                                  reference->first + word),
                     is_price ? amount : one, false);
    take_off(reference, before, amount);
}

static void place_piece(struct reference *reference, uint32_t number)
{
    const struct body_block *block = &reference->body->block[number];
    LLVMValueRef amount = ir_i64(reference->context, block->charge);

    if (reference->placement == PLACEMENT_CLASSIC) {
        ir_at(reference->builder, LLVMGetBasicBlockTerminator(block->ref));
        ir_call(reference->builder, "__bout_increment",
                LLVMVoidTypeInContext(reference->context), &amount, 1);
        return;
    }
    ir_at(reference->builder, block->first);
    count(reference, block->first, number, amount, false);
}

static void place_site(struct reference *reference, uint32_t number)
{
    LLVMValueRef call = reference->body->site[number].call;

    ir_at(reference->builder, call);
    count(reference, call, reference->body->block_count + number,
          bulk_build_price(reference->builder, call), true);
}

void reference_place(const struct body *body, enum placement placement,
                     const struct plan *plan)
{
    LLVMModuleRef module = LLVMGetGlobalParent(body->function);
    LLVMContextRef context = LLVMGetModuleContext(module);
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(context);
    struct reference reference = {
        .body = body,
        .plan = plan,
        .placement = placement,
        .first = plan->fuel_count + plan->counter_count + plan->stop_count,
        .module = module,
        .context = context,
        .builder = builder,
    };

    for (uint32_t i = 0; i < body->block_count; i++)
        if (body->block[i].charge)
            place_piece(&reference, i);
    for (uint32_t i = 0; i < body->site_count; i++)
        place_site(&reference, i);
}
