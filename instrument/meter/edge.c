#include "instrument/meter/edge.h"

#include "instrument/meter/ir.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <assert.h>
#include <stdbool.h>

/* The PHI again: there is no setter for where it comes from in the C API. */
static void rebuild_phi(LLVMValueRef phi, LLVMBasicBlockRef from,
                        LLVMBasicBlockRef *now, size_t count)
{
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(ir_context_of(phi));
    bool done = false;

    ir_at(builder, phi);
    LLVMValueRef new = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    if (LLVMCanValueUseFastMathFlags(phi))
        LLVMSetFastMathFlags(new, LLVMGetFastMathFlags(phi));
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);

        if (block != from)
            LLVMAddIncoming(new, &value, &block, 1);
        for (size_t k = 0; block == from && !done && k < count; k++)
            LLVMAddIncoming(new, &value, &now[k], 1);
        done = done || block == from;
    }
    ir_replace(phi, new); /* also as what it gave to itself */
}

void edge_move_phis(LLVMBasicBlockRef to, LLVMBasicBlockRef from,
                    LLVMBasicBlockRef *now, size_t count)
{
    auto_ir_list struct ir_list phis = {0};

    for (LLVMValueRef inst = LLVMGetFirstInstruction(to);
         inst && LLVMIsAPHINode(inst); inst = LLVMGetNextInstruction(inst))
        ir_list_add(&phis, inst);
    for (size_t i = 0; i < phis.count; i++)
        rebuild_phi(phis.at[i], from, now, count);
}

LLVMBasicBlockRef edge_split(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    LLVMContextRef context = ir_context_of(end);
    LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(context, to, "");
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(context);

    ir_at_end(builder, between, end);
    LLVMBuildBr(builder, to);
    bool found = false;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        if (LLVMGetSuccessor(end, i) != to)
            continue;
        LLVMSetSuccessor(end, i, between);
        found = true;
    }
    assert(found);
    edge_move_phis(to, from, &between, 1);
    return between;
}
