#include "instrument/meter/edge.h"

#include "instrument/meter/ir.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <assert.h>
#include <stdbool.h>

/* The PHI again, coming from `between` where it came from `from` (once, though
 * a switch may have several ways). There is no setter for that in the C API. */
static void rebuild_phi(LLVMValueRef phi, LLVMBasicBlockRef from,
                        LLVMBasicBlockRef between)
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

        if (block == from) {
            if (done)
                continue;
            done = true;
            block = between;
        }
        if (value == phi)
            value = new;
        LLVMAddIncoming(new, &value, &block, 1);
    }
    ir_replace(phi, new);
}

LLVMBasicBlockRef edge_split(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    LLVMContextRef context = ir_context_of(end);
    LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(context, to, "");
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(context);
    auto_ir_list struct ir_list phis = {0};

    ir_at_end(builder, between, end);
    LLVMBuildBr(builder, to);
    for (LLVMValueRef inst = LLVMGetFirstInstruction(to);
         inst && LLVMIsAPHINode(inst); inst = LLVMGetNextInstruction(inst))
        ir_list_add(&phis, inst);
    bool found = false;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        if (LLVMGetSuccessor(end, i) != to)
            continue;
        LLVMSetSuccessor(end, i, between);
        found = true;
    }
    assert(found);
    for (size_t i = 0; i < phis.count; i++)
        rebuild_phi(phis.at[i], from, between);
    return between;
}
