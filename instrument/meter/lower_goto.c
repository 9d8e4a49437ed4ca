/* Computed goto to a switch: a label's address becomes its number in the
 * function, from 1, and every other value traps.
 */
#include "instrument/bot/page.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

/* The blockaddress constant of a block, or NULL if none was taken. */
static LLVMValueRef taken_address(LLVMBasicBlockRef block)
{
    LLVMValueRef value = LLVMBasicBlockAsValue(block);

    for (LLVMUseRef use = LLVMGetFirstUse(value); use;
         use = LLVMGetNextUse(use)) {
        if (LLVMIsABlockAddress(LLVMGetUser(use)))
            return LLVMGetUser(use);
    }
    return NULL;
}

/* The labels of a function whose address is taken, in order of the blocks. */
static void find_labels(LLVMValueRef function, struct ir_list *labels)
{
    ir_list_clear(labels);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b)) {
        if (taken_address(b))
            ir_list_add(labels, LLVMBasicBlockAsValue(b));
    }
}

/* A label's number; one past the last for a block that is no label. */
static size_t number_of(const struct ir_list *labels, LLVMBasicBlockRef block)
{
    size_t i = 0;

    while (i < labels->count && labels->at[i] != LLVMBasicBlockAsValue(block))
        i++;
    return i + 1;
}

/* Each edge stays an edge, since the destinations' PHIs count them: one that is
 * there twice, or leads to no label, gets a number that no label has. */
static void to_switch(LLVMBuilderRef builder, LLVMValueRef inst,
                      const struct ir_list *labels)
{
    LLVMContextRef context = ir_context_of(inst);
    LLVMTypeRef word = LLVMInt64TypeInContext(context);
    unsigned count = LLVMGetNumSuccessors(inst);
    auto_free bool *used = mem_calloc(labels->count + 2, sizeof *used);
    size_t spare = labels->count + 1;

    ir_at(builder, inst);
    LLVMValueRef number =
        LLVMBuildPtrToInt(builder, LLVMGetOperand(inst, 0), word, "");
    LLVMBasicBlockRef trap = ir_trap_block(inst, PAGE_TRAP_UNREACHABLE);
    LLVMValueRef choice = LLVMBuildSwitch(builder, number, trap, count);
    for (unsigned i = 0; i < count; i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(inst, i);
        size_t label = number_of(labels, to);

        if (label > labels->count || used[label])
            label = spare++;
        else
            used[label] = true;
        LLVMAddCase(choice, ir_i64(context, label), to);
    }
    LLVMInstructionEraseFromParent(inst);
}

static void number_labels(const struct ir_list *labels)
{
    for (size_t i = 0; i < labels->count; i++) {
        LLVMBasicBlockRef block = LLVMValueAsBasicBlock(labels->at[i]);
        LLVMValueRef address = taken_address(block);

        LLVMReplaceAllUsesWith(
            address, LLVMConstIntToPtr(ir_i64(ir_context_of(address), i + 1),
                                       LLVMTypeOf(address)));
    }
}

int lower_goto(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list functions = {0};
    auto_ir_list struct ir_list labels = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    bool any = false;

    ir_bodies(module, &functions);
    for (size_t i = 0; i < functions.count; i++) {
        find_labels(functions.at[i], &labels);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(functions.at[i]); b;
             b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

            if (LLVMGetInstructionOpcode(end) == LLVMIndirectBr)
                to_switch(builder, end, &labels);
        }
        number_labels(&labels);
        any |= labels.count != 0;
    }
    /* The dead blockaddress constants still use their functions. */
    return any ? ir_drop_dead(module, err) : 0;
}
